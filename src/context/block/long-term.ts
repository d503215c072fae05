import type { Field } from '../../recall/relevance.js';
import type { RecallResult } from '../../recall/request.js';
import { isExperiencePath } from './experiences.js';
import { safeLine } from './safe-text.js';

/** A memory that may be injected. */
export interface Memory {
  readonly id: string;
  /** What is in brackets before it: `profile`, `world`, `entity`, … */
  readonly category: string;
  readonly content: string;
  /** `path#Lline` */
  readonly source: string;
  readonly score: number;
}

/** How much of what is asked a text answers, 0..1: by its words, or by what its page, or a line of it, means. */
export type Score = (fields: readonly Field[], path: string, line?: number) => number;

/**
 * The memories of an answer that are worth injecting, in its order: what holds, never experiences, never overviews, one
 * a page.
 */
export function pickMemories(
  results: readonly RecallResult[],
  scoreOf: Score,
  { threshold, typed }: { readonly threshold: number; readonly typed: boolean },
): readonly Memory[] {
  const pages = new Set<string>();
  const said = new Set<string>();
  const picked: Memory[] = [];
  for (const result of results) {
    const { id, kind, path, source, superseded, beside } = result;
    if (isExperiencePath(path, typed) || kind === 'summary' || superseded !== undefined || beside !== undefined)
      continue;
    const content = safeLine(result.content);
    const score = scoreOf(fieldsOf(result), path, result.startLine);
    if (content === '' || score < threshold || pages.has(path) || said.has(content.toLowerCase())) continue;
    pages.add(path);
    said.add(content.toLowerCase());
    picked.push({ id, category: safeLine(categoryOf(result)), content, source: safeLine(source), score });
  }
  return picked;
}

function fieldsOf({ content, entities, heading, title }: RecallResult): readonly Field[] {
  return [
    { text: [content, ...entities].join('\n'), weight: 1 },
    { text: [...(heading ?? []), title ?? ''].join('\n'), weight: 0.5 },
  ];
}

function categoryOf({ pageType, kind }: RecallResult): string {
  return pageType ?? kind;
}

export function renderMemory({ category, content, source }: Memory): string {
  return `- [${category}] ${content} (${source})`;
}
