import type { PromptForm } from '../model/answer.js';
import { displayWidth } from '../text/tokens.js';

/**
 * Our marks for bold, dim and highlighted text, each with its escape sequence of the terminal. The marks are noncharacters, which
 * ordinary text does not contain.
 */
const STYLES: Readonly<Record<string, string>> = {
  '\ufdd0': '\u001b[1m',
  '\ufdd1': '\u001b[22m',
  '\ufdd2': '\u001b[2m',
  '\ufdd3': '\u001b[22m',
  '\ufdd4': '\u001b[33m',
  '\ufdd5': '\u001b[39m',
};

/**
 * Adds style marks to text; without colours the text stays as it is. {@link toPrintable} turns the marks into escape
 * sequences.
 */
export function createStyleMarkers(colour: boolean) {
  const style = (open: string, close: string) => (text: string) =>
    colour && text !== '' ? `${open}${text}${close}` : text;
  return { bold: style('\ufdd0', '\ufdd1'), dim: style('\ufdd2', '\ufdd3'), hit: style('\ufdd4', '\ufdd5') };
}

/** Control characters except line ends and tabs, and marks that change the order in which text is shown. */
const UNSAFE =
  /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdd5]/gu;

/**
 * Makes a text safe for any terminal. Characters that move the cursor, colour the screen or reverse the text are
 * escaped as in JSON (`\u001b`), so that JSON keeps its meaning.
 * @param isStyled turns the marks of {@link createStyleMarkers} into styles
 */
export function toPrintable(text: string, isStyled = false): string {
  return text.replace(UNSAFE, (sign) => {
    const style = isStyled ? STYLES[sign] : undefined;
    return style ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/**
 * Wraps a text between words, with the same indent before each line. A word that is too long has a line of its own. Pure.
 * @param columns width of the terminal; undefined leaves the lines of the text as they are
 */
export function wrapText(text: string, indent: string, columns: number | undefined): string {
  if (columns === undefined) return indent + text;
  const room = Math.max(columns - indent.length, 20);
  const lines: string[] = [];
  for (const word of text.split(/[ \t]+/u)) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && displayWidth(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => indent + line).join('\n');
}

/** Formats a count: `1 message`, `2 messages`. */
export function formatNumberOf(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

/** Formats a question for the calling agent's own model as one text. */
export function formatPrompt({ system, user, schema, schemaName }: PromptForm): string {
  return `${system}\n\n${user}\n\nJSON schema of the answer (${schemaName}):\n${JSON.stringify(schema)}\n`;
}
