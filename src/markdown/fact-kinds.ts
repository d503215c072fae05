/** The kinds of facts: the letter of a bullet, and the name used elsewhere. */
export const KIND_NAME_OF_LETTER = { W: 'world', B: 'experience', O: 'opinion', S: 'observation' } as const;

export type FactKind = keyof typeof KIND_NAME_OF_LETTER;
export type FactKindName = (typeof KIND_NAME_OF_LETTER)[FactKind];

export const FACT_KIND_NAMES: readonly FactKindName[] = Object.values(KIND_NAME_OF_LETTER);

/** All letters of kinds in one string, `WBOS`. It is used inside `[…]` in regular expressions. */
export const KIND_LETTERS = Object.keys(KIND_NAME_OF_LETTER).join('');

const KINDS = Object.keys(KIND_NAME_OF_LETTER).filter(isFactKind);

export function isFactKind(letter: string): letter is FactKind {
  return Object.hasOwn(KIND_NAME_OF_LETTER, letter);
}

export function kindName(kind: FactKind): FactKindName {
  return KIND_NAME_OF_LETTER[kind];
}

/** The letter of a kind's name; `-` for any other name. */
export function kindLetter(name: string): FactKind | '-' {
  return KINDS.find((kind) => KIND_NAME_OF_LETTER[kind] === name) ?? '-';
}

/** The note that the host OpenClaw writes after a line that it copies into the core file. */
const TAIL =
  /\s*\[score=[\d.]{1,9}(?: [a-z]{1,20}=[^\s\]]{1,40})*? source=([^\s\]]{1,300}?)(?::(\d+)(?:-\d+)?)?\](?=(?: ?<!--[^<>]{0,200}-->)* ?$)/;

export type PromotedLine = ReturnType<typeof readPromotedLine>;

/**
 * Reads a line that the host OpenClaw copied into the core file. Returns its text without the note of the host, and the
 * path of the file that the line was copied from. Undefined for any other line. Pure.
 */
export function readPromotedLine(line: string) {
  const source = line.includes('[score=') ? TAIL.exec(line)?.[1] : undefined;
  return source === undefined ? undefined : { text: line.replace(TAIL, ''), source };
}
