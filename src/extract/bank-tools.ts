import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import * as z from 'zod';
import { pageAt } from '../memory/pages.js';
import type { Tool } from '../model/model.js';
import type { RecallAnswer, RecallRequest } from '../recall/request.js';
import { decodeBytes } from '../text/bytes.js';
import { estimateTokens } from '../text/tokens.js';
import { containedPath } from '../workspace/contained.js';
import { readVersion } from '../workspace/files.js';
import type { PageRef } from './operations/document.js';
import { workspacePath } from './page/uri.js';

/** Finds in the memory, as `recall` does. */
export type Find = (request: RecallRequest) => Promise<Pick<RecallAnswer, 'results'>>;

/** The same for some questions, in their order: the files are looked at once. */
export type FindAll = (requests: readonly RecallRequest[]) => AsyncIterable<Pick<RecallAnswer, 'results'>>;

const COMMON = {
  output: z.string().optional(),
  abs_limit: z.int().optional(),
  show_all_hidden: z.boolean().optional(),
  node_limit: z.int().optional(),
};
const READ = z.object({ uri: z.string(), offset: z.int().optional(), limit: z.int().optional() });
const FIND = z.object({
  query: z.string(),
  target_uri: z.string().optional(),
  limit: z.int().optional(),
  score_threshold: z.number().optional(),
  filter: z.record(z.string(), z.unknown()).optional(),
});
const LS = z.object({ uri: z.string(), ...COMMON });
const TREE = z.object({ uri: z.string().optional(), ...COMMON, level_limit: z.int().optional() });

/** The arguments of a call; each tool has its own. */
export interface BankCall {
  readonly uri?: string | undefined;
  readonly query?: string | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly target_uri?: string | undefined;
  readonly score_threshold?: number | undefined;
  readonly node_limit?: number | undefined;
  readonly level_limit?: number | undefined;
}

/** What a model may ask for before it answers. All of it only reads. */
export const BANK_TOOLS: readonly Tool<BankCall>[] = [
  {
    name: 'read',
    description: 'A page, with line numbers. offset: lines to leave out; limit: most lines, -1 for all.',
    schema: READ,
  },
  { name: 'find', description: 'Statements of the memory about a query, best first.', schema: FIND },
  { name: 'ls', description: 'The pages and folders in a folder.', schema: LS },
  { name: 'tree', description: 'The pages and folders below a folder.', schema: TREE },
];

const MOST_RESULTS = 50;
const MOST_NODES = 1_000;
const MOST_TOKENS = 4_000;

/** The pages that a model has been shown, by number, and what it asks for. */
export class BankReader {
  private readonly shown = new Map<string, PageRef>();
  private readonly numbers = new Map<string, number>();

  constructor(
    private readonly root: string,
    private readonly find: Find,
  ) {}

  /** The pages whose text was shown whole. */
  get pages(): readonly PageRef[] {
    return [...this.shown.values()];
  }

  /** A page with the number that it has from then on; undefined when there is none. */
  show(path: string): { readonly number: number; readonly text: string } | undefined {
    const version = this.version(path);
    if (version === undefined) return undefined;
    const number = this.numbers.get(path) ?? this.numbers.size + 1;
    this.numbers.set(path, number);
    this.shown.set(path, { page_id: number, path, hash: version.hash.slice(0, 16) });
    return { number, text: decodeBytes(version.bytes) };
  }

  /** The text of a page, for nobody to see. */
  peek(path: string): string | undefined {
    const version = this.version(path);
    return version === undefined ? undefined : decodeBytes(version.bytes);
  }

  /** What a call comes to, in words. Never throws: what can't be done is said. */
  async answer(tool: string, call: BankCall): Promise<string> {
    try {
      return cut(await this.carryOut(tool, call));
    } catch (error) {
      return `(${error instanceof Error ? error.message : String(error)})`;
    }
  }

  private async carryOut(tool: string, call: BankCall): Promise<string> {
    if (tool === 'find') return this.findAll(call);
    if (tool === 'read') return this.read(call);
    const folder = workspacePath(call.uri ?? 'bank') || 'bank';
    const levels = tool === 'tree' ? (call.level_limit ?? 3) : 1;
    const lines = this.list(folder, levels, '', Math.min(MOST_NODES, Math.max(1, call.node_limit ?? MOST_NODES)));
    return lines.length === 0 ? `(nothing in ${folder})` : lines.join('\n');
  }

  private read({ uri = '', offset = 0, limit = -1 }: BankCall): string {
    const path = pathOf(uri);
    const page = this.show(path);
    if (page === undefined) return `(there is no page ${path})`;
    const lines = page.text.replace(/\r?\n$/u, '').split('\n');
    const end = limit < 0 ? lines.length : offset + limit;
    const shown = lines.slice(Math.max(0, offset), end).map((line, index) => `${offset + index + 1}\t${line}`);
    // Only who has read all of a page may replace it.
    if (offset > 0 || end < lines.length) this.shown.delete(path);
    const head = `page ${page.number}: ${path}`;
    return shown.length === 0 ? `${head}\n(no lines there: it has ${lines.length})` : `${head}\n${shown.join('\n')}`;
  }

  private async findAll({ query = '', target_uri = '', limit = 10, score_threshold = 0 }: BankCall): Promise<string> {
    const { results } = await this.find({ query, k: Math.min(MOST_RESULTS, Math.max(1, limit)) });
    const below = workspacePath(target_uri);
    const lines = results
      .filter(({ path, score }) => (below === '' || path.startsWith(below)) && score >= score_threshold)
      .map(({ source, content, score }) => `${source} (${score}) ${content}`);
    return lines.length === 0 ? '(nothing found)' : lines.join('\n');
  }

  private list(folder: string, levels: number, indent: string, most: number): readonly string[] {
    const lines: string[] = [];
    for (const entry of readdirSync(containedPath(this.root, folder), { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      if (lines.length >= most) return [...lines, `${indent}…`];
      const path = posix.join(folder, entry.name);
      if (entry.name.startsWith('.') || entry.isSymbolicLink()) continue;
      if (entry.isDirectory()) {
        lines.push(`${indent}${entry.name}/`);
        if (levels > 1) lines.push(...this.list(path, levels - 1, `${indent}  `, most - lines.length));
      } else if (pageAt(path) !== undefined) lines.push(`${indent}${entry.name}`);
    }
    return lines;
  }

  /** Only what is indexed may be read: no settings, keys or state. */
  private version(path: string) {
    return pageAt(path) === undefined ? undefined : readVersion(containedPath(this.root, path));
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
