import type { Clock } from '../../base/clock.js';
import { groupBy } from '../../base/order.js';
import type { FoundUnit } from '../../index/search.js';
import { today } from '../../workspace/clock.js';
import { ANSWERED_WHOLE } from '../answer/answered.js';
import { packResults } from '../answer/pack.js';
import { toResult } from '../answer/result.js';
import type { AgendaPart } from '../parse/agenda.js';
import { explainReading } from '../parse/explain.js';
import type { QuestionReading } from '../parse/reading.js';
import { type FoldedResult, toFoldedResult } from '../rank/fold.js';
import type { RecallAnswer, RecallQuery } from '../request.js';
import { type AgendaSource, findAgenda } from './lines.js';

/** "By Friday" asks for overdue tasks, too. */
const FIRST_DAY = '0000-01-01';

interface AskedAgenda extends AgendaSource {
  readonly clock: Clock;
  readonly defaultLimit: number;
  readonly stale: boolean;
  readonly warnings: readonly string[];
}

/**
 * Answers a question by the agenda: the dates, the next first, or the open tasks, overdue ones first.
 * @returns undefined if nothing lies ahead or is open
 */
export function agendaAnswer(
  source: AskedAgenda,
  request: RecallQuery,
  reading: QuestionReading,
  part: AgendaPart,
): RecallAnswer | undefined {
  const day = today(source.clock);
  const asked = reading.window?.spans.find(({ until }) => (until ?? day) >= day);
  const span = asked && {
    since: asked.since ?? (part === 'dates' ? day : FIRST_DAY),
    until: asked.until ?? '9999-12-31',
  };
  const { dates, tasks, marks } = findAgenda(source, { today: day, span });
  // The answer may be short: appointments come before the days of tasks.
  const ofTasks = dates.filter(({ type }) => type === 'task');
  const ahead = [...dates.filter((date) => !ofTasks.includes(date)), ...ofTasks].map(({ unit }) => unit);
  const isAsked = ({ detail }: FoundUnit): boolean => part !== 'overdue' || (detail?.ahead?.task?.due ?? day) < day;
  const units = [...new Set(part === 'dates' ? ahead : tasks.filter(isAsked))];
  if (units.length === 0) return undefined;
  const items = units.map(toFoldedResult);
  const saidBy = groupBy(dates, ({ unit }) => unit.key);
  const contentOf = ({ unit: { key } }: FoldedResult) => {
    const said = [...new Set((saidBy.get(key) ?? []).flatMap((date) => date.said ?? []))];
    return said.length === 0 ? {} : { content: said.join(' … ') };
  };
  const packed = packResults(items.slice(0, request.k ?? source.defaultLimit), request.budget, () => []);
  return {
    query: request.query,
    mode: 'lexical',
    window: asked ?? null,
    results: packed.items.map((item) => ({
      ...toResult(item, source, marks.get(item.unit.key) ?? {}),
      ...contentOf(item),
    })),
    ...ANSWERED_WHOLE,
    tokens: packed.tokens,
    dropped: items.length - packed.items.length,
    stale: source.stale,
    warnings: source.warnings,
    ...(request.explain ? { explain: [...explainReading(reading), `agenda: ${part}`] } : {}),
  };
}
