import { lineHash } from '../../src/extract/page/ownership.js';

/** Returns pages with the record that extraction wrote all their lines. */
export function writtenByUs(pages: Readonly<Record<string, string>>): Record<string, string> {
  const lines = Object.entries(pages).map(([page, text]) => {
    const lines = text.split(/\r\n|\n/).map(lineHash);
    return `${JSON.stringify({ document: 'earlier', content: '', page, before: null, after: null, lines })}\n`;
  });
  return { ...pages, 'bank/.applied.jsonl': lines.join('') };
}
