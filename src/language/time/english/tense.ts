import { IRREGULAR_FORMS } from '../../words/forms.js';
import type { Tense } from '../expression.js';

const PAST = /\b(?:did|was|were|had|didn't|wasn't|weren't|hadn't|been)\b/;
const FUTURE = /\b(?:will|won't|shall|going to|gonna|planned|scheduled|upcoming|due)\b|'ll\b/;
const PRESENT =
  /\b(?:is|are|am|isn't|aren't|do|does|don't|doesn't|have|has|can|should|must|(?:what|who|where|when|it|there)'s|(?:i'|what'|who'|we'|you'|they')(?:m|re))\b/;
// Verbs that only ask what is known: "do you remember …", "what does the log say about …". They do not decide the tense.
const ASKING =
  /\b(?:do|can|could) (?:you|we|i) (?:still )?(?:know|remember|recall|tell|show|find)\b|\b(?:do|does) [^?.!]{0,40}\b(?:say|mention)\b/g;
const PAST_ENDING = /\b(?!planned|scheduled)\w{2,16}[^e\W]ed\b/;
// Plurals among the irregular forms, beside those in -s, -a and -i.
const PLURALS = new Set('children dice feet geese lice men mice oxen people teeth women'.split(' '));
/** Words of habits. "What does Bob usually do on Monday" does not ask for one particular Monday. */
export const HABIT_PATTERN =
  /\b(?:usually|normally|generally|typically|always|regularly|routinely|(?<!how )often|tends? to|(?:every|each) (?:day|week|month|year|spring|summer|autumn|fall|winter)|annually|yearly)\b/;

let pastForms: ReadonlySet<string> | undefined;

/** The tense of a question. Past if no word shows the tense, because most questions to a memory are about the past. */
export function detectEnglishTense(question: string): Tense {
  const text = question.replace(ASKING, ' ').replace(/’/g, "'");
  if (PAST.test(text)) return 'past';
  if (!FUTURE.test(text) && !PRESENT.test(text)) return 'past';
  if (isPastForm(text)) return 'past';
  return FUTURE.test(text) ? 'future' : 'present';
}

/** Whether a text has a past form of a verb, such as "moved" or "left". The text must be in lower case. */
export function isPastForm(text: string): boolean {
  return (text.includes('ed') && PAST_ENDING.test(text)) || (text.match(/[a-z]{3,}/g) ?? []).some(isIrregular);
}

function isIrregular(word: string): boolean {
  pastForms ??= readPastForms();
  return pastForms.has(word);
}

let preterites: ReadonlySet<string> | undefined;

/** Whether a word is a past form and not also a participle: "went", but not "kept". The word must be in lower case. */
export function isPreteriteOnly(word: string): boolean {
  preterites ??= new Set(
    IRREGULAR_FORMS.map((group) => group.split(' ')).flatMap(([, past = '', participle]) =>
      participle === undefined || past.endsWith('s') ? [] : past,
    ),
  );
  return preterites.has(word);
}

function readPastForms(): Set<string> {
  const groups = IRREGULAR_FORMS.map((group) => group.split(' '));
  const present = new Set(groups.map(([first]) => first));
  const forms = groups.flatMap(([, ...others]) => others);
  return new Set(forms.filter((form) => !present.has(form) && !PLURALS.has(form) && !/[sai]$/.test(form)));
}
