import { posix } from 'node:path';

/** Where a statement comes from: a message, a line or a file. */
export interface ExtractSource {
  /**
   * Path with the message or line, for example `sessions/chat-1/history/archive_001/messages.jsonl#m-12` or
   * `memory/2026-03-01.md#L12`.
   */
  readonly path: string;
  /** Text of the link to the source, for example `chat-1/archive_001`. */
  readonly label: string;
  /** Whether a person or the agent wrote the source. Tool output is not trusted. */
  readonly isTrusted: boolean;
  /** Set if the source is a whole file, because no single message was named. */
  readonly isWhole?: true;
}

const MOST_LINKS = 3;
const UNTRUSTED = ' [untrusted]';

/** Patterns for the end of an extracted statement: the links to its sources, and a mark if only tools said it. */
const LINK = String.raw`\[[^\]\n]*\]\([^)\n]*\)`;
const PLACE = String.raw`\[[^\]\n]*\](?:\([^)\n]*\))?`;
const EACH = new RegExp(PLACE, 'gu');
const TRAILING = new RegExp(
  String.raw` \((?:from ${PLACE}(?:, ${PLACE})*|${LINK}(?:, ${LINK})*)\)(?: \[untrusted\])?[ \t]*$`,
  'u',
);

/** Removes the links to sources that {@link withSources} appends to a line. Pure. */
export function withoutSources(line: string): string {
  return line.replace(TRAILING, '');
}

/**
 * Appends links to the sources of a statement: at most `MOST_LINKS`, the newest ones. If two links have the same label, the
 * second gets a number as label. Pure.
 */
export function withSources(line: string, page: string, sources: readonly ExtractSource[]): string {
  if (sources.length === 0) return line;
  const [tail = ''] = TRAILING.exec(line) ?? [];
  const before = tail.match(EACH) ?? [];
  const links = [...new Map(sources.map((source) => [source.path, source.label]))].slice(0, MOST_LINKS);
  const added = links.map(([path, label]) =>
    isInWorkspace(path) ? `[${label}](${relativeHref(page, path)})` : `[${label}]`,
  );
  const places = [...new Set([...before, ...added])].slice(-MOST_LINKS);
  const labels = places.map((place) => place.replace(/\](?:\(.*)?$/u, ']'));
  const all = places.map((place, index) => {
    const label = labels[index] ?? '';
    return labels.indexOf(label) === index ? place : `[${index + 1}]${place.slice(label.length)}`;
  });
  const mark = hasUntrustedSource(sources) || tail.includes(UNTRUSTED) ? UNTRUSTED : '';
  return `${withoutSources(line).trimEnd()} (from ${all.join(', ')})${mark}`;
}

/** Whether a source can be linked. Standard input and files outside the workspace are named without a link. */
function isInWorkspace(path: string): boolean {
  const [file = ''] = path.split('#', 1);
  return file.includes('.') && !/^(?:\/|\.\.|[A-Za-z]:)/u.test(file);
}

/** Whether a statement comes from tool output only. */
export function hasUntrustedSource(sources: readonly ExtractSource[]): boolean {
  return sources.length > 0 && sources.every(({ isTrusted }) => !isTrusted);
}

/** Relative link from a page to a path of the workspace. Pure. */
export function relativeHref(page: string, path: string): string {
  const [file = '', anchor] = path.split('#', 2);
  const relative = posix
    .relative(posix.dirname(page), file)
    .replace(/[\s()<>]/gu, (unit) => encodeURIComponent(unit).replace('(', '%28').replace(')', '%29'));
  return anchor === undefined ? relative : `${relative}#${anchor}`;
}

/**
 * Rewrites the links of a page after one page replaced another. Drops list items that would link the page to itself.
 * Pure.
 */
export function replaceLinks(text: string, page: string, from: string, to: string): string {
  const [old, now] = [relativeHref(page, from), relativeHref(page, to)];
  if (!text.includes(old)) return text;
  const kept =
    page === to
      ? text
          .split('\n')
          .filter((line) => !(line.startsWith('- [') && line.includes(`](${old}) – `)))
          .join('\n')
      : text;
  return kept.replaceAll(`](${old})`, `](${now})`).replaceAll(`"to_uri": "${old}"`, `"to_uri": "${now}"`);
}
