import type { QuestionContext, QuestionReading } from './reading.js';
export async function readQuestion(text: string, context: QuestionContext): Promise<QuestionReading> {
  const words = [...text.toLowerCase().matchAll(/[\p{L}\p{N}]+|[^\s]+/gu)].map((m) => ({
    text: m[0],
    weight: 1,
    forms: [],
    role: 'content' as const,
  }));
  return {
    text,
    truncated: false,
    words,
    exact: [],
    cjk: [],
    entities: words.map((w) => context.entities.lookup(w.text)).filter((x) => x !== undefined),
    window: null,
    asOf: null,
    wishes: { opinion: false, experience: false },
    cues: { when: false, howMany: false, where: false, who: false, recent: false },
    timeOnly: false,
    stopWordsOnly: false,
  };
}
