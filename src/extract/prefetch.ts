import { posix } from 'node:path';
import { findEntities } from '../markdown/entities.js';
import type { RecallRequest } from '../query/request.js';
import { estimateTokens } from '../text/tokens.js';
import type { BankReader, ExtractInput } from './bank-tools.js';
import type { MemoryType } from './memory-type.js';
import type { ConversationPart } from './question.js';
import { folderAbstractPath, folderOverviewPath } from './sidecars.js';
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
 * Selects content of the bank for a conversation: the summaries of the folders, and some whole pages. Whole pages are: pages
 * of single-page types, pages whose names occur in the conversation, and pages that recall finds for the entities and the
 * latest user messages of the conversation. The selection stays within the token budget, whatever the size of the bank.
 */
export async function prefetchPages(
  { types, lookUp }: ExtractInput,
  { part, types: chosen, bankBudget: budget }: Asked,
  reader: BankReader,
): Promise<string> {
  const { results, files } = await lookUp(queriesOf(part));
  const pages = files.map(({ path }) => path).filter((path) => path.startsWith('bank/'));
  const typed = [...pages, ...results.map(({ path }) => path)].flatMap((path) => {
    const type = types.at(path);
    return type !== undefined && chosen.includes(type) ? [{ path, type }] : [];
  });
  const wanted = [
    ...typed.flatMap(({ path, type }) => (isSinglePageType(type) ? [path] : [])),
    ...namedIn(
      part,
      typed.map(({ path }) => path),
    ),
    ...results.map(({ path }) => path).filter((path) => typed.some((page) => page.path === path)),
  ];
  const shown = whole(reader, [...new Set(wanted)], budget * (1 - LISTED_SHARE));
  const folders = new Set(chosen.flatMap((type) => (isSinglePageType(type) ? [] : [type.directory])));
  const lists = summaries(reader, [...folders], budget - estimateTokens(shown) - 20);
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

/** Pages whose names occur in the transcript, longest name first. */
function namedIn({ transcript }: ConversationPart, paths: readonly string[]): readonly string[] {
  const said = folded(transcript);
  const named = paths.map((path) => ({ path, name: folded(posix.basename(path, '.md')) }));
  return named
    .filter(({ name }) => name.length > 1 && said.includes(name))
    .toSorted((a, b) => b.name.length - a.name.length)
    .map(({ path }) => path);
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

/** The abstract and the overview of each folder, as far as they fit into the budget. */
function summaries(reader: BankReader, folders: readonly string[], budget: number): string {
  const shown: string[] = [];
  let used = 0;
  for (const folder of folders) {
    const abstract = reader.page(folderAbstractPath(folder))?.text.trim();
    if (abstract === undefined) continue;
    const head = `${folder}/: ${abstract}`;
    used += estimateTokens(head) + 8;
    if (used > budget) break;
    shown.push(head);
    const lines = (reader.page(folderOverviewPath(folder))?.text ?? '').split('\n').filter((line) => line !== '');
    // Each folder gets half of the remaining budget, so that one folder does not crowd out the others.
    const most = used + (budget - used) / 2;
    for (const [index, line] of lines.entries()) {
      used += estimateTokens(line) + 1;
      if (used > most) shown.push(`- … ${lines.length - index} more lines`);
      if (used > most) break;
      shown.push(line);
    }
  }
  return shown.join('\n');
}
