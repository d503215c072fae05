import * as han from './gate-chinese.js';
import { chineseSentenceKind, findChineseActions } from './gate-chinese.js';
import { englishSentenceKind, findEnglishActions } from './gate-english.js';
import {
  findOtherLanguageActions,
  OTHER_LANGUAGE_COMPLAINTS,
  OTHER_LANGUAGE_FAILURE_WORDS,
  OTHER_LANGUAGE_WORDS,
} from './gate-other.js';
import type { ActionHit, GateText, SentenceKind } from './gate-text.js';
import * as vocabulary from './gate-words.js';

type GateSignalName =
  | 'effect'
  | 'execution'
  | 'general'
  | 'continue'
  | 'failure'
  | 'object'
  | 'cue'
  | 'experience'
  | 'negated'
  | 'casual'
  | 'everyday'
  | 'question';

/**
 * One sign for or against a task: the words that counted, and their points. The gate lists its signals to explain a
 * decision.
 */
export type GateSignal = { readonly group: GateSignalName; readonly points: number; readonly words: readonly string[] };

type Reading = ReturnType<typeof readSignals>;

/** All signals in a text for or against a task, with their points. */
export function findGateSignals(text: GateText): GateSignal[] {
  const reading = readSignals(text);
  const { actions, failures, objects, cues } = reading;
  const order = reading.wishes.length > 0 || actions.some((hit) => hit.order && hit.points > 0);
  const isSure = [objects, cues.sure, failures.hard].some((words) => words.length > 0);
  const evidence = isSure || actions.some((hit) => hit.sure && hit.points > 0);
  const signals = [...workSignals(text.plain, reading), ...failureSignal(reading, text.plain)];
  if (objects.length > 0) signals.push({ group: 'object', points: 2, words: objects });
  else signals.push(...cueSignal(reading, signals.length > 0, order));
  signals.push(...experienceSignal(text.plain, evidence || cues.everyday.length > 0, actions.length > 0));
  signals.push(...againstSignals(text, reading, signals, order, evidence));
  return signals.filter((signal) => signal.words.length > 0);
}

function readSignals({ sentences, plain, code, identifiers }: GateText) {
  const kinds: SentenceKind[] = [];
  const actions: ActionHit[] = [];
  const wishes: string[] = [];
  const failures = { hard: matches(plain, vocabulary.MACHINE_FAILURES), soft: softFailures(plain) };
  const failing = failures.hard.length + failures.soft.length > 0;
  for (const sentence of sentences) {
    const asked = chineseSentenceKind(sentence) ?? englishSentenceKind(sentence);
    // A question about a failure counts as `why`, not as `explain`: the user wants a solution, not only an explanation.
    const kind = asked === 'explain' && failing ? 'why' : asked;
    kinds.push(kind);
    if (kind === 'statement' && !/[?？]$/.test(sentence)) wishes.push(...matches(sentence, vocabulary.WISH_PHRASES));
    actions.push(
      ...findEnglishActions(sentence, kind),
      ...findChineseActions(sentence, kind),
      ...findOtherLanguageActions(sentence),
    );
  }
  const tokens = unique(plain.match(/[a-z][a-z0-9]*(?:-[a-z]+)?|--?[a-z][\w-]+|\/[a-z][\w/-]*|[ァ-ヶー]{2,}/g) ?? []);
  const singular = (token: string) => (token.length > 3 && token.endsWith('s') ? token.slice(0, -1) : token);
  const inSet = (words: ReadonlySet<string>) =>
    tokens.filter((token) => words.has(token) || words.has(singular(token)));
  const ordered = new Set(actions.filter((hit) => hit.order).map((hit) => hit.word));
  return {
    kinds,
    actions,
    /**
     * The user's wishes for how a thing should be. Empty if the message ends with a question: then the user wants
     * information.
     */
    wishes: asksOnly(kinds.slice(-1)) ? [] : unique(wishes),
    failures,
    objects: [
      ...code,
      ...tokens.filter((token) => vocabulary.SOFTWARE_PART_WORDS.has(token) || /^\/[a-z]{2,}\//.test(token)),
      ...matches(plain.replace(han.CHINESE_IDIOMS, ' '), han.CHINESE_SOFTWARE_PART_WORDS),
    ],
    cues: {
      sure: [
        ...inSet(vocabulary.TECHNICAL_WORDS).filter((token) => !ordered.has(token)),
        ...tokens.filter(
          (token) => /^--?[a-z]|^\/[a-z]/.test(token) || vocabulary.SOFTWARE_PART_WORDS.has(singular(token)),
        ),
        ...matches(plain, han.CHINESE_TECHNICAL_WORDS),
        ...matches(plain, OTHER_LANGUAGE_WORDS),
        ...identifiers,
      ],
      everyday: inSet(vocabulary.AMBIGUOUS_TECHNICAL_WORDS).filter((token) => !ordered.has(token)),
    },
  };
}

// Finds the words for failures of things. A failure of a person does not count: "I failed" in an exam is no failure of a
// program.
function softFailures(plain: string): string[] {
  const things = plain
    .replace(han.CHINESE_IDIOMS, ' ')
    .replace(/\b(?:i|he|she|they|you) (?:\w+ly |just |have |had |'ve )?failed\b/g, ' ');
  const patterns = [
    vocabulary.GENERAL_FAILURES,
    vocabulary.NOT_WORKING_PHRASES,
    OTHER_LANGUAGE_FAILURE_WORDS,
    OTHER_LANGUAGE_COMPLAINTS,
  ];
  return patterns.flatMap((pattern) => matches(things, pattern));
}

function workSignals(plain: string, { actions, wishes }: Reading): GateSignal[] {
  const negated = actions.filter((hit) => hit.negated).map((hit) => hit.word);
  const best = (group: ActionHit['group']): GateSignal => {
    const hits = actions.filter((hit) => hit.group === group && hit.points > 0);
    return { group, points: Math.max(0, ...hits.map((hit) => hit.points)), words: unique(hits.map((hit) => hit.word)) };
  };
  const strong = [best('effect'), best('execution')].filter((signal) => signal.points > 0);
  const general = best('general');
  if (wishes.length > 0 && general.points + strong.length === 0)
    return [{ group: 'general', points: negated.length > 0 ? 3 : 2, words: wishes }];
  const signals = general.points > Math.max(0, ...strong.map(({ points }) => points)) ? [general] : strong;
  const goOn = matches(plain, vocabulary.CONTINUE_PHRASES);
  if (goOn.length > 0 && strong.every(({ points }) => points < 3))
    return [{ group: 'continue', points: 3, words: goOn }];
  if (negated.length > 0) signals.push({ group: 'negated', points: 0, words: unique(negated) });
  return signals;
}

function failureSignal({ failures: { hard, soft }, kinds }: Reading, plain: string): GateSignal[] {
  const asked = kinds.includes('how-to');
  if (hard.length > 0) return [{ group: 'failure', points: asked ? 2 : 3, words: unique(hard) }];
  // A complaint about a thing is itself a task: `the panes don't work`.
  const isTold = !asked && COMPLAINT.test(plain);
  return soft.length > 0 ? [{ group: 'failure', points: isTold ? 3 : 2, words: unique(soft) }] : [];
}

const COMPLAINT = new RegExp(`${vocabulary.NOT_WORKING_PHRASES.source}|${OTHER_LANGUAGE_COMPLAINTS.source}`);

// The signal of technical nouns. They count only beside an action or a failure: a noun alone does not show that there is
// technical work.
function cueSignal({ actions, cues, kinds, failures }: Reading, beside: boolean, order: boolean): GateSignal[] {
  if (!beside || (asksOnly(kinds) && failures.hard.length + failures.soft.length === 0)) return [];
  const words = unique(order && !actions.some((hit) => hit.negated) ? [...cues.sure, ...cues.everyday] : cues.sure);
  return words.length > 0 ? [{ group: 'cue', points: 1, words }] : [];
}

function experienceSignal(plain: string, technical: boolean, work: boolean): GateSignal[] {
  // `avoid editing` forbids an action; it does not ask for lessons.
  const words = unique(matches(plain.replace(/\bavoid \w+ing\b/g, ' '), vocabulary.EXPERIENCE_WORDS));
  const past = vocabulary.PAST_WORK_QUESTIONS.exec(plain)?.[0];
  if (past !== undefined && (technical || work)) return [{ group: 'experience', points: 5, words: [past, ...words] }];
  return words.length > 0 ? [{ group: 'experience', points: 1, words }] : [];
}

function againstSignals(
  text: GateText,
  reading: Reading,
  forIt: readonly GateSignal[],
  order: boolean,
  evidence: boolean,
): GateSignal[] {
  const { plain, clean } = text;
  const against: GateSignal[] = [];
  const worth = forIt.reduce((sum, signal) => sum + signal.points, 0);
  const greeting = vocabulary.GREETING_PATTERN.exec(plain)?.[0].trim();
  const talk = matches(plain, vocabulary.SMALL_TALK_PHRASES);
  if (talk.length > 0 && !(order && evidence)) against.push({ group: 'casual', points: -3, words: unique(talk) });
  else if (greeting !== undefined && worth < 3) against.push({ group: 'casual', points: -3, words: [greeting] });
  const life = everydayWords(plain);
  if (life.length > 0 && !evidence && !(order && reading.cues.everyday.length > life.length))
    against.push({ group: 'everyday', points: -3, words: life });
  const question = questionWord(clean, plain, reading, order);
  const isMore = forIt.some(
    ({ group, points }) =>
      ['object', 'execution', 'general'].includes(group) ||
      (group === 'experience' && points > 1) ||
      (group === 'failure' && points > 2) ||
      (group === 'cue' && reading.failures.soft.length > 0),
  );
  if (question !== undefined && !isMore) against.push({ group: 'question', points: -2, words: [question] });
  return against;
}

function questionWord(clean: string, plain: string, { kinds }: Reading, order: boolean): string | undefined {
  if (order || kinds.includes('polite')) return undefined;
  return /[?？]$/.test(clean) ? '?' : ASKS.exec(plain)?.[0];
}

const ASKS = /^(?:什么是|是什么|区别|解释|讲讲|怎么看|为什么|如何理解|where is|what is|explain|difference between)/;

function everydayWords(plain: string): string[] {
  const isOne = (word: string) => vocabulary.EVERYDAY_LIFE_WORDS.has(word);
  const found = matches(plain, /[a-z]+(?:'s)?/g).filter((word) => isOne(word) || isOne(word.replace(/(?:'s|s)$/, '')));
  return unique([...found, ...matches(plain, vocabulary.CHINESE_EVERYDAY_LIFE_WORDS)]);
}

function matches(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), (match) => match[0].trim());
}

function asksOnly(kinds: readonly SentenceKind[]): boolean {
  return kinds.every((kind) => kind === 'explain' || kind === 'how-to' || kind === 'why');
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)];
}
