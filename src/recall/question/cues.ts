import type { QuestionReading } from './reading.js';
import { EXPERIENCE, HOW_MANY, LIKING, NOT_LIKING, OPINION, RECENT, WHEN, WHERE, WHO } from './tables/cues.js';

/** What kind of memory and what kind of answer a question wishes for. */
export function readCues(text: string): Pick<QuestionReading, 'wishes' | 'cues'> {
  const plain = text.toLowerCase().replace(/[’ʼ]/g, "'").replace(/\s+/g, ' ').trim();
  const says = (patterns: readonly RegExp[]): boolean => patterns.some((pattern) => pattern.test(plain));
  return {
    wishes: { opinion: says(OPINION) || likes(plain), experience: says(EXPERIENCE) },
    cues: { when: says(WHEN), howMany: says(HOW_MANY), where: says(WHERE), who: says(WHO), recent: says(RECENT) },
  };
}

function likes(plain: string): boolean {
  const before = LIKING.exec(plain)?.[1];
  return before !== undefined && !NOT_LIKING.has(before);
}
