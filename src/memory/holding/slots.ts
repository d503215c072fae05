import { SMALL_WORDS } from '../../language/words/attributes.js';
import { stemOf } from '../../language/words/forms.js';
import { nowPattern } from '../../language/words/now.js';
import { isHan } from '../../language/words/states.js';
import { valuesOf } from './values.js';

/** A statement with its values taken out: `plays for {}`, `the landlady is {}`. */
export interface Slots {
  /** Its other words, whichever comes first: `Mona is the landlady` is of what `the landlady is Mona` is of. */
  readonly frame: string;
  /** A verb and where: `teaches at {}`, `rents from {}`. Of such there is mostly one. */
  readonly isPlaced: boolean;
}

const SLOT = '{}';
/** Since when something is so is no part of what is so. */
const SINCE =
  /\b(?:since|as of|from|starting) (?:(?:the|this|next|last|his|her|their) )?\S+$|\bseit (?:(?:dem|der|diesem|dieser|letzte[mnr]) )?\S+$|\bdepuis (?:(?:le|la|ce|cette) ?)?\S+$|\b(?:instead|of late|from now on|from here on|ab jetzt|à partir de maintenant)$/i;
const TITLE = /\b(?:Dr|Mrs?|Ms|Prof|St|Herr|Frau|Mme|Mlle|M|coach|aunt|uncle)\.? (?=\{\})/gi;
/** `Bought the house and is the landlady`: how somebody came to be so is told before it. */
const LEFT = /^(?:left|quit|resigned)\b.{0,40} and (?=\S+s )/;
const BECAME = /^(\p{Lu}\S*(?: \p{Lu}\S*)*) .{1,60}\b(?:and|und|et) (?=(?:is|ist|est) )/u;
const PLACED = /^\S+s (?:for|at|from|under|by|on the \S+ of) \{\}$/;
const OFTEN = /^(?:votes|cooks|waits|cares|shops|eats|stops|writes|volunteers|speaks|looks|asks|pays|hopes)\b/;

/** Takes the names and numbers out of a statement; undefined where it has none, or nothing else. Pure. */
export function slotsOf(text: string): Slots | undefined {
  const values = valuesOf(text);
  if (values.size === 0 || isHan(text)) return undefined;
  const bare = text.replace(BECAME, '$1 ').replace(LEFT, '').replace(nowPattern(), ' ').trim();
  let open = bare.replace(SINCE, ' ');
  for (const value of [...values].sort((a, b) => b.length - a.length)) open = withoutValue(open, value);
  open = open
    .replace(TITLE, '')
    .replace(/\{\}(?:[ ,&]*\{\})+/g, SLOT)
    .replace(/\s+/g, ' ')
    .trim();
  const words = (open.toLowerCase().match(/[\p{L}’'-]+|\{\}/gu) ?? []).filter((word) => !isSmall(word));
  if (words.length < 2 || !words.includes(SLOT)) return undefined;
  return {
    frame: words.map(stemOf).sort().join(' '),
    isPlaced: PLACED.test(open) && !OFTEN.test(open),
  };
}

function isSmall(word: string): boolean {
  return word !== SLOT && (SMALL_WORDS.has(word) || /^(?:is|are|was|ist|est|sind)$/.test(word));
}

function withoutValue(text: string, value: string): string {
  const lower = text.toLowerCase();
  const at = lower.indexOf(value);
  return at < 0 ? text : `${text.slice(0, at)}${SLOT}${text.slice(at + value.length)}`;
}
