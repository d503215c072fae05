import { isRecord, parseRecord } from '../../src/base/json.js';

/** Two statements as in a prompt: a line of JSON. */
export interface AskedPair {
  readonly pair: number;
  readonly subject: string;
  readonly earlier: AskedStatement;
  readonly later: AskedStatement;
}

interface AskedStatement {
  readonly day: string | null;
  readonly text: string;
}

/** Every pair of statements in a prompt. */
export function askedPairs(prompt: string): readonly AskedPair[] {
  return prompt.split('\n').flatMap((line) => {
    const { pair, subject, earlier, later } = parseRecord(line) ?? {};
    const [was, is] = [statementOf(earlier), statementOf(later)];
    if (typeof pair !== 'number' || typeof subject !== 'string' || was === undefined || is === undefined) return [];
    return [{ pair, subject, earlier: was, later: is }];
  });
}

function statementOf(value: unknown): AskedStatement | undefined {
  if (!isRecord(value) || typeof value.text !== 'string') return undefined;
  return { day: typeof value.day === 'string' ? value.day : null, text: value.text };
}

/** Returns an answer with the same verdict for all pairs in a prompt; undefined if it has none. */
export function relating(prompt: string, relation: string, over?: string): unknown {
  const pairs = askedPairs(prompt);
  return pairs.length === 0 ? undefined : { verdicts: pairs.map(({ pair }) => ({ pair, relation, over })) };
}
