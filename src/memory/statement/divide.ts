import { HAN, KATAKANA } from '../../language/scripts.js';

/** A part of a statement that can end apart, as it stands in the text. */
export interface Piece {
  readonly from: number;
  readonly to: number;
}

/** Where a clause may end, and where one of several things that are told alike does. */
const JOINT = new RegExp(
  String.raw`[;；。！!]|(?<!\b(?:Dr|Mr|Mrs|Ms|St|No|Nr|vs|ca|\p{Lu}|\d{1,2}))\.(?=\s+[\p{Lu}\p{Lo}\p{N}@"“])|[,，、](?!\s*\d)(?:\s*(?:and|und|et|en|y|e|и)(?=\s))?|\s(?:and|und|et|en|y|e|и)(?=\s)|(?<=[${KATAKANA}])と(?=[${KATAKANA}])|(?<=[${HAN}])和(?=[${HAN}])`,
  'gu',
);
const ENCLOSED = /\([^()]*\)|（[^（）]*）|"[^"]*"|“[^”]*”|`[^`]*`|「[^」]*」|\[[^\]]*\]/g;
const TELLS = /\p{L}{2}|\p{Lo}|\d/u;
const LONGEST = 600;
const MOST_PARTS = 12;
/** Two names are one: `Mercer and Poole`. */
const NAME_BEFORE = /(?:^|\s)\p{Lu}\p{Ll}+$/u;
const NAME_AFTER = /^\s*\p{Lu}\p{Ll}+(?:\s|$)/u;

/** One of these is in every joint. */
const MAY_JOIN = /[^\0-\x7f]|[;!,]|\.\s|\s(?:and|und|et|en|y|e)\s/i;

/** The parts of a statement in its order; they cover it, but for what joins them. Pure, linear in the text. */
export function divide(text: string): readonly Piece[] {
  if (text.length > LONGEST || !MAY_JOIN.test(text)) return [{ from: 0, to: text.length }];
  const blanked = text.replace(ENCLOSED, (enclosed) => '_'.repeat(enclosed.length));
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: joint, index } of blanked.matchAll(JOINT)) {
    const [before, after] = [blanked.slice(from, index), blanked.slice(index + joint.length)];
    if (!TELLS.test(before) || !TELLS.test(after) || pieces.length + 1 >= MOST_PARTS) continue;
    if (/^\s/.test(joint) && NAME_BEFORE.test(before) && NAME_AFTER.test(after)) continue;
    pieces.push({ from, to: index });
    from = index + joint.length;
  }
  return [...pieces, { from, to: text.length }];
}
