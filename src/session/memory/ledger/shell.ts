import { wordSet } from '../../../language/tokens.js';

/** One program that a command line starts. */
export interface ShellCommand {
  /** Its name and arguments, without quotes. */
  readonly words: readonly string[];
  /** The files to which its output goes. */
  readonly writes: readonly string[];
  /** The operator after the command: `;` also stands for the end of a line, and '' for the end of the whole text. */
  readonly then: '&&' | '||' | '|' | ';' | '&' | '';
}

/** Maximum number of characters that are read. What follows in a longer command is mostly text, not commands. */
const LOOKED_AT = 8_000;
const HERE_DOCUMENT = /<<-?[ \t]*(["']?)([\w.-]+)\1([^\n]*)(?:((?:\n[^\n]*)*?)\n[ \t]*\2[ \t]*(?=\n|$)|([\s\S]*)$)/gu;
/** Maximum number of characters of a here-document that are kept. */
const MOST_INPUT = 500;
const WORD =
  /(?:\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"?|'[^']*'?|`[^`]*`?|\$\((?:[^()]|\([^()]*\))*\)?|(?![)}](?:[\s;|&)]|$))[^\s;&|<>("'`\\])+/u;
/** Matches a comment, a redirection with its file, an operator, or a word with its quotes. */
const TOKEN = new RegExp(
  String.raw`#[^\n]*|(&>>?|\d?>>?\|?|<+)(?:&\d|[ \t]*(${WORD.source}))?|(&&|\|\||\||&|;|\n|[(){}](?=[\s;|&)]|$)|\()|(${WORD.source})`,
  'gu',
);
/** Matches a command substitution. Its output is unknown. */
const INNER = /`[^`]*`?|\$\((?:[^()]|\([^()]*\))*\)?/u;
const QUOTED = new RegExp(
  String.raw`'([^']*)'?|"((?:\\[\s\S]|[^"\\])*)"?|\\(["'\s\\$;&|<>()*?#])|${INNER.source}`,
  'gu',
);
const ESCAPED = new RegExp(String.raw`\\(["\\$])|${INNER.source}`, 'gu');
const OPERATORS = ['&&', '||', '|', '&'] as const;
/** Keywords of the shell that may stand before a command. */
const GRAMMAR = wordSet('if then else elif do while until time ! { ( done fi }');

/**
 * Parses a shell command. Skips comments and the content of `$(…)`, whose output is unknown. Pure.
 */
export function parseShellCommand(command: string): readonly ShellCommand[] {
  const text = command
    .slice(0, LOOKED_AT)
    .replace(/\\\r?\n/gu, ' ')
    .replace(HERE_DOCUMENT, asWord);
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  let writes: string[] = [];
  const end = (then: ShellCommand['then']): void => {
    while (GRAMMAR.has(words[0] ?? '')) words.shift();
    if (words.length > 0 || writes.length > 0) commands.push({ words, writes, then });
    [words, writes] = [[], []];
  };
  for (const [, redirect, file, sign, word] of text.matchAll(TOKEN)) {
    if (word !== undefined) words.push(withoutQuotes(word));
    else if (sign !== undefined) end(OPERATORS.find((each) => each === sign) ?? ';');
    // `2>&1` only joins two outputs, so there is no file.
    else if (file !== undefined && /^[>1]/u.test(redirect ?? '')) writes.push(withoutQuotes(file));
  }
  end('');
  return commands;
}

/** Makes a here-document a word of its command: if the program runs scripts, it is the script. */
function asWord(_: string, _quote: string, _mark: string, rest: string, text?: string, open = ''): string {
  return ` '${(text ?? open).slice(0, MOST_INPUT).replaceAll("'", '"')}'${rest}`;
}

function withoutQuotes(word: string): string {
  return word.replace(QUOTED, (_, plain?: string, quoted?: string, escaped?: string) => {
    const said = quoted?.replace(ESCAPED, (__, sign?: string) => sign ?? '$()');
    return plain ?? said ?? escaped ?? '$()';
  });
}
