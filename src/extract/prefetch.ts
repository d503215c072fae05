import { fileState } from '../index/tree-files.js';
import { findEntities } from '../markdown/entities.js';
import type { RecallRequest } from '../recall/request.js';
import { estimateTokens } from '../text/tokens.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import type { BankReader, ExtractInput } from './bank-tools.js';
import type { MemoryType } from './memory-type.js';
import type { ConversationPart } from './question.js';
import { type PageAbstract, PageAbstractLookup } from './sidecars.js';
import { isSinglePageType } from './types.js';

/** Share of the token budget for the list of pages. The rest is for whole pages. */
const LISTED_SHARE = 0.35;
const MOST_QUERIES = 6;
const LONGEST_QUERY = 300;
const HITS = 5;

interface Asked {
  readonly part: ConversationPart;
  readonly types: readonly MemoryType[];
  /** Maximum number of tokens for all content of the bank in the prompt. */
  readonly bankBudget: number;
}

/**
 * Selects content of the bank for a conversation: a list of pages with their first sentences, and some whole pages. Whole
 * pages are: pages of single-page types, pages whose titles occur in the conversation, and pages that recall finds for the
 * entities and the latest user messages of the conversation. The selection stays within the token budget, whatever the size
 * of the bank.
 */
export async function prefetchPages(
  { root, stateFolder }: WorkspaceContext,
  { types, lookUp }: ExtractInput,
  { part, types: chosen, bankBudget: budget }: Asked,
  reader: BankReader,
): Promise<string> {
  const { results, files } = await lookUp(queriesOf(part));
  const abstracts = new PageAbstractLookup(root, stateFolder);
  const pagesOf = new Map<MemoryType, PageAbstract[]>(chosen.map((type) => [type, []]));
  for (const file of files) {
    const type = file.path.startsWith('bank/') ? types.at(file.path) : undefined;
    if (type !== undefined) pagesOf.get(type)?.push(abstracts.at(file.path, fileState(file)));
  }
  abstracts.save();
  for (const pages of pagesOf.values()) pages.sort((a, b) => (a.path < b.path ? -1 : 1));
  const listed = [...pagesOf];
  const wanted = [
    ...listed.flatMap(([type, pages]) => (isSinglePageType(type) ? pages : [])),
    ...namedIn(part, [...pagesOf.values()].flat()),
    ...results,
  ].map(({ path }) => path);
  const ofChosen = [...new Set(wanted)].filter((path) => chosen.some((type) => type === types.at(path)));
  const shown = whole(reader, ofChosen, budget * (1 - LISTED_SHARE));
  const lists = overviews(listed, new Set(reader.pages.map(({ path }) => path)), budget - estimateTokens(shown) - 20);
  return [lists, shown].filter((one) => one !== '').join('\n\n') || '(no pages yet)';
}

function whole(reader: BankReader, paths: readonly string[], budget: number): string {
  const shown: string[] = [];
  let used = 0;
  for (const path of paths) {
    // Read the page first, and check that the text fits into the budget. Only then call `show`, because `show` counts a page
    // as one that the model has seen.
    const text = reader.page(path)?.text;
    if (text === undefined) continue;
    const tokens = estimateTokens(text) + estimateTokens(path) + 24;
    if (used + tokens > budget) continue;
    used += tokens;
    const page = reader.show(path);
    shown.push(`${page?.head}\n${text.trimEnd()}`);
  }
  return shown.join('\n\n');
}

/** Pages whose titles occur in the transcript, longest title first. */
function namedIn({ transcript }: ConversationPart, pages: readonly PageAbstract[]): readonly PageAbstract[] {
  const said = folded(transcript);
  // First test whether the first two characters of a title occur in the transcript. This is fast, and rules out most titles.
  const pairs = new Set(Array.from({ length: said.length }, (_, at) => said.slice(at, at + 2)));
  return pages
    .filter(({ title }) => title.length > 1 && pairs.has(folded(title.slice(0, 2))) && said.includes(folded(title)))
    .toSorted((a, b) => b.title.length - a.title.length);
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[\s-]+/gu, ' ');
}

/** Builds queries for recall: first the entities that the conversation names, then the latest user messages. */
function queriesOf(part: ConversationPart): readonly RecallRequest[] {
  const entities = findEntities(part.transcript);
  const said = part.messages.filter(({ role }) => role === 'user').map(({ text }) => text.slice(0, LONGEST_QUERY));
  return [...entities, ...said.reverse()].slice(0, MOST_QUERIES).map((query) => ({ query, k: HITS }));
}

function overviews(
  listed: readonly (readonly [type: MemoryType, pages: readonly PageAbstract[]])[],
  shown: ReadonlySet<string>,
  budget: number,
): string {
  const lines: string[] = [];
  let used = 0;
  for (const [type, pages] of listed) {
    const open = isSinglePageType(type) ? [] : pages.filter(({ path }) => !shown.has(path));
    if (open.length === 0) continue;
    const head = `${type.directory}/ (${type.name}, ${pages.length === 1 ? '1 page' : `${pages.length} pages`})`;
    used += estimateTokens(head) + 8;
    if (used > budget) break;
    // Each folder gets half of the remaining budget, so that one folder does not crowd out the others.
    const own = listOf(type, open, (budget - used) / 2);
    used += own.tokens;
    const left = open.length - own.lines.length;
    lines.push(head, ...own.lines, ...(left > 0 ? [`- … ${left} more`] : []));
  }
  return lines.join('\n');
}

function listOf({ directory }: MemoryType, pages: readonly PageAbstract[], budget: number) {
  const lines: string[] = [];
  let tokens = 0;
  for (const { path, abstract } of pages) {
    const line = `- ${path.slice(directory.length + 1)}${abstract === '' ? '' : `: ${abstract}`}`;
    tokens += estimateTokens(line) + 1;
    if (tokens > budget) return { lines, tokens };
    lines.push(line);
  }
  return { lines, tokens };
}
