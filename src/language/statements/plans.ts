import { detectLanguages } from '../time/languages/detect.js';
import { PatternWithWordTest } from '../tokens.js';

/**
 * A word edge. This file lists the forms that mark a plan. A form is more than a single word: `will` may be a name or a
 * testament, `set to` gives a value, and 将 is a part of 麻将. So each form includes the verb that it needs. A plan in other
 * words is recognised by its date.
 */
const EDGE = '(?<![\\p{L}\\p{N}_-])';
const END = '(?![\\p{L}\\p{N}_-])';

/**
 * English words that can't be an infinitive: grammar words, and forms in -s, -ed and -ing. If such a word follows `will`
 * or `going to`, the text is not a plan.
 */
const NO_VERB =
  'and|or|but|nor|of|in|on|at|to|from|for|with|by|as|that|which|who|is|are|was|were|has|had|the|a|an|this|these|his|her|its|their|my|our|your|each|\\p{Ll}*(?<!s)s|\\p{Ll}*(?:ed|ing)';
/** Places that English names without an article: `is going to work` names a place, not a plan. */
const BARE_PLACES = 'bed|church|class|college|court|hospital|market|prison|school|sea|therapy|town|university|work';
const VERB = `(?:(?:also|soon|then) )?(?!(?:${NO_VERB})${END})\\p{Ll}{2,}`;
/** Excludes `will` and `plans` after a word that makes them nouns: "the will", "her plans". */
const NOUN_FOLLOWS = '(?<!(?:^|\\s)(?:a|an|the|his|her|its|their|my|our|your|of|by|against|at|own|last|free|living) )';
const ENGLISH = [
  `${NOUN_FOLLOWS}will (?!not ${END}|only ${END})${VERB}`,
  `(?<=\\p{L})['’]ll ${VERB}`,
  `^Will (?:be|have|move|get|take|go|start|become)${END}`,
  `(?:is|are|am|['’](?:s|re|m)) going to (?!(?:${BARE_PLACES})${END})${VERB}`,
  `${NOUN_FOLLOWS}(?:plan(?:s|ning)?|intends?|intending) to ${VERB}`,
  `(?:^|(?:is|are|am|['’]s) )(?:still )?(?:considering|thinking (?:of|about)) \\p{Ll}+ing${END}(?!,)`,
  `toying with the idea`,
];
/** A German infinitive at the end of a clause. Participles are excluded: `wird` with a participle is a passive. */
const LAST_INFINITIVE =
  '(?!\\p{Ll}*ge(?!ben|hen)\\p{Ll}{3})(?!(?:be|emp|ent|er|miss|über|unter|ver|zer)\\p{Ll})\\p{Ll}{2,}(?:en|ern|eln|sein)';
const CLAUSE_END = '(?=\\s*(?:[.,;!]|$))';
const ROMANCE_INFINITIVE = "(?!entre |contre |hier )(?:se |s[’'])?\\p{Ll}{2,}(?:[aei]r|re)";
const OTHERS = [
  `(?:wird|werden) (?:[^,;.]{1,80} )?${LAST_INFINITIVE}${CLAUSE_END}`,
  `(?:hat vor|plant|erwägt|überlegt), [^;.]{0,80}zu \\p{Ll}+n${CLAUSE_END}`,
  `(?:va|vont) ${ROMANCE_INFINITIVE}`,
  `(?:prévoi(?:t|ent)|envisagent?|a l['’]intention) (?:de |d['’])${ROMANCE_INFINITIVE}`,
  `(?:va a|planea|tiene previsto|piensa|está pensando en) \\p{Ll}{2,}[aei]r(?:se)?`,
  `(?:intende|ha in programma di|sta pensando di) \\p{Ll}{2,}[aei]r(?:e|si)`,
  `(?:vai|pretende|planeja|planeia) \\p{Ll}{2,}[aei]r`,
  `is van plan`,
  `zal (?!wel )(?:[^,;.]{1,80} )?\\p{Ll}{2,}en${CLAUSE_END}`,
  `(?:собира(?:ется|ются)|планиру(?:ет|ют)|намерен[аы]?) (?:\\p{Ll}+ )?\\p{Ll}+(?:ть|ти|чь)(?:ся)?`,
  `буд(?:ет|ут)`,
];
/** Forms that mark a plan in Chinese and Japanese. They exclude 将 at the end of another word: 麻将, 名将, 上将. */
const UNSPACED = [
  '打算(?!盘|[的，,。；;]|$)|即将|(?<![麻主大名老上中少武健干闯])将[于会要]|(?:在|正|还在)考虑',
  '(?<!てい)[うくぐすつぬぶむる](?:予定|つもり)(?:だ|です|である)?(?=[。、,]|$)|検討中',
];

const inText = (forms: readonly string[]): readonly string[] =>
  forms.map((form) => (/^(?:\^|\(\?<=)/.test(form) ? form : EDGE + form) + END);

const ENGLISH_PLAN = new PatternWithWordTest(
  "will|'ll|’ll|going to|plan|intend|considering|thinking|toying",
  new RegExp(inText(ENGLISH).join('|'), 'u'),
);
const OTHER_PLAN = new PatternWithWordTest(
  "wird|werden|hat vor|plan|erwägt|überlegt|va|vont|prévoi|envisage|l'intention|l’intention|tiene previsto|piensa|pensando|intende|programma|pretende|zal|собира|планиру|намерен|буд|打算|将|考虑|予定|つもり|検討中",
  new RegExp([...inText(OTHERS), ...UNSPACED].join('|'), 'u'),
);

/** Whether a statement contains a form that marks a plan, in the statement's language. Pure. */
export function describesPlan(text: string): boolean {
  const said = /^Will /.test(text) ? text : lowerCaseFirstLetter(text);
  // German has its own `will`, which means "wants".
  return OTHER_PLAN.isIn(said) || (ENGLISH_PLAN.isIn(said) && detectLanguages(said).size === 0);
}

/** Lower-cases the first letter: the capital at the start of a statement has no meaning. Pure. */
export function lowerCaseFirstLetter(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text;
}
