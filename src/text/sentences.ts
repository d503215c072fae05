/** Maximum number of characters that are read, because somebody may paste megabytes. */
const LOOKED_AT = 20_000;
const MOST_SENTENCES = 200;

const FENCE = /^\s*(?:```|~~~)/;
const ABBREVIATED =
  /(?:^|[\s(/])(?:e\.g|i\.e|etc|vs|cf|approx|no|nr|dr|mr|mrs|ms|st|z\.b|bzw|ca|\p{L}|(?:am|im|den|der|dem|des|die|das|zum|vom|ab|bis)\s\d{1,2})\.$/iu;

/** Splits a text into sentences. Leaves out list marks, quoted lines and fenced code. Pure. */
export function sentencesOf(text: string): readonly string[] {
  const found: string[] = [];
  for (const raw of removeFencedCode(text.slice(0, LOOKED_AT).split('\n'))) {
    const line = raw.trim();
    if (!/^(?:>|\||<[a-z/!])/i.test(line))
      found.push(...sentencesInLine(line.replace(/^(?:[-*+•#]+|\d{1,3}[.)])\s+/, '')));
    if (found.length >= MOST_SENTENCES) break;
  }
  return found;
}

/** Removes fenced code from lines. */
export function removeFencedCode(lines: readonly string[]): readonly string[] {
  let inFence = false;
  return lines.filter((line) => {
    const isFence = FENCE.test(line);
    if (isFence) inFence = !inFence;
    return !isFence && !inFence;
  });
}

/** The sentences of a line, in order, without the space between them. Pure. */
export function sentencesInLine(line: string): readonly string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const { index, 0: mark } of line.matchAll(/[.!?](?=["')\]]*\s)|[。！？；]/gu)) {
    const end = index + mark.length;
    const sentence = line.slice(from, end);
    if (mark === '.' && ABBREVIATED.test(sentence)) continue;
    sentences.push(sentence);
    from = end;
  }
  sentences.push(line.slice(from));
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** Whether a sentence asks something. Pure. */
export function isQuestion(sentence: string): boolean {
  return /[?？]["')\]]*\s*$/u.test(sentence);
}

/** The words and numbers of a text in order, in lower case, without the signs between them. Pure. */
export function lowerCaseWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
