import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The pages of the documentation in reading order: the README, then those of `docs/` as it lists them. */
export const PAGES: readonly { readonly path: string; readonly text: string }[] = [
  { path: 'README.md', text: README },
  ...[...README.matchAll(/\]\((docs\/[\w-]+\.md)\)/g)].map(([, path = '']) => ({
    path,
    text: readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'),
  })),
];

export interface Block {
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks of a text, in order. */
export function blocks(text: string): readonly Block[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

/** The rows of the table of a page whose first heading is `heading`, cell by cell, without the heading rows. */
export function table(path: string, heading: string): readonly (readonly string[])[] {
  const lines = PAGES.find((page) => page.path === path)?.text.split('\n') ?? [];
  const start = lines.findIndex((line) => cells(line)[0] === heading);
  if (start < 0) throw new Error(`${path} has no table "${heading}"`);
  const rows = lines.slice(start + 2);
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith('|')),
    )
    .map(cells);
}

function cells(line: string): readonly string[] {
  return line.startsWith('|')
    ? line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim())
    : [];
}

/** The `code` spans of a cell. */
export function code(cell: string | undefined): readonly string[] {
  return [...(cell ?? '').matchAll(/`([^`]*)`/g)].map(([, text = '']) => text);
}
