/** The kinds of facts, by the letter of a bullet, with their names elsewhere. All that knows kinds has them from here. */
export const KIND_NAMES = { W: 'world', B: 'experience', O: 'opinion', S: 'observation' } as const;

export type FactKind = keyof typeof KIND_NAMES;
export type FactKindName = (typeof KIND_NAMES)[FactKind];

export const FACT_KIND_NAMES: readonly FactKindName[] = Object.values(KIND_NAMES);

/** `WBOS`, for the class of a pattern. */
export const KIND_LETTERS = Object.keys(KIND_NAMES).join('');

const KINDS = Object.keys(KIND_NAMES).filter(isFactKind);

export function isFactKind(letter: string): letter is FactKind {
  return Object.hasOwn(KIND_NAMES, letter);
}

export function kindName(kind: FactKind): FactKindName {
  return KIND_NAMES[kind];
}

/** The letter of a kind's name; `-` for what is no fact. */
export function kindLetter(name: string): FactKind | '-' {
  return KINDS.find((kind) => KIND_NAMES[kind] === name) ?? '-';
}

/** What the host OpenClaw writes behind a line that it copies into the core file. */
const TAIL =
  /\s*\[score=[\d.]{1,9}(?: [a-z]{1,20}=[^\s\]]{1,40})*? source=([^\s\]]{1,300}?)(?::(\d+)(?:-\d+)?)?\](?=(?: ?<!--[^<>]{0,200}-->)* ?$)/;

export type Promoted = ReturnType<typeof readPromoted>;

/**
 * A line that was promoted, without its tail, and the path of the file that it was copied from; undefined for a line that
 * the host did not promote. Pure.
 */
export function readPromoted(line: string) {
  const source = line.includes('[score=') ? TAIL.exec(line)?.[1] : undefined;
  return source === undefined ? undefined : { text: line.replace(TAIL, ''), source };
}
