import * as z from 'zod';
import type { Day } from '../../base/clock.js';
import { asRecord, parseJson } from '../../base/json.js';
import { isFirstPersonText } from '../../language/speakers.js';
import { KIND_LETTERS } from '../../markdown/bullet.js';
import { makeSupportTest, saysSomething } from '../../memory/supported.js';
import { checkAnswerLeniently, findJsonCandidates } from '../../model/answer.js';
import { buildChoiceQuestion } from '../../model/choose.js';
import { boundedList, boundedText, inGrammar } from '../../model/format.js';
import type { Question } from '../../model/model.js';
import { renderPrompt } from '../../model/model.js';
import { isQuestion, sentencesOf } from '../../text/sentences.js';
import { estimateTokens, splitByTokens } from '../../text/tokens.js';
import type { LogPassage } from './day.js';

/** Maximum number of characters of a fact, and of facts of one answer. */
const LONGEST = 400;
const MOST_FACTS = 5;

const FACT = z.looseObject({
  kind: z.enum(['W', 'B', 'O', 'S']),
  text: boundedText(LONGEST),
  entities: boundedList(boundedText(60), 5).optional(),
  confidence: z.number().optional(),
  from: z.int(),
  to: z.int().optional(),
});

/** Schema of the facts of a log. A local model can cite only lines that the log has. */
function factsOf(passages: readonly LogPassage[]) {
  const lines = { minimum: passages[0]?.from ?? 1, maximum: passages.at(-1)?.to ?? 1 };
  const fact = FACT.extend({ from: inGrammar(z.int(), lines), to: inGrammar(z.int(), lines).optional() });
  return z.looseObject({ facts: boundedList(fact, MOST_FACTS) });
}

/** A fact that a model proposes, with the lines that it cites. */
type ProposedFact = z.infer<typeof FACT>;

/** Parsed facts of an answer, and messages about the rejected ones. */
interface ProposedFacts {
  readonly facts: readonly ProposedFact[];
  readonly refused: readonly string[];
}

/** Parses the facts of an answer one by one. Used if the answer as a whole is invalid, so that its valid facts are kept. */
function eachFact(text: string): ProposedFacts | undefined {
  const list = findJsonCandidates(text).flatMap((candidate): unknown[] => {
    const { facts } = asRecord(parseJson(candidate));
    return Array.isArray(facts) ? [facts] : [];
  })[0];
  if (!Array.isArray(list)) return undefined;
  const [facts, refused]: [ProposedFact[], string[]] = [[], []];
  for (const item of list) {
    const read = checkAnswerLeniently(FACT, item);
    if (read.success) facts.push(read.data);
    else {
      const [{ path = [], message = '' } = {}] = read.error.issues;
      const said = String(asRecord(item).text ?? 'an item').slice(0, 80);
      refused.push(`"${said}" was left out: ${path.map(String).join('.')}: ${message}`);
    }
  }
  return { facts, refused };
}

/** Share of the context window for the log and the template. The rest is for the answer. */
const SHARE = 0.6;
const ANSWER_TOKENS = 1_024;

/**
 * Builds the questions that ask a model for the facts of a day. A long log needs several questions. @param template text of
 * `templates/prompts/infer.md`
 */
export function buildInferQuestions(
  passages: readonly LogPassage[],
  day: Day,
  template: string,
  window: number,
): readonly Question<ProposedFacts>[] {
  const said = passages.map((passage) => `L${passage.from}: ${spoken(passage)}`);
  const room = window * SHARE - estimateTokens(template);
  const parts = splitByTokens(said, (line) => estimateTokens(line) + 1, room);
  return parts.map((lines) => ({
    name: 'facts_of_day',
    prompt: renderPrompt(template, { data: { log: lines.join('\n') }, text: { day } }),
    schema: factsOf(passages).transform(({ facts }) => ({ facts, refused: [] })),
    recover: eachFact,
    maxTokens: ANSWER_TOKENS,
  }));
}

/**
 * Builds the questions for a model that may only choose: which sentences of the day to keep. The facts are these sentences,
 * word for word. @param template text of `templates/prompts/choose.md`
 */
export function buildInferChoices(
  passages: readonly LogPassage[],
  template: string,
  window: number,
): readonly Question<ProposedFacts>[] {
  const said = passages.flatMap(({ from, to, text }) =>
    sentencesOf(text)
      .filter((sentence) => !isQuestion(sentence) && sentence.length <= LONGEST && saysSomething(sentence))
      .map((sentence) => ({ from, to, text: sentence })),
  );
  const room = window * SHARE - estimateTokens(template);
  const parts = splitByTokens(said, ({ text }) => estimateTokens(text) + 2, room);
  return parts.map((part) => {
    const choice = {
      sentences: part.map(({ text }) => text),
      keys: { keep: 'what to keep' },
      most: MOST_FACTS,
      template,
    };
    return buildChoiceQuestion(choice, (chosen) => ({
      facts: (chosen.get('keep') ?? [])
        .flatMap((index) => part[index] ?? [])
        .map((one) => ({ ...one, kind: 'S' as const })),
      refused: [],
    }));
  });
}

const MOST_LINES = 12;
/** Markup that would change the page if a fact contained it: comments, block ids, links and line breaks. */
const MARKS = /<!--|-->|\^[fo]-|\]\(|[\r\n\u2028\u2029]/u;

/** The list marker and the kind that a model may write before a fact. */
const TYPED = new RegExp(`^\\s*(?:[-*+]\\s+)?(?:[${KIND_LETTERS}](?:\\(c=[^)]*\\))?\\s*:?\\s+)?`, 'u');

/**
 * Makes the check of the facts that a model proposes for a day: the lines that a fact cites must carry it. The check returns
 * the fact, or an error message. Pure.
 */
export function makeFactCheck(passages: readonly LogPassage[], day: Day) {
  const whyUnsupported = makeSupportTest(
    passages.map(({ text, speaker, isByAgent }) => ({
      text,
      day,
      entities: speaker === undefined ? [] : [speaker],
      speaker: isByAgent ? 'assistant' : (speaker ?? 'user'),
    })),
  );
  return (fact: ProposedFact) => {
    const { from, to = from, entities = [] } = fact;
    const text = fact.text
      .replace(TYPED, '')
      .replace(/\s*\(from L[^)]*\)\s*$/u, '')
      .trim();
    const cites = passages.flatMap((passage, at) => (passage.from <= to && passage.to >= from ? [at] : []));
    const cited = passages.filter((_, at) => cites.includes(at));
    if (cited.length === 0 || to < from || to - from >= MOST_LINES) return 'the cited lines do not say it';
    if (text.length > LONGEST || MARKS.test(text)) return 'it is not one single statement';
    const said = cited.map(spoken).join('\n');
    const names = entities.map((name) => name.replace(/^[@＠]/u, '').trim()).filter((name) => name !== '');
    const unnamed = names.find((name) => !stands(name, said));
    if (unnamed !== undefined) return `${unnamed} is not named in the cited lines`;
    const why = whyUnsupported(text, cites);
    if (why !== undefined) return `the cited lines do not say all of it: ${why}`;
    return { ...fact, text, entities: names, to, cited };
  };
}

/**
 * The text of a passage, with the name of its speaker before it. There is no name if the passage is by the person or agent
 * who keeps the log.
 */
function spoken({ speaker, text }: LogPassage): string {
  return speaker === undefined ? text : `${speaker}: ${text}`;
}

function stands(name: string, said: string): boolean {
  const words = name.replace(/[-_\s]+/gu, ' ').toLowerCase();
  return said
    .replace(/[-_\s]+/gu, ' ')
    .toLowerCase()
    .includes(words);
}

/** Words that mean the user. In a log, the user is the person who keeps the log, never a quoted speaker. */
const SAYS_USER =
  /(?<![\p{L}\p{N}])(?:users?|owner|nutzer(?:in)?|benutzer(?:in)?|usuari[oa]|utilisateur|utente)(?![\p{L}\p{N}])|用户|用戶|ユーザー/iu;

/**
 * Finds the speaker whom a model's fact should name but does not. The cited lines say "I", so the fact is about their
 * speaker. Pure.
 */
export function findOmittedSpeaker(
  text: string,
  entities: readonly string[],
  cited: readonly LogPassage[],
): { readonly name: string; readonly isTakenForUser: boolean } | undefined {
  const [first] = cited.filter((passage) => isFirstPersonText(passage.text));
  const name = first?.speaker;
  if (name === undefined) return undefined;
  const plain = (words: string) => words.replace(/[-_.\s]+/gu, ' ').toLowerCase();
  const isNamed = [text, ...entities].some((words) => plain(words).includes(plain(name)));
  return isNamed ? undefined : { name, isTakenForUser: SAYS_USER.test(text) };
}
