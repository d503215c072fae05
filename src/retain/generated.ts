import { findManagedBlocks, replaceManagedBlock } from '../markdown/blocks.js';

const CITED = /(?<![\w-])[fo]-[0-9a-z]{13}(?![\w-])/g;
/** The heading of a section of a generated summary. */
const HEADING = /^\*\*[^*]+\*\*$/;

export interface WithoutGenerated {
  readonly text: string;
  /** Numbers, from 1, of the lines that are gone. */
  readonly lines: ReadonlySet<number>;
}

/**
 * A page without the lines of generated blocks that cite one of some facts or opinions. The blocks stay generated; those
 * that a person has edited stay as they are. Pure.
 */
export function withoutGenerated(text: string, ids: ReadonlySet<string>): WithoutGenerated {
  const lines = new Set<number>();
  let rest = text;
  for (const { name, state, startLine, content } of findManagedBlocks(text)) {
    if (state !== 'intact') continue;
    const all = content.split('\n');
    const kept = all.filter((line, i) => {
      const isCiting = (line.match(CITED) ?? []).some((id) => ids.has(id));
      if (isCiting) lines.add(startLine + 1 + i);
      return !isCiting;
    });
    if (kept.length < all.length) rest = replaceManagedBlock(rest, name, withoutEmptySections(kept)).text;
  }
  return { text: rest, lines };
}

function withoutEmptySections(lines: readonly string[]): string {
  const said = lines.filter((line) => line.trim() !== '');
  const empty = new Set(
    said.filter((line, i) => HEADING.test(line) && (said[i + 1] === undefined || HEADING.test(said[i + 1] ?? ''))),
  );
  return lines
    .filter((line) => !empty.has(line))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '');
}
