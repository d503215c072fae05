import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import * as z from 'zod';
import type { TreeFile } from '../index/tree-files.js';
import { UNIT_KINDS } from '../line/unit.js';
import { isFolderSummary, pageOfPath, workspacePath } from '../memory/pages.js';
import { boundedList, boundedText } from '../model/format.js';
import type { ModelTool } from '../model/model.js';
import type { RecallAnswer, RecallRequest } from '../query/request.js';
import { estimateTokens } from '../text/tokens.js';
import { resolveContainedPath } from '../workspace/files.js';
import { BankDraft } from './bank.js';
import type { MemoryType } from './memory-type.js';
import type { PageRef } from './operations/document.js';
import { comparePageText, formatLineNumbers } from './page/ownership.js';
import { abstractOf } from './sidecars.js';
import type { MemoryTypes } from './types.js';

/** Searches the memory, like `recall`. */
type MemorySearch = (request: RecallRequest) => Promise<Pick<RecallAnswer, 'results'>>;

/**
 * Runs several queries. Returns the results of each query, in the order of the queries. Also returns the files that
 * were searched. Each file is read once for all queries.
 */
export type BatchedMemorySearch = (
  requests: readonly RecallRequest[],
) => Promise<Pick<RecallAnswer, 'results'> & { readonly files: readonly TreeFile[] }>;

/** Everything that extraction needs, in addition to the workspace. */
export interface ExtractInput {
  readonly types: MemoryTypes;
  readonly chosen: readonly MemoryType[];
  /** The text of `templates/prompts/extract.md`. */
  readonly template: string;
  readonly find: MemorySearch;
  readonly lookUp: BatchedMemorySearch;
  /** Finds the pages of entities. Returns a map from each name to the path of its page. */
  readonly entityPaths: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/** A path or a name, and a query, of at most these numbers of characters if a local model writes it. */
const NAME = boundedText(200);
const QUERY = boundedText(300);

const COMMON = {
  output: NAME.optional(),
  abs_limit: z.int().optional(),
  show_all_hidden: z.boolean().optional(),
  node_limit: z.int().optional(),
};
const NAMES = boundedList(NAME, 5).optional();
/** Filters that a model can give to the tool `find`. They are passed on to `recall`. */
const FILTER = z.looseObject({
  kinds: boundedList(z.enum(UNIT_KINDS), 5).optional(),
  entities: NAMES,
  tags: NAMES,
  since: NAME.optional(),
  until: NAME.optional(),
});
const READ = z.object({ uri: NAME, offset: z.int().optional(), limit: z.int().optional() });
const FIND = z.object({
  query: QUERY,
  target_uri: NAME.optional(),
  limit: z.int().optional(),
  score_threshold: z.number().optional(),
  filter: FILTER.optional(),
});
const LS = z.object({ uri: NAME, ...COMMON });
const TREE = z.object({ uri: NAME.optional(), ...COMMON, level_limit: z.int().optional() });

/** The arguments of all tools together. Each tool uses some of them. */
const CALL = TREE.extend({ ...READ.shape, ...FIND.shape }).partial();
type BankLookupCall = z.infer<typeof CALL>;

/** Tools that a model may call before it answers. All are read-only. */
export const BANK_LOOKUP_TOOLS: readonly ModelTool<BankLookupCall>[] = [
  {
    name: 'read',
    description: 'A page, with line numbers. offset: lines to leave out; limit: most lines, -1 for all.',
    schema: READ,
  },
  { name: 'find', description: 'Statements of the memory about a query, best first.', schema: FIND },
  { name: 'ls', description: 'The pages in a folder, with their first sentences, and its folders.', schema: LS },
  { name: 'tree', description: 'The pages and folders below a folder.', schema: TREE },
];

const MOST_RESULTS = 50;
const MOST_NODES = 1_000;
const MOST_TOKENS = 4_000;
/** Maximum number of characters of the first sentence that the tool `ls` shows for a page, if the call names no maximum. */
const ABSTRACT = 256;

/** Carries out the tool calls of a model, and numbers the pages that the model has seen. */
export class BankReader {
  private readonly shown = new Map<string, PageRef>();
  private readonly numbers = new Map<string, number>();
  private readonly bank: BankDraft;

  constructor(
    root: string,
    private readonly find: MemorySearch,
  ) {
    this.bank = new BankDraft(root);
  }

  /** Pages whose whole text was shown to the model. */
  get pages(): readonly PageRef[] {
    return [...this.shown.values()];
  }

  /**
   * Shows a page: assigns its number and names the lines that a person wrote. Returns `undefined` if there is no such page.
   */
  show(path: string): { readonly head: string; readonly text: string } | undefined {
    const page = this.page(path);
    if (page === null) return undefined;
    const number = this.numbers.get(path) ?? this.numbers.size + 1;
    this.numbers.set(path, number);
    this.shown.set(path, { page_id: number, path, hash: page.hash.slice(0, 16) });
    const { touched } = comparePageText(page.text, null, this.bank.applied.oursOf(path));
    const isBank = path.startsWith('bank/') && touched.length > 0;
    return {
      head: `page ${number}: ${path}${isBank ? ` (a person wrote ${formatLineNumbers(touched)})` : ''}`,
      text: page.text,
    };
  }

  /**
   * Reads a page without counting it as shown. Reads only pages that the index covers, and summaries of folders: never
   * settings, keys or state.
   */
  page(path: string): ReturnType<BankDraft['disk']> {
    return pageOfPath(path) !== undefined || isFolderSummary(path) ? this.bank.disk(path) : null;
  }

  /** Runs a call and returns its result as text. Never throws: errors become text. */
  async answer(tool: string, call: BankLookupCall): Promise<string> {
    try {
      return cut(await this.carryOut(tool, call));
    } catch (error) {
      return `(${error instanceof Error ? error.message : String(error)})`;
    }
  }

  private async carryOut(tool: string, call: BankLookupCall): Promise<string> {
    if (tool === 'find') return this.findAll(call);
    if (tool === 'read') return this.read(call);
    const folder = posix.normalize(workspacePath(call.uri ?? 'bank') || 'bank');
    const isOpen = folder.split('/').every((part) => part === '.' || !part.startsWith('.'));
    const most = Math.min(MOST_NODES, Math.max(1, call.node_limit ?? MOST_NODES));
    const levels = tool === 'tree' ? (call.level_limit ?? 3) : 1;
    const abstract = tool === 'ls' && (call.output ?? 'agent') === 'agent' ? (call.abs_limit ?? ABSTRACT) : 0;
    const how = { abstract, sidecars: call.show_all_hidden === true };
    const lines = isOpen ? this.list(folder, levels, '', most, how) : [];
    return lines.length === 0 ? `(nothing in ${folder})` : lines.join('\n');
  }

  private read({ uri = '', offset = 0, limit = -1 }: BankLookupCall): string {
    const path = pathOf(uri);
    const isKnown = this.shown.has(path);
    const page = this.show(path);
    if (page === undefined) return `(there is no page ${path})`;
    const lines = page.text.replace(/\r?\n$/u, '').split('\n');
    const end = limit < 0 ? lines.length : offset + limit;
    const shown = lines.slice(Math.max(0, offset), end).map((line, index) => `${offset + index + 1}\t${line}`);
    // A page does not count as shown if the model read only a part of it. Only a model that has seen the whole page may
    // replace it.
    if (!isKnown && (offset > 0 || end < lines.length)) this.shown.delete(path);
    const { head } = page;
    return shown.length === 0 ? `${head}\n(no lines there: it has ${lines.length})` : `${head}\n${shown.join('\n')}`;
  }

  private async findAll(call: BankLookupCall): Promise<string> {
    const { query = '', target_uri = '', limit = 10, score_threshold = 0, filter = {} } = call;
    const { kinds, entities, tags, since, until, ...unknown } = filter;
    const [key] = Object.keys(unknown);
    if (key !== undefined) return `(filter has no ${key}: it has ${Object.keys(FILTER.shape).join(', ')})`;
    const below = workspacePath(target_uri);
    const paths = below === '' ? undefined : below.endsWith('.md') ? [below] : [`${below}/**`, `${below}.md`];
    const k = Math.min(MOST_RESULTS, Math.max(1, limit));
    const { results } = await this.find({ query, k, paths, kinds, entities, tags, since, until });
    const lines = results
      .filter(({ score }) => score >= score_threshold)
      .map(({ source, content, score }) => `${source} (${score}) ${content}`);
    return lines.length === 0 ? '(nothing found)' : lines.join('\n');
  }

  /**
   * Lists a folder.
   * @param how `abstract`: maximum length of the first sentence that is shown for a page, 0 for none; `sidecars`: whether to
   * list summaries of folders, too
   */
  private list(
    folder: string,
    levels: number,
    indent: string,
    most: number,
    how: { readonly abstract: number; readonly sidecars: boolean },
  ): readonly string[] {
    const lines: string[] = [];
    const entries = readdirSync(resolveContainedPath(this.bank.root, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (lines.length >= most) return [...lines, `${indent}…`];
      const path = posix.join(folder, entry.name);
      if (how.sidecars && isFolderSummary(path)) lines.push(`${indent}${entry.name}`);
      if (entry.name.startsWith('.') || entry.isSymbolicLink()) continue;
      if (entry.isDirectory()) {
        lines.push(`${indent}${entry.name}/`);
        if (levels > 1) lines.push(...this.list(path, levels - 1, `${indent}  `, most - lines.length, how));
      } else if (pageOfPath(path) !== undefined)
        lines.push(`${indent}${entry.name}${this.abstractOf(path, how.abstract)}`);
    }
    return lines;
  }

  private abstractOf(path: string, longest: number): string {
    const text = longest > 0 && path.startsWith('bank/') ? this.page(path)?.text : undefined;
    const abstract = text === undefined ? '' : abstractOf(path, text).abstract.slice(0, longest);
    return abstract === '' ? '' : `: ${abstract}`;
  }
}

function pathOf(uri: string): string {
  const path = posix.normalize(workspacePath(uri).replace(/#L\d.*$/u, ''));
  return path.endsWith('.md') ? path : `${path}.md`;
}

function cut(text: string): string {
  if (estimateTokens(text) <= MOST_TOKENS) return text;
  const kept = text.slice(0, Math.floor((text.length * MOST_TOKENS) / estimateTokens(text)));
  return `${kept}\n[… ${text.length - kept.length} characters left out: read it in parts …]`;
}
