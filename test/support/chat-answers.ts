import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChatTestSamples, parseChatTestSamples } from '../../src/upkeep/chat-test.js';
import type { Reply } from './ollama/reply.js';
import { ROOT } from './readme.js';

const SAMPLES = ['english', 'german', 'chinese'].map((language) =>
  parseChatTestSamples(readFileSync(join(ROOT, `templates/chat-test/${language}.json`), 'utf8')),
);

/** How a scripted model answers the test of chat models. */
export interface ScriptedQuality {
  /** Share of right answers of each part, 0 to 1. */
  readonly share: number;
  /** Says of one pair that can both be true that the earlier statement is over. */
  readonly falseEnd?: boolean;
  /** Writes a line that nobody said. */
  readonly invents?: boolean;
}

/** Answers a prompt of the test as a model of a known quality does. */
export function answerChatTest(messages: readonly { readonly content: string }[], quality: ScriptedQuality): Reply {
  const prompt = messages.map(({ content }) => content).join('\n');
  for (const samples of SAMPLES) {
    const answer = answerFrom(prompt, samples, quality);
    if (answer !== undefined) return answer;
  }
  return { content: '{}' };
}

/** Whether a prompt is one of the test of chat models. */
export function isOfChatTest(messages: readonly { readonly content: string }[]): boolean {
  return answerChatTest(messages, { share: 1 }).content !== '{}';
}

function answerFrom(prompt: string, samples: ChatTestSamples, quality: ScriptedQuality): Reply | undefined {
  const { beliefs, statements, quiet, facts, memory } = samples;
  // Sentences are shown without some short ones, so most of the messages are enough.
  const has = (messages: ChatTestSamples['quiet']) =>
    messages.filter(({ text }) => prompt.includes(text.slice(0, 8))).length > messages.length / 2;
  const asked = beliefs.filter(({ belief }) => prompt.includes(belief));
  if (asked.length > 0 && prompt.includes('<pairs>')) return verdictsIn(prompt, verdictsOf(asked, beliefs, quality));
  const told = statements.filter(({ later }) => prompt.includes(later));
  if (told.length > 0 && prompt.includes('<statements>'))
    return verdictsIn(prompt, relationsOf(told, statements, quality));
  if (has(memory.messages)) return json({ sections: sectionsOf(memory, quality) });
  if (prompt.includes('<sentences>') && has(facts.messages))
    return json({ keep: chosen(prompt, facts, quality.share) });
  if (prompt.includes('<sentences>') && has(quiet)) return json({ keep: [] });
  if (has(facts.messages)) return write(linesOf(facts, quality));
  return has(quiet) ? { content: '[SILENT]' } : undefined;
}

function json(value: unknown): Reply {
  return { content: JSON.stringify(value) };
}

function write(lines: readonly string[]): Reply {
  return { content: '', calls: [{ name: 'memory_write', arguments: { content: lines.join('\n') } }] };
}

/** The verdicts as a list, or by key for a prompt that asks to choose. */
function verdictsIn(prompt: string, verdicts: readonly { pair: number; verdict?: string; relation?: string }[]): Reply {
  if (!prompt.includes('"pair 1":')) return json({ verdicts });
  return json(Object.fromEntries(verdicts.map(({ pair, verdict, relation }) => [`pair ${pair}`, verdict ?? relation])));
}

/** Whether the item is one of the first `share` of all. */
function isRight(index: number, all: number, share: number): boolean {
  return index < Math.floor(all * share);
}

type Beliefs = ChatTestSamples['beliefs'];
const PAIRS = 24;

function verdictsOf(asked: Beliefs, all: Beliefs, { share }: ScriptedQuality) {
  return asked.map((pair, index) => {
    const right = isRight(all.indexOf(pair), PAIRS, share);
    return { pair: index + 1, verdict: right ? pair.verdict : pair.verdict === 'none' ? 'supports' : 'none' };
  });
}

function relationsOf(
  asked: ChatTestSamples['statements'],
  statements: ChatTestSamples['statements'],
  { share, falseEnd = false }: ScriptedQuality,
) {
  const both = statements.filter(({ relation }) => relation === 'both');
  return asked.map((pair, index) => {
    if (pair.relation !== 'both') return { pair: index + 1, relation: share > 0.5 ? pair.relation : 'both' };
    const at = both.indexOf(pair);
    if (falseEnd && at === 0) return { pair: index + 1, relation: 'ends' };
    return { pair: index + 1, relation: isRight(18 + at, PAIRS, share) ? 'both' : 'same' };
  });
}

function linesOf({ messages, expected }: ChatTestSamples['facts'], { share, invents = false }: ScriptedQuality) {
  const sources = expected.map(
    (words) => messages.find(({ text }) => words.every((word) => text.includes(word)))?.text,
  );
  const kept = sources.flatMap((text, at) => (text !== undefined && isRight(at, expected.length, share) ? [text] : []));
  return [...kept, ...(invents ? ['W @Wobblesham: pays 900 euros for the boat'] : [])].map((text) => `S ${text}`);
}

function chosen(prompt: string, { messages, expected }: ChatTestSamples['facts'], share: number): readonly number[] {
  const numbered = [...prompt.matchAll(/^(\d+)\. (.*)$/gmu)].map(([, number, text = '']) => ({
    number: Number(number),
    text,
  }));
  return expected.flatMap((words, at) => {
    const message = messages.find(({ text }) => words.every((word) => text.includes(word)))?.text ?? '';
    const found = numbered.find(({ text }) => message.includes(text.replace(/^user: /u, '')));
    return found !== undefined && isRight(at, expected.length, share) ? [found.number] : [];
  });
}

function sectionsOf(
  { document, messages, added }: ChatTestSamples['memory'],
  { share, invents = false }: ScriptedQuality,
) {
  const KEEP = { op: 'KEEP' };
  const sections = Object.fromEntries(
    ['Session Title', 'Current State', 'Task & Goals', 'Files & Context', 'Errors & Corrections', 'Open Issues'].map(
      (name) => [name, KEEP],
    ),
  );
  const fresh = messages.find(({ text }) => added.every((word) => text.includes(word)))?.text ?? '';
  const kept = document.filter((_, at) => isRight(at, document.length, share));
  const lines = [...kept, fresh, ...(invents ? ['Wobblesham pays 900 euros for the boat'] : [])];
  return {
    ...sections,
    'Key Facts & Decisions': { op: 'UPDATE', content: lines.map((line) => `- ${line}`).join('\n') },
  };
}
