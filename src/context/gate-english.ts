import { wordSet } from '../language/tokens.js';
import { IRREGULAR_FORMS, matchVerbForm, type VerbForm } from '../language/words/forms.js';
import { ENGLISH_STOP_WORDS } from '../language/words/stop.js';
import type { ActionHit, SentenceKind } from './gate-text.js';
import * as vocabulary from './gate-words.js';

/** Words that may stand between the start of a clause and the verb of an order. */
const FILLERS = wordSet(
  `please pls now just also kindly then first next finally quickly simply go ahead immediately asap ok okay yes yeah yep yup sure so right
   hi hello hey team all guys everyone folks there thanks lets let's let us me again already maybe well por favor bitte svp - §`,
);
const JOINERS = wordSet('and or then plus & but please');
const MODALS = wordSet(
  "can could will would should must shall may might gotta gonna help let let's lets i'd needs need",
);
/** Words before a `to` that introduces an order: `we need to deploy`, `I want you to fix it`. */
const TO_LEADS = wordSet(
  'need needs want wants have has got ought free going you like us time try remember forget sure me asked trying him',
);
const SUBJECTS = wordSet('you we someone somebody u');
/** Words that show that the next word is not the verb of an order: `the build`, `kind of test`, `was run`. */
const BEFORE_NOUN = wordSet(
  'the a an this that these those of my our your its each every any no some was were is are been',
);
const NOUN_AFTER = wordSet('is was are were has had of will would can could should may might must');
/**
 * Words that often follow the verb of an order, as `the` in `draft the report`. If such a word follows a word that is in no
 * list, the unlisted word may be the verb of an order.
 */
const AT_HAND = wordSet('the all these those this that my our your its each every both it them §');
/** Words that refer to a thing that is already known: `the` in `fix the build`. `a` is no such word. */
const THIS_ONE = wordSet('the this that these those our its it them');
const ANY_ONE = wordSet('any a an');
/** Verbs that ask for an answer in words or name an everyday activity, and words of small talk. They order no work. */
const NO_WORK = wordSet(
  `explain describe define tell give recommend suggest imagine translate summarize summarise discuss compare name call meet say
   ask know think see like love hate mean keep want need wish hope guess feel remind wake book enjoy buy eat have read
   yeah yep nope now nvm bro btw fyi dude man great nice good cool sorry sure maybe wow thank happy lovely congrats perhaps`,
);
/** Past forms such as `had` and `went`. They are no orders. */
const PAST_FORMS: ReadonlySet<string> = new Set(IRREGULAR_FORMS.flatMap((forms) => forms.split(' ').slice(1)));
/**
 * Words that change whether the verbs after them are forbidden. `forbids`: the verbs are forbidden, as in `don't edit`.
 * `not`: the same, but not in phrases such as `is not`. `ends`: the verbs are no longer forbidden. If the value is a
 * pattern, the verbs are forbidden only if the next word matches it, as in `avoid editing`.
 */
const NEGATION = new Map<string, 'forbids' | 'not' | 'ends' | RegExp>([
  ...["don't", 'dont', 'never', 'without', "shouldn't", "mustn't", "needn't"].map((word) => [word, 'forbids'] as const),
  ...['but', 'just', 'only', 'then'].map((word) => [word, 'ends'] as const),
  ['not', 'not'],
  ['no', /^(?:need|longer)$/],
  ['avoid', /ing$/],
  ['refrain', /^from$/],
  ['instead', /^of$/],
  ['rather', /^than$/],
]);
/** After these words, `not` describes a fact and forbids nothing: `is not`, `does not`, `if not`. */
const NOT_AN_ORDER = wordSet('is was are does did can will could only if or why');
const NOT_NEGATED = wordSet('forget hesitate worry wait you we');
const ASKING = wordSet(
  "what whats what's which who whos who's whom whose when when's where where's wheres explain describe compare define is are was were does did has am may difference",
);

const POLITE =
  /^(?:can|could|would|will) (?:you|u|we|somebody|someone)\b|^are you able to\b|\b(?:would|do) you mind\b|[,:—–-] ?(?:can|could|would|will) you\b|\b(?:is it|would it be) possible (?:for you )?to\b|\bif you could\b/;
/** Matches requests for information. They are no tasks. */
const TALK =
  /^ (?:please )?(?:explain|tell|describe|recommend|compare|teach|suggest|remind|show (?:me|us) (?:where|how|what|which|why))\b/;

/** The kind of an English sentence; greetings at its start are ignored. */
export function englishSentenceKind(sentence: string): SentenceKind {
  const text = sentence
    .replace(vocabulary.GREETING_PATTERN, '')
    .replace(/^(?:(?:please|so|and|ok|okay|well|just|btw)[\s,]+)+/, '');
  const polite = POLITE.exec(text);
  if (polite) return TALK.test(text.slice(polite.index + polite[0].length)) ? 'explain' : 'polite';
  if (/^why\b|^how come\b/.test(text)) return 'why';
  if (/^how (?:do|can|should|to|would|could|must|might)\b/.test(text)) return 'how-to';
  // `When I open it, I get this` is a statement, not a question.
  if (/^(?:when|where|while) (?:i|we|you|it|the|this|that|my|our|\w+ing)\b/.test(text) && !text.endsWith('?'))
    return 'statement';
  if (ASKING.has(/^[a-z']+/.exec(text)?.[0] ?? '')) return 'explain';
  if (/^(?:how\b|(?:do|have|can|could|should|would) (?:you|we|they|i|the|these|those|any|people|it|my)\b)/.test(text))
    return 'explain';
  return 'statement';
}

/** Finds the verbs of the gate's vocabulary in one sentence. The points of a verb depend on its place in the sentence. */
export function findEnglishActions(sentence: string, kind: SentenceKind): ActionHit[] {
  const hits: ActionHit[] = [];
  const words =
    sentence
      .replace(vocabulary.TWO_WORD_VERB_PATTERN, '$1$2')
      .replace(vocabulary.INVESTIGATE_PHRASES, 'investigate')
      .match(/(?<!\w)--?[a-z][\w-]*|[a-zа-я][a-zа-я0-9']*(?:-[a-zа-я0-9']+)*|§|[,:()—–]|[^\sa-zа-я0-9]/g) ?? [];
  let clauseStart = 0;
  let negated = false;
  let lastVerb = -1;
  for (let k = 0; k < words.length; k++) {
    const word = words[k] ?? '';
    if (!/^[a-zа-я§-]/.test(word)) {
      // `don't edit, delete or move`: a comma directly after a forbidden verb continues the list.
      negated &&= word === ',' && lastVerb === k - 1;
      clauseStart = k + 1;
      continue;
    }
    negated = negationAfter(words, k, negated);
    const at = { words, k, clauseStart, kind };
    const hit = knownAction(at) ?? unknownAction(at);
    if (hit === undefined) continue;
    lastVerb = k;
    hits.push({ ...hit, points: negated ? 0 : hit.points, negated });
  }
  return hits;
}

/** The place of a word in its sentence. `k`: the index of the word. `clauseStart`: the index at which its clause starts. */
interface Place {
  readonly words: readonly string[];
  readonly k: number;
  readonly clauseStart: number;
  readonly kind: SentenceKind;
}

type Action = Omit<ActionHit, 'negated'>;

/** The action of the word if it is a verb of the vocabulary; else undefined. */
function knownAction(at: Place): Action | undefined {
  const { words, k, kind } = at;
  const word = words[k] ?? '';
  const found = word.startsWith('-') ? undefined : matchVerbForm(word, (base) => WORTH_OF.has(base));
  const value = found && WORTH_OF.get(found.base);
  if (found === undefined || value === undefined) return undefined;
  const order = (kind === 'statement' || kind === 'polite') && isOrder(at, found.form);
  const [, group, isSure] = value;
  const sure = isSure || found.again;
  const isNoun = !order && !sure && BEFORE_NOUN.has(words[k - 1] ?? '');
  const isMeant = found.form === 'past' || (kind === 'statement' ? isBare(at) : THIS_ONE.has(words[k + 1] ?? ''));
  const isBareWork = order && group === 'general' && isMeant;
  const points = isBareWork ? 3 : pointsOf(value, found.form, order, found.again, kind);
  return { group, points: isNoun ? 0 : points, word, order, sure };
}

function negationAfter(words: readonly string[], k: number, negated: boolean): boolean {
  const word = words[k] ?? '';
  const role = NEGATION.get(word);
  if (role === undefined) return negated;
  const next = words[k + 1] ?? '';
  if (role === 'ends') return false;
  if (role === 'forbids') return !NOT_NEGATED.has(next);
  if (role === 'not') return NOT_AN_ORDER.has(words[k - 1] ?? '') ? negated : !NOT_NEGATED.has(next);
  return role.test(next) || negated;
}

/**
 * Each row has a list of verbs and four facts about these verbs: their group; `true` if they have no everyday sense; their
 * points in an order; their points in each form if a text only mentions them.
 */
const WORTH = [
  [vocabulary.SIDE_EFFECT_VERBS, 'effect', true, 4, { base: 3, gerund: 3, s: 2, past: 1 }],
  [vocabulary.AMBIGUOUS_EFFECT_VERBS, 'effect', false, 4, { base: 3, gerund: 1, s: 1, past: 0 }],
  [vocabulary.EXECUTION_VERBS, 'execution', true, 3, { base: 2, gerund: 2, s: 1, past: 0 }],
  [vocabulary.ALWAYS_TASK_VERBS, 'execution', false, 3, { base: 2, gerund: 2, s: 1, past: 0 }],
  [vocabulary.AMBIGUOUS_EXECUTION_VERBS, 'execution', false, 2, { base: 2, gerund: 1, s: 1, past: 0 }],
  [vocabulary.MORE_TECHNICAL_VERBS, 'execution', true, 3, { base: 1, gerund: 1, s: 0, past: 0 }],
  [vocabulary.GENERAL_VERBS, 'general', false, 2, { base: 0, gerund: 0, s: 0, past: 0 }],
] as const;

type Worth = (typeof WORTH)[number];

const WORTH_OF = new Map(WORTH.flatMap((worth) => [...worth[0]].map((verb): [string, Worth] => [verb, worth])));

function pointsOf(
  [, group, , asOrder, mention]: Worth,
  form: VerbForm,
  order: boolean,
  again: boolean,
  kind: SentenceKind,
): number {
  if (kind === 'explain') return 0;
  // A verb with `re-` (`rebuild`, `rerun`) is technical, even if the verb without `re-` also has an everyday sense.
  if (order) return again && group === 'execution' ? 3 : asOrder;
  const seeds = group === 'effect' || mention.base >= 2;
  if (kind !== 'statement' && kind !== 'polite') return form === 'base' && seeds ? mention.base : 0;
  return mention[form];
}

function isOrder(at: Place, form: VerbForm): boolean {
  const { words, k, clauseStart } = at;
  const previous = words[k - 1] ?? '';
  if (form === 'gerund') return k === 0 || /^(?:mind|start|try|begin|needs?|require[sd]?|by)$/.test(previous);
  if (form === 'past') return previous === 'be' && /^(?:should|must|to|please)$/.test(words[k - 2] ?? '');
  if (form !== 'base' || NOUN_AFTER.has(words[k + 1] ?? '')) return false;
  const i = leadAt(at);
  if (i < clauseStart) return true;
  const lead = words[i] ?? '';
  const before = words[i - 1] ?? '';
  if (lead === 'to') return TO_LEADS.has(before);
  if (SUBJECTS.has(lead)) return MODALS.has(before);
  return JOINERS.has(lead) || MODALS.has(lead);
}

/**
 * Finds the word that decides whether a verb is an order: the last word before the verb that is not a filler such as
 * `please`. Returns its index. If the clause has no such word, returns an index before the clause.
 */
function leadAt({ words, k, clauseStart }: Place): number {
  let i = k - 1;
  while (i >= clauseStart && (FILLERS.has(words[i] ?? '') || /\w{3}ly$/.test(words[i] ?? ''))) i--;
  return i;
}

/**
 * Whether the verb is an order to the agent and has no subject: `make it wider`. `We make it` and `let's make it` are no
 * such orders.
 */
function isBare(at: Place): boolean {
  const { words, k, clauseStart } = at;
  const isOurs = words.slice(clauseStart, k).some((word) => US.has(word)) && !AT_WORK.has(words[k + 1] ?? '');
  return leadAt(at) < clauseStart && !isOurs;
}

/**
 * Words that refer to a thing in the work. If such a word follows `let's` and a verb, the sentence is an order to the agent:
 * `let's fix the build`. `Let's make it` is not an order.
 */
const AT_WORK = wordSet('the this that these those our');
const US = wordSet("lets let's us team all everyone folks");

/**
 * The action of a word that is not in the vocabulary, if it stands where only the verb of an order can stand: `draft the
 * specification`.
 */
function unknownAction(at: Place): Action | undefined {
  const { words, k, clauseStart, kind } = at;
  const [word = '', next = ''] = words.slice(k, k + 2);
  const isOne =
    (kind === 'statement' || kind === 'polite') &&
    (AT_HAND.has(next) || (kind === 'statement' && ANY_ONE.has(next))) &&
    /^[a-z]{3,}$/.test(word) &&
    !/(?:\w{3}ing|using|[^e]ed|ly|[^s]s)$/.test(word) &&
    (word === 'get' || !ENGLISH_STOP_WORDS.has(word)) &&
    !isSubject(words, k + 1) &&
    ![NO_WORK, PAST_FORMS, vocabulary.EVERYDAY_LIFE_WORDS].some((known) => known.has(word)) &&
    isOrder(at, 'base');
  const isThis = (kind === 'polite' || words.slice(clauseStart, k).includes('please')) && THIS_ONE.has(next);
  return isOne ? { group: 'general', points: isThis ? 3 : 2, word, order: true, sure: false } : undefined;
}

/**
 * Whether the words from `k` on are the subject of a statement, not the object of an order: `now it worked`, `bro all you
 * did is`.
 */
function isSubject(words: readonly string[], k: number): boolean {
  const [first = '', second = ''] = words.slice(k, k + 2);
  if (!/^(?:it|this|that|these|those|all|each|both|the)$/.test(first)) return false;
  const isTold = /^(?:you|u|i|we|does|did|do|works?|\w{2,}ed)$/.test(second);
  return isTold || NOUN_AFTER.has(second) || PAST_FORMS.has(second);
}
