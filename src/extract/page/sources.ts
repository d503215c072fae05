import { posix } from 'node:path';

/** Where a statement is from. */
export interface Source {
  /** For example `sessions/chat-1/history/archive_001/messages.jsonl#m-12` or `memory/2026-03-01.md#L12`. */
  readonly path: string;
  /** What a person reads: `chat-1/archive_001`. */
  readonly label: string;
  /** Whether a person or the agent said it; what a tool printed is anybody's text. */
  readonly isTrusted: boolean;
  /** It is all that was extracted from: nobody said which message says so. */
  readonly isWhole?: true;
}

const MOST_LINKS = 3;
const UNTRUSTED = ' [untrusted]';

/** What stands behind a statement that was extracted: its links, and whether it is only what a tool printed. */
const LINK = String.raw`\[[^\]\n]*\]\([^)\n]*\)`;
const PLACE = String.raw`\[[^\]\n]*\](?:\([^)\n]*\))?`;
const EACH = new RegExp(PLACE, 'gu');
const TRAILING = new RegExp(
  String.raw` \((?:from ${PLACE}(?:, ${PLACE})*|${LINK}(?:, ${LINK})*)\)(?: \[untrusted\])?[ \t]*$`,
  'u',
);

/** A line without what {@link withSources} put behind it. Pure. */
export function withoutSources(line: string): string {
  return line.replace(TRAILING, '');
}

/** A statement with links to where it is from, the newest if it has many; places of one source are numbered. Pure. */
export function withSources(line: string, page: string, sources: readonly Source[]): string {
  if (sources.length === 0) return line;
  const [tail = ''] = TRAILING.exec(line) ?? [];
  const before = tail.match(EACH) ?? [];
  const links = [...new Map(sources.map((source) => [source.path, source.label]))].slice(0, MOST_LINKS);
  const added = links.map(([path, label]) =>
    isInWorkspace(path) ? `[${label}](${hrefOf(page, path)})` : `[${label}]`,
  );
  const places = [...new Set([...before, ...added])].slice(-MOST_LINKS);
  const labels = places.map((place) => place.replace(/\](?:\(.*)?$/u, ']'));
  const all = places.map((place, index) => {
    const label = labels[index] ?? '';
    return labels.indexOf(label) === index ? place : `[${index + 1}]${place.slice(label.length)}`;
  });
  const mark = isUntrusted(sources) || tail.includes(UNTRUSTED) ? UNTRUSTED : '';
  return `${withoutSources(line).trimEnd()} (from ${all.join(', ')})${mark}`;
}

/** What came on standard input, or from a file elsewhere, is named and not linked. */
function isInWorkspace(path: string): boolean {
  const [file = ''] = path.split('#', 1);
  return file.includes('.') && !/^(?:\/|\.\.|[A-Za-z]:)/u.test(file);
}

/** Whether all that is known of a statement is what tools printed. */
export function isUntrusted(sources: readonly Source[]): boolean {
  return sources.length > 0 && sources.every(({ isTrusted }) => !isTrusted);
}

/** The relative link from a page to another path of the workspace. Pure. */
export function hrefOf(page: string, path: string): string {
  const [file = '', anchor] = path.split('#', 2);
  const relative = posix
    .relative(posix.dirname(page), file)
    .replace(/[\s()<>]/gu, (unit) => encodeURIComponent(unit).replace('(', '%28').replace(')', '%29'));
  return anchor === undefined ? relative : `${relative}#${anchor}`;
}

/** A page whose links to one page lead to another; what would be a link to itself goes. Pure. */
export function redirected(text: string, page: string, from: string, to: string): string {
  const [old, now] = [hrefOf(page, from), hrefOf(page, to)];
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
