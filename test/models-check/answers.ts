import type { UnknownFields } from '../../src/base/json.js';
import { groupBy } from '../../src/base/order.js';
import { SECTION_NAMES } from '../../src/wm/document.js';
import { askedPairs } from '../support/asked-pairs.js';
import { answerChatTest, type ScriptedQuality } from '../support/chat-answers.js';
import type { Replier, Reply } from '../support/ollama/reply.js';
import { record } from '../support/ollama/reply.js';
import { GOLD, GOLD_RELATIONS, GOLD_VERDICTS, type GoldFact } from './fixture.js';

/** What a scripted model says about the things of a prompt. */
interface Mind {
  /** Lines about a statement of the prompt. */
  readonly linesAbout: (fact: GoldFact) => readonly string[];
  /** Lines about nothing in particular. */
  readonly more: readonly string[];
  readonly verdict: (right: string) => string;
  readonly relation: (right: string) => string;
  /** Whether a sentence is chosen. */
  readonly chooses: (sentence: string) => boolean;
  /** Whether it makes pages of every type, and not only of entities. */
  readonly isThorough: boolean;
}

/** A mind that notes the lines that it writes. */
interface Writer {
  readonly mind: Mind;
  /** Notes and returns the lines of an answer. */
  readonly noting: (lines: readonly string[]) => readonly string[];
}

const GOOD: Mind = {
  linesAbout: ({ text }) => [text],
  more: [],
  verdict: (right) => right,
  relation: (right) => right,
  chooses: (sentence) => GOLD.some(({ source }) => sentence.includes(source)),
  isThorough: false,
};

/** A scripted model that answers questions about the fixture. */
export class FixtureModel {
  /** The lines that it wrote since they were last taken. */
  private written = new Set<string>();

  private constructor(
    private readonly mind: Mind,
    /** How it answers the test of chat models. Undefined: as it answers all other questions. */
    private readonly quality?: ScriptedQuality,
  ) {}

  /** A model that answers each question rightly, and that of the test, too. */
  static good(): FixtureModel {
    return new FixtureModel(GOOD, { share: 1 });
  }

  /** A model that writes plausible lines that are false, and false verdicts, in valid JSON. */
  static inventing(): FixtureModel {
    return new FixtureModel({
      linesAbout: inventionsAbout,
      more: PRAISE,
      verdict: (right) => (right === 'supports' ? 'contradicts' : 'supports'),
      relation: (right) => (right === 'both' ? 'replaces' : 'both'),
      chooses: (sentence) => !GOOD.chooses(sentence),
      isThorough: true,
    });
  }

  readonly reply: Replier = (messages, format) => {
    const test = this.quality && answerChatTest(messages, this.quality);
    return test === undefined || test.content === '{}' ? this.answer(messages, format) : test;
  };

  /** The lines that it wrote since this was last called. */
  take(): readonly string[] {
    const taken = [...this.written];
    this.written = new Set();
    return taken;
  }

  private answer(messages: Parameters<Replier>[0], format: unknown): Reply {
    const noting = (lines: readonly string[]) => {
      for (const line of lines) this.written.add(line);
      return lines;
    };
    const { mind } = this;
    return replyBy({ mind, noting }, messages, format);
  }
}

const PRAISE = [
  'He is a very good person and works hard',
  'The team is doing a great job',
  'The user is friendly and well organised',
  'Everything is going according to plan',
  'The project is important for the company',
  'The assistant answered all questions of the user',
] as const;

const DETAILS = [
  ' on a cluster of three nodes',
  ', which costs 300 euros',
  ' together with Marlene',
  ', as in the office in Berlin',
  ' until December 2027',
] as const;

/** Values that stand in place of each other in a false line. */
const SWAPPED: readonly (readonly [string, string])[] = [
  ['Postgres 16', 'MySQL 8'],
  ['Tuesdays', 'Thursdays'],
  ['Graz', 'Porto'],
  ['6391', '6380'],
  ['30 days', '12 days'],
  ['02:30', '19:00'],
  ['British English', 'German'],
  ['1 April', '21 April'],
  ['15 minutes', '40 minutes'],
  ['840', '480'],
  ['7714', '7741'],
  ['12 pages', '30 pages'],
  ['65', '840'],
  ['11 July', '12 July'],
  ['two years', 'ten years'],
  ['oboe', 'bicycle'],
  ['penicillin', 'coffee'],
];

const SUBJECTS: readonly (readonly [string, string])[] = [
  ['Larkspur', 'Pellworm'],
  ['Ilka', 'Tomas'],
  ['Tomas', 'Hetty'],
  ['Hall 4', 'the Elbe room'],
];

const VERBS: readonly (readonly [RegExp, string])[] = [
  [/ (is|are|was|may) (?!not|at)/u, ' $1 not '],
  [/ (runs?|listens?|moved|lives|works|owns|keeps|meets|takes|got|has|bought) /u, ' never $1 '],
];

/** False lines about a statement: another value, another subject, a detail more, a "not" less or more. Pure. */
export function inventionsAbout({ text, undenied }: GoldFact): readonly string[] {
  const swapped = SWAPPED.flatMap(([one, other]) => [swap(text, one, other), swap(text, other, one)]);
  const moved = SUBJECTS.flatMap(([one, other]) => [swap(text, one, other), swap(text, other, one)]);
  const detail = DETAILS[text.length % DETAILS.length] ?? '';
  const [pattern, denied] = VERBS.find(([verb]) => verb.test(text)) ?? [/$^/u, ''];
  const polar = undenied ?? text.replace(pattern, denied);
  const found = [...swapped, ...moved, polar, `${text}${detail}`];
  return [...new Set(found)].filter((line) => line !== text);
}

function swap(text: string, one: string, other: string): string {
  return text.includes(one) && !text.includes(other) ? text.replaceAll(one, other) : text;
}

function replyBy(writer: Writer, messages: Parameters<Replier>[0], format: unknown): Reply {
  const asked = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const prompt = asked[0] ?? '';
  const properties = record(record(format)?.properties) ?? {};
  const { mind, noting } = writer;
  const json = (value: unknown): Reply => ({ content: JSON.stringify(value) });
  if (prompt.includes('<sentences>')) return json(chosenSentences(mind, prompt, Object.keys(properties)));
  if (prompt.includes('<pairs>')) return json(verdictsOn(mind, prompt, properties));
  if (prompt.includes('<statements>')) return json(relationsOn(mind, prompt, properties));
  if (prompt.includes('<facts>')) return json({ sentences: summaryOf(writer, prompt) });
  if (prompt.includes('<log>')) return json({ facts: factsOfLog(writer, prompt) });
  if (prompt.includes('<bank>')) return json(format === undefined ? {} : pagesFrom(writer, prompt, properties));
  if (prompt.includes('Working Memory') || prompt.includes('<earlier_summary>'))
    return json({ sections: sectionsFrom(writer, prompt) });
  const lines = [...factsIn(prompt).flatMap(mind.linesAbout), ...mind.more];
  if (lines.length === 0) return { content: '[SILENT]' };
  const content = noting(lines)
    .map((line) => `- W ${line}`)
    .join('\n');
  return { content: '', calls: [{ name: 'memory_write', arguments: { content } }] };
}

function factsIn(text: string): readonly GoldFact[] {
  return GOLD.filter(({ source }) => text.includes(source));
}

function chosenSentences({ chooses }: Mind, prompt: string, keys: readonly string[]): unknown {
  const numbers = [...prompt.matchAll(/^(\d+)\. (.*)$/gmu)].flatMap(([, number, text = '']) =>
    chooses(text) ? [Number(number)] : [],
  );
  return Object.fromEntries(keys.map((key, index) => [key, index === 0 ? numbers.slice(0, 8) : []]));
}

/** Verdicts as a list, or keyed by the names of the pairs if the format has these. */
function verdictsOn({ verdict }: Mind, prompt: string, properties: Readonly<Record<string, unknown>>): unknown {
  const pairs = [...prompt.matchAll(/^pair (\d+)\n(.*)\n(.*)$/gmu)].map(([, number, belief = '', fact = '']) => {
    const gold = GOLD_VERDICTS.find((one) => fact.includes(one.fact) && belief.includes(one.belief));
    return { pair: Number(number), verdict: verdict(gold?.verdict ?? 'none') };
  });
  return 'verdicts' in properties
    ? { verdicts: pairs }
    : Object.fromEntries(pairs.map((one) => [`pair ${one.pair}`, one.verdict]));
}

function relationsOn({ relation }: Mind, prompt: string, properties: Readonly<Record<string, unknown>>): unknown {
  const pairs = askedPairs(prompt).map(({ pair, earlier, later }) => {
    const gold = GOLD_RELATIONS.find((one) => earlier.text.includes(one.earlier) && later.text.includes(one.later));
    return { pair, relation: relation(gold?.relations[0] ?? 'both') };
  });
  return 'verdicts' in properties
    ? { verdicts: pairs }
    : Object.fromEntries(pairs.map((one) => [`pair ${one.pair}`, one.relation]));
}

/** Maximum numbers of sentences of a summary, facts of a log, bullets of a section, and pages of a type. */
const MOST_SENTENCES = 6;
const MOST_FACTS = 5;
const MOST_BULLETS = 60;
const MOST_PAGES = 8;

function summaryOf({ mind, noting }: Writer, prompt: string): unknown {
  const cited = [...prompt.matchAll(/^(\d+)\. (.*)$/gmu)].flatMap(([, number, text = '']) =>
    factsIn(text).flatMap((fact) => mind.linesAbout(fact).map((line) => ({ facts: [Number(number)], text: line }))),
  );
  return noted(cited.slice(0, MOST_SENTENCES), noting);
}

function factsOfLog({ mind, noting }: Writer, prompt: string): unknown {
  const found = [...prompt.matchAll(/^L(\d+): (.*)$/gmu)].flatMap(([, number, text = '']) =>
    factsIn(text).flatMap((fact) =>
      mind.linesAbout(fact).map((line) => ({ kind: 'W', text: line, from: Number(number) })),
    ),
  );
  return noted(found.slice(0, MOST_FACTS), noting);
}

function noted<Item extends { readonly text: string }>(items: readonly Item[], noting: Writer['noting']) {
  noting(items.map(({ text }) => text));
  return items;
}

function sectionsFrom({ mind, noting }: Writer, prompt: string): unknown {
  const transcript = /<transcript>(.*)<\/transcript>/su.exec(prompt)?.[1] ?? '';
  const facts = factsIn(transcript).flatMap(mind.linesAbout).slice(0, MOST_BULLETS);
  const linesOf = (name: string) =>
    name === 'Key Facts & Decisions' ? facts : name === 'Task & Goals' ? mind.more : [];
  return Object.fromEntries(
    SECTION_NAMES.map((name) => {
      const lines = noting(linesOf(name));
      return [name, lines.length === 0 ? { op: 'KEEP' } : { op: 'UPDATE', content: bulletsOf(lines) }];
    }),
  );
}

function bulletsOf(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

/** Pages of the types that the format has: one for each thing of the conversation. */
function pagesFrom(writer: Writer, prompt: string, properties: Readonly<Record<string, unknown>>): unknown {
  const said = [...prompt.matchAll(/^\[(m\d+)\] (.*)$/gmu)];
  const facts = GOLD.flatMap((fact) => {
    const source = said.find(([, , text = '']) => text.includes(fact.source))?.[1];
    return source === undefined ? [] : [{ fact, source }];
  });
  const { isThorough } = writer.mind;
  const types = Object.entries(properties).filter(([name]) =>
    isThorough ? !['id', 'deletes', 'links'].includes(name) : name === 'entities',
  );
  return Object.fromEntries(
    types.map(([name, schema]) => {
      const fields = Object.keys(record(record(record(schema)?.items)?.properties) ?? {});
      const things = [...groupBy(facts, ({ fact }) => fact.about)].slice(0, MOST_PAGES);
      return [name, things.map(([thing, about]) => pageOf(writer, thing, fields, about))];
    }),
  );
}

function pageOf(
  { mind, noting }: Writer,
  thing: string,
  fields: readonly string[],
  facts: readonly { readonly fact: GoldFact; readonly source: string }[],
): unknown {
  const lines = [...facts.flatMap(({ fact }) => mind.linesAbout(fact)), ...mind.more.slice(0, 1)];
  const sources = [...new Set(facts.map(({ source }) => source))];
  const known: UnknownFields = { date: '2026-03-10', category: 'thing', sources };
  const [first = ''] = lines;
  return Object.fromEntries(
    fields.flatMap((field): (readonly [string, unknown])[] => {
      if (field in known) return [[field, known[field]]];
      if (/name|topic/u.test(field)) return [[field, thing]];
      if (field === 'content') return [[field, bulletsOf(noting(lines))]];
      return /^(?:situation|approach|reflect)$/u.test(field) ? [[field, noting([first])[0]]] : [];
    }),
  );
}
