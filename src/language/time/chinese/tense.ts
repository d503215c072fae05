import type { Surroundings } from '../expression.js';
import type { Tense } from '../occurrence.js';

const COMING =
  /(?:将(?![军来近])|(?<![开例周年晚早班社机的聚组大议宴布事审享论唱长学谈日话站盘通动约协工员误体])会(?![议上话员前后场计面见谈了])|(?<![重主需只必纪摘概提简])要(?![求点闻素件了过])|(?<!的)(?:准备|计划|打算|预计)(?![了过]))/;
const PAST = /(?<![为除])了(?!解)|(?<![通超经])过(?![程期滤敏年去分时])|曾/;
// What may be asked of a time to come as well as of one gone.
const EITHER = /(?<![功性才智职])能(?![力源量])|可以|可能|应该|吗[?？。\s]*$/;

/** When a question places a time that comes back; what is said behind the time counts before what is said ahead of it. */
export function tenseOf({ before, after }: Pick<Surroundings, 'before' | 'after'>): Tense {
  return saidIn(after) ?? saidIn(before) ?? (EITHER.test(before + after) ? 'present' : 'unsaid');
}

/** 要上线了吗 is to come, 说过要做 is gone: the first sign decides. */
function saidIn(text: string): Tense | undefined {
  const coming = text.search(COMING);
  const past = text.search(PAST);
  if (coming < 0 && past < 0) return undefined;
  return past < 0 || (coming >= 0 && coming < past) ? 'future' : 'past';
}
