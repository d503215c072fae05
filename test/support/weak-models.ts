import type { FaultName } from './ollama/faults.js';
import type { Replier, Reply } from './ollama/reply.js';
import { record } from './ollama/reply.js';

/** How a weak model, or a bad connection to one, behaves. */
export interface WeakModel {
  /** Its answers. Without it, the fault spoils other answers. */
  readonly reply?: Replier;
  readonly fault?: FaultName;
  /** How long a program waits for it, in ms. Undefined: as long as the program allows. */
  readonly waitMs?: number;
}

/** A number that no pair, line, page or sentence of a prompt has. */
const NOWHERE = 9_001;

function always(content: string, more: Reply = {}): WeakModel {
  return { reply: () => ({ content, ...more }) };
}

/** Weak models by what they do. */
export const WEAK_MODELS = {
  empty: always(''),
  KEEP: { reply: (_, format) => ({ content: JSON.stringify(keptSections(format)) }) },
  echo: { reply: (messages) => ({ content: messages.find(({ role }) => role === 'user')?.content ?? '' }) },
  prose: always('I have read it all, and everything is fine.'),
  garbage: always('%%$ }{][ 0000 zzzz'),
  'half an answer': { fault: 'cut-by-length' },
  slow: { fault: 'hang-after-headers', waitMs: 100 },
  'wrong ids': { reply: (_, format) => ({ content: JSON.stringify(withWrongIds(format)) }) },
  'connection cut': { fault: 'reset-mid-line' },
  'error 500': { fault: 'runner-stopped' },
  'endless repetition': always('the port is '.repeat(9_000)),
  'long thinking': always('', { thinking: 'But wait, there may be another way to read this. '.repeat(4_000) }),
} as const satisfies Readonly<Record<string, WeakModel>>;

/** KEEP for every section of a Working Memory. Other questions get this answer, too. */
function keptSections(format: unknown): unknown {
  const sections = record(record(record(format)?.properties)?.sections);
  const names = Object.keys(record(sections?.properties) ?? { 'Session Title': 0 });
  return { sections: Object.fromEntries(names.map((name) => [name, { op: 'KEEP' }])) };
}

/** A valid answer about pairs, lines, pages and sentences that the prompt does not have. */
function withWrongIds(format: unknown): unknown {
  const properties = record(record(format)?.properties) ?? {};
  return Object.fromEntries(
    Object.keys(properties).map((name) => {
      switch (name) {
        case 'verdicts':
          return [
            name,
            [
              { pair: NOWHERE, verdict: 'contradicts' },
              { pair: NOWHERE, relation: 'ends' },
            ],
          ];
        case 'facts':
          return [name, [{ kind: 'W', text: 'Zolvanta sails to Kuppe', from: NOWHERE, entities: ['Zolvanta'] }]];
        case 'sentences':
          return [name, [{ facts: [NOWHERE], text: 'Zolvanta sails to Kuppe' }]];
        case 'deletes':
          return [name, [{ page_id: NOWHERE }]];
        case 'links':
          return [name, [{ from: NOWHERE, to: NOWHERE + 1 }]];
        case 'sections':
          return [name, { 'No Section': { op: 'UPDATE', content: '- Zolvanta sails to Kuppe' } }];
        default:
          return [name, isListOfNumbers(properties[name]) ? [NOWHERE] : [{ page_id: NOWHERE, sources: ['m9001'] }]];
      }
    }),
  );
}

function isListOfNumbers(schema: unknown): boolean {
  return record(record(schema)?.items)?.type === 'integer';
}
