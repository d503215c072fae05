import { openWorkspace } from '../../src/app/workspace.js';
import { addDays } from '../../src/language/time/calendar.js';
import { readOpinionsPage } from '../../src/memory/opinions-page.js';
import { type Belief, type HalfYear, verdictOracle } from '../bench/half-year.js';
import { relating } from './asked-pairs.js';
import type { FakeOllama } from './ollama/server.js';
import { TemporaryWorkspace } from './workspace.js';

export interface HalfYearRun {
  readonly pairs: number;
  /** Pairs whose true belief ranks above the false one at the end. */
  readonly right: number;
  readonly wrong: readonly string[];
  readonly flips: number;
  /** Flips whose new belief ranked above the old one within three contradicting days. */
  readonly inTime: number;
  readonly late: readonly string[];
  /** Confidences at the end, by id. */
  readonly confidences: ReadonlyMap<string, number>;
}

interface HalfYearOptions {
  /** Number of days between runs of reflect. */
  readonly every?: number;
  /** Answers as the model; without it the rules judge. */
  readonly server?: FakeOllama;
  /** The order in which the days are written. */
  readonly order?: (days: HalfYear['days']) => HalfYear['days'];
}

/** Writes each day of a half-year to its log, and reflects on the next morning. */
export async function liveThrough(
  year: HalfYear,
  { every = 1, server, order = (days) => days }: HalfYearOptions = {},
): Promise<HalfYearRun> {
  const workspace = new TemporaryWorkspace({ 'bank/opinions.md': year.initialOpinions });
  try {
    const watch = new FlipWatch(year);
    const days = order(year.days);
    const last = year.days.at(-1)?.day ?? '0000-01-01';
    for (const [index, { day, lines }] of days.entries()) {
      workspace.write(`memory/${day}.md`, `${lines.join('\n')}\n`);
      if ((index + 1) % every !== 0 && index + 1 < days.length) continue;
      await reflectAt(workspace, addDays(every === 1 && order(year.days) === year.days ? day : last, 1), server);
      watch.after(day, lines, beliefsOf(workspace));
    }
    const beliefs = beliefsOf(workspace);
    const wrong = year.pairs.filter(
      ({ higher, lower }) => confidenceOf(higher, beliefs) <= confidenceOf(lower, beliefs),
    );
    return {
      pairs: year.pairs.length,
      right: year.pairs.length - wrong.length,
      wrong: wrong.map(
        ({ higher, lower }) =>
          `${higher.text} (${confidenceOf(higher, beliefs).toFixed(2)}) / ${lower.text} (${confidenceOf(lower, beliefs).toFixed(2)})`,
      ),
      ...watch.result(),
      confidences: new Map(beliefs.map(({ id, confidence }) => [id, confidence])),
    };
  } finally {
    workspace.dispose();
  }
}

/** Gives a server a model that knows all wordings of the half-year and answers nothing about entities. */
export function answerAsOracle(server: FakeOllama): void {
  const answer = (messages: readonly { readonly content: string }[]) => {
    const asked = messages.at(-1)?.content ?? '';
    const pairs = [...asked.matchAll(/^pair (\d+)\nopinion[^:]*: (.*)\nfact of [\d-]+: (.*)$/gm)];
    const verdicts = pairs.map(([, pair, opinion = '', fact = '']) => {
      const said = verdictOracle(fact, opinion);
      return { pair: Number(pair), verdict: said === 'unrelated' ? 'none' : said };
    });
    const said = relating(asked, 'both') ?? (pairs.length > 0 ? { verdicts } : { sentences: [] });
    return { content: JSON.stringify(said) };
  };
  const { replies } = server;
  // An endless list of replies.
  replies.shift = () => answer;
}

async function reflectAt(workspace: TemporaryWorkspace, day: string, server: FakeOllama | undefined): Promise<void> {
  const env = { ...workspace.env, ...(server === undefined ? {} : { OLLAMA_HOST: server.url }) };
  const opened = await openWorkspace({ workspace: workspace.root, now: `${day}T03:40:00Z`, timezone: 'UTC', env });
  await (await opened.reflection()).run(server === undefined ? { maxCalls: 0 } : {});
}

interface Believed {
  readonly id: string;
  readonly text: string;
  readonly confidence: number;
}

function beliefsOf(workspace: TemporaryWorkspace): readonly Believed[] {
  return readOpinionsPage(workspace.read('bank/opinions.md')).map(({ id, bullet, confidence, mark }) => ({
    id,
    text: bullet.text,
    confidence: mark?.confidence ?? confidence,
  }));
}

/** The confidence of the page's opinion, or of the surest one with the same statement. */
function confidenceOf({ opinion, text }: Belief, beliefs: readonly Believed[]): number {
  const same = beliefs.filter(
    (belief) => belief.id === opinion || (opinion === null && verdictOracle(belief.text, text) === 'supports'),
  );
  return Math.max(0, ...same.map(({ confidence }) => confidence));
}

/** Counts how long the old belief ranks above the new one after the truth has changed. */
class FlipWatch {
  private readonly days = new Map<string, number>();
  private readonly outranked = new Map<string, number>();

  constructor(private readonly year: HalfYear) {}

  after(day: string, lines: readonly string[], beliefs: readonly Believed[]): void {
    for (const { opinion, newValue, day: from } of this.year.flips) {
      const old = this.year.truth.find((truth) => truth.opinion === opinion);
      if (old === undefined || day < from || this.outranked.has(opinion)) continue;
      const contradicts = lines.some(
        (line) => verdictOracle(line.replace(/^- /, ''), old.text) === 'contradicts' && !line.includes('cron'),
      );
      if (contradicts) this.days.set(opinion, (this.days.get(opinion) ?? 0) + 1);
      const [was, is] = [
        { opinion, entity: '', text: old.text },
        { opinion: null, entity: '', text: newValue },
      ];
      if (confidenceOf(is, beliefs) > confidenceOf(was, beliefs))
        this.outranked.set(opinion, this.days.get(opinion) ?? 0);
    }
  }

  result(): Pick<HalfYearRun, 'flips' | 'inTime' | 'late'> {
    const { flips } = this.year;
    const late = flips.filter(({ opinion }) => (this.outranked.get(opinion) ?? Number.POSITIVE_INFINITY) > 3);
    return {
      flips: flips.length,
      inTime: flips.length - late.length,
      late: late.map(({ opinion, newValue }) => `${newValue}: ${this.outranked.get(opinion) ?? 'never'}`),
    };
  }
}
