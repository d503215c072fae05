import { COMMON_HAN } from '../../language/scripts.js';
import { overIn } from '../../language/statements/endings.js';
import { isHan } from '../../language/words/states.js';
import { replacementTerms } from '../supersession/ended-value.js';
import { isVague } from './values.js';

/** What a statement says is over, by the words of it. */
export interface Over {
  readonly terms: readonly string[];
  /** In a script without spaces. */
  readonly text: string;
}

/** Reads what a statement says is over: `sold the piano`, 狗去世了. Undefined where it says no such thing. Pure. */
export function readOver(text: string): Over | undefined {
  const rest = overIn(text);
  if (rest === undefined) return undefined;
  const terms = replacementTerms(rest).filter(
    (term) => /^[\x00-\x7f]{3,}$|^[^\x00-\x7f]/.test(term) && term.length > 1 && !isVague(term),
  );
  const bare = rest.replace(/\s+/g, '');
  return terms.length === 0 && !isHan(bare) ? undefined : { terms, text: bare };
}

/** Of several, which one is over? */
const SEVERAL =
  /\b(?:two|three|four|five|several|many|zwei|drei|vier|deux|trois|dos|tres|due|tre)\b|[两三四五几][只条辆个]/i;
/** `The dentist is Dr. Ott` says who that is: what is cancelled is an appointment. */
const WHO = /^(?:the|her|his|their|der|die|das|le|la|el|il) \S+ (?:is|are|ist|est|es|è) /i;

/** Whether an earlier statement is of what is over: it has all its words, or all but one of several. */
export function isOfOver(over: Over, earlier: string, terms: ReadonlySet<string>): boolean {
  if (SEVERAL.test(earlier) || WHO.test(earlier)) return false;
  if (isHan(over.text) && isHan(earlier)) return holdsHan(over.text, earlier);
  // Who `finished the report` still `reports to Mira`.
  const verb = /ing(?![a-z])/.test(over.text) ? '' : (/^(\p{Ll}+s) /u.exec(earlier)?.[1] ?? '');
  const [done] = replacementTerms(verb);
  const things = [...terms].filter((term) => term !== done);
  const held = over.terms.filter((term) => things.some((other) => isForm(term, other))).length;
  const lacking = over.terms.length - held;
  return held > 0 && (lacking === 0 || (held > 1 && lacking === 1));
}

function holdsHan(over: string, earlier: string): boolean {
  if (over.length < 3) return earlier.includes(over);
  const pairs = Array.from({ length: over.length - 1 }, (_, at) => over.slice(at, at + 2));
  return pairs.some((pair) => !NO_MATTER.test(pair) && earlier.includes(pair));
}

/** The same word, or another form of it: скрипке, скрипку. */
function isForm(one: string, other: string): boolean {
  if (one === other) return true;
  const least = Math.max(4, Math.max(one.length, other.length) - 2);
  return one.length >= least && other.length >= least && one.slice(0, least) === other.slice(0, least);
}

/** What no matter is made of: other signs than Chinese ones, and those of times and amounts. */
const NO_MATTER = new RegExp(`[^${COMMON_HAN}]|[月日号年点个]`);

/** `Kafka换成Pulsar`, `replaced Kafka with Pulsar` */
const SWAP =
  /(?:^|[从由把将])([A-Za-z][\w.+-]*)(?:已|全部|被)?(?:换成|换为|改成|改用|替换[为成]|取代)|\b(?:replaced|swapped|dropped|ditched) ([A-Z][\w.+-]*) (?:with|by|for|in favou?r of)\b/;

/** Whether a statement tells that what an earlier one names has been swapped for something else. Pure. */
export function tellsOfSwap(text: string, earlier: string): boolean {
  const found = SWAP.exec(text);
  const old = (found?.[1] ?? found?.[2])?.toLowerCase();
  return (
    old !== undefined &&
    earlier
      .toLowerCase()
      .split(/[^\w.+-]+/)
      .includes(old)
  );
}
