import { beginsAsPredicate, hasVerb, isHan, tenseOf } from '../../language/words/states.js';

/** Where a part may end whatever follows: the marks, and a full stop before another sentence. */
const BETWEEN =
  /[;；。！]|(?<!\b(?:Dr|Mr|Mrs|Ms|St|Prof|No|Nr|vs|ca|Str|Jr|e\.g|i\.e|approx|\d{1,2}|[A-Z]))\.(?=\s+[\p{Lu}\p{Lo}\p{N}@"“])/gu;
/** Where one may end when what follows is said of the same subject. */
const WITHIN = /[,，、](?!\d)|\s(?:and|und|et)(?=\s)/g;
const ENCLOSED = /\([^()]*\)|（[^（）]*）|"[^"]*"|“[^”]*”|`[^`]*`|「[^」]*」|\[[^\]]*\]/g;
/** What only makes sense with the words before it. */
const LEANING =
  /^(?:and|but|or|so|because|which|who|whom|whose|when|while|if|as|then|than|also|up from|down from|instead|without|not (?!\w+ing)|more|only|though|although|until|unless|otherwise|und|aber|oder|weil|denn|sondern|et|mais|ou|car|但|但是|而|所以|因为|因此|并且?|而且|然后|不然|否则|其|该|这|那|它)(?![\w\u00c0-\u1fff])|^(?:但|而|所以|因为|并|然后|其|该|这|那|它)/i;
const DANGLING = /(?<![\w'’-])(?:they|them|their|this|that|these|those|there|it)(?![\w'’-])/i;
const CLAUSED =
  /(?<![\w'’-])(?:who|which|that(?! (?:over|up|off|on|in|out|back|aside|behind)\b)|whose|when|if|because|where|while)(?![\w'’-])/i;
const LONGEST = 600;

/**
 * The parts of a statement that each stand alone, in its order; the statement itself when it can't be divided. Pure.
 * @param hasSubject whether its subject is named before it, so that a verb may begin a part
 */
export function divideStatement(text: string, hasSubject: boolean): readonly string[] {
  if (text.length > LONGEST || !/[;；。！,，、.]|\sand\s|\sund\s|\set\s/.test(text)) return [text];
  const blanked = text.replace(ENCLOSED, (enclosed) => '_'.repeat(enclosed.length));
  const groups: { text: string; isLeaning: boolean }[] = [];
  for (const { text: piece, before } of cutAt(text, blanked, BETWEEN)) {
    const last = groups.at(-1);
    if (last === undefined || standsAlone(piece.trim(), last.text)) groups.push({ text: piece, isLeaning: false });
    else groups[groups.length - 1] = { text: `${last.text}${before}${piece}`, isLeaning: true };
  }
  return groups
    .flatMap(({ text: group, isLeaning }) => (hasSubject && !isLeaning ? divideWithin(group) : [group]))
    .map(trimmed)
    .filter((part) => part !== '');
}

function divideWithin(text: string): readonly string[] {
  const blanked = text.replace(ENCLOSED, (enclosed) => '_'.repeat(enclosed.length));
  const pieces = cutAt(text, blanked, WITHIN);
  const parts: string[] = [];
  for (const { text: piece, before } of pieces) {
    const last = parts.at(-1);
    const [bare, earlier] = [piece.trim(), (last ?? '').trim()];
    const isPart =
      last === undefined ||
      (beginsAsPredicate(bare) &&
        standsAlone(bare, earlier) &&
        !CLAUSED.test(earlier) &&
        // `Packed up and went to live in Cork` is one story.
        !(tenseOf(earlier) === 'past' && earlier.split(' ').length < 3) &&
        !/^(?:left|quit|resigned)$/.test(earlier) &&
        (beginsAsPredicate(earlier) ||
          (/^\p{Ll}+ed /u.test(earlier) && tenseOf(bare) === 'present') ||
          !hasVerb(earlier) ||
          (!isHan(earlier) && tenseOf(earlier) === 'none')));
    if (isPart) parts.push(piece);
    else parts[parts.length - 1] = `${last}${before}${piece}`;
  }
  return parts;
}

/** Whether a piece is understood without the one before it. */
function standsAlone(text: string, before: string): boolean {
  // Of several named ones, who is meant?
  if (/^(?:he|she|his|her|him)\b/i.test(text) && /\s\p{Lu}\p{Ll}/u.test(before)) return false;
  if (LEANING.test(text) || DANGLING.test(text) || /^(?:no longer|不再|没有|not)(?![\w\u00c0-\u1fff])/i.test(text)) {
    // `no longer drinks coffee` is said of the subject, `no longer tea only` of what was said before.
    return /^no longer\s+\w+s\b/i.test(text) && beginsAsPredicate(text.replace(/^no longer\s+/i, ''));
  }
  return text.length > 2 && hasVerb(text);
}

interface Piece {
  readonly text: string;
  /** What parts it from the one before. */
  readonly before: string;
}

function cutAt(text: string, blanked: string, at: RegExp): readonly Piece[] {
  const pieces: Piece[] = [];
  let [from, before] = [0, ''];
  for (const { 0: found, index } of blanked.matchAll(at)) {
    pieces.push({ text: text.slice(from, index), before });
    [from, before] = [index + found.length, found];
  }
  const rest = text.slice(from);
  if (rest.trim() !== '') pieces.push({ text: rest, before });
  else if (pieces.length > 0 && before !== '') {
    // The mark at the end is the last piece's own.
    const last = pieces.at(-1);
    if (last !== undefined) pieces[pieces.length - 1] = { ...last, text: `${last.text}${before}` };
  }
  return pieces;
}

function trimmed(part: string): string {
  return part.trim().replace(/^[,，、;；]\s*/, '');
}
