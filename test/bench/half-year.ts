import { openWorkspace } from '../../src/app/workspace.js';
import type { Day } from '../../src/base/clock.js';
import { addDays } from '../../src/language/time/calendar.js';
import { readOpinionsPage } from '../../src/memory/opinions-page.js';
import { relating } from '../support/asked-pairs.js';
import type { FakeOllama } from '../support/ollama/server.js';
import { Random } from '../support/random.js';
import { TemporaryWorkspace } from '../support/workspace.js';
import { type Topic, WORDS, type Wordings } from './half-year-words.js';

/** A scripted half-year: the notes of each day, and the truth. */
interface HalfYear {
  readonly days: readonly { readonly day: Day /** Of `memory/<day>.md`. */; readonly lines: readonly string[] }[];
  /** Text of `bank/opinions.md` on the evening before the first day. */
  readonly initialOpinions: string;
  /** One for each opinion of that page. */
  readonly truth: readonly OpinionTruth[];
  /** The first of each pair should have the higher confidence at the end of the last day. */
  readonly pairs: readonly { readonly higher: Belief; readonly lower: Belief }[];
  /** From `day` on another value is true, and almost all notes say so. */
  readonly flips: readonly { readonly opinion: string; readonly newValue: string; readonly day: string }[];
}

interface OpinionTruth {
  readonly opinion: string;
  readonly entity: string;
  /** The text on the page, without the entity. */
  readonly text: string;
  readonly course: Course;
  /** Whether it is true, for each day of `days`. */
  readonly holds: readonly boolean[];
  /** Other values in plain words, and their true days; none for a value that is only stated by mistake. */
  readonly competing: readonly { readonly text: string; readonly holds: readonly boolean[] }[];
}

/** A statement that an opinion may be about: with an id that of the page, else one that may appear. */
interface Belief {
  readonly opinion: string | null;
  readonly entity: string;
  readonly text: string;
}

/**
 * `stable`: always true. `wrong`: never true. `flip`: false from one day on. `drift`: the notes change over 40 days, and the
 * truth in the middle. `noise`: true, though one note in six contradicts it. `cron`: like `flip`, but a job still writes the
 * old value every day.
 */
type Course = 'stable' | 'wrong' | 'flip' | 'drift' | 'noise' | 'cron';

const FIRST_DAY = '2025-07-01';
const DAYS = 184;
const DRIFT_DAYS = 40;
/** One in this number of notes that contradict the page uses other words than the plain ones. */
const VARIED_IN = 3;
const NOISE = { noise: 1 / 6, other: 0.02 } as const;

/** The course of each topic. */
// biome-ignore format: ten a line
const COURSES: readonly Course[] = [
  'stable', 'flip', 'noise', 'wrong', 'drift', 'stable', 'flip', 'cron', 'noise', 'stable',
  'flip', 'wrong', 'stable', 'drift', 'noise', 'flip', 'cron', 'stable', 'wrong', 'drift',
  'noise', 'stable', 'flip', 'wrong', 'stable', 'drift', 'flip', 'noise', 'cron', 'stable',
];

/** The same seed gives the same half-year on every machine. */
export function halfYear(seed: number): HalfYear {
  const random = new Random(seed);
  const stories = WORDS.topics.map((topic, index) => new Story(topic, COURSES[index] ?? 'stable', random));
  const days = Array.from({ length: DAYS }, (_, at) => {
    const day = addDays(FIRST_DAY, at);
    return { day, lines: dayLines(day, at, stories, random) };
  });
  return {
    days,
    initialOpinions: `# Opinions\n\n${stories.map((story) => story.pageItem()).join('')}`,
    truth: stories.map((story) => story.truth()),
    pairs: pairsOf(stories),
    flips: stories.flatMap((story) => story.flip() ?? []),
  };
}

function dayLines(day: string, at: number, stories: readonly Story[], random: Random): readonly string[] {
  const facts = stories.flatMap((story) => story.facts(at));
  if (random.next() < 0.5) facts.push(random.pick(WORDS.others));
  const remarks = random.next() < 0.6 ? [random.pick(WORDS.remarks), ''] : [];
  const cron = stories.flatMap((story) => story.cronLines(at));
  const retain = facts.length === 0 ? [] : ['## Retain', '', ...shuffled(facts, random).map((fact) => `- ${fact}`)];
  return [`# ${day}`, '', ...remarks, ...retain, ...cron];
}

/** The course of one opinion. */
class Story {
  readonly opinion: string;
  private readonly prior: number;
  /** First day with another true value, if any. */
  private readonly turn: number;
  private readonly rate: number;
  /** Number of notes that have contradicted the page so far, and which of the next three uses varied words. */
  private contradictions = 0;
  private varied: number;

  constructor(
    readonly topic: Topic,
    readonly course: Course,
    private readonly random: Random,
  ) {
    this.opinion = `o-${Array.from({ length: 13 }, () => '0123456789abcdefghjkmnpqrstvwxyz'.charAt(random.between(0, 31))).join('')}`;
    this.prior = random.between(55, 80) / 100;
    this.turn = turnOf(course, random);
    this.rate = random.between(10, 20) / 100;
    this.varied = random.between(0, VARIED_IN - 1);
  }

  /** Whether the value of the page is true on a day. */
  holds(at: number): boolean {
    return at < this.turn;
  }

  facts(at: number): string[] {
    const { random } = this;
    // A new value is mentioned more often.
    const isNews = this.turn > 0 && at >= this.turn && at < this.turn + 30 && this.course !== 'drift';
    if (random.next() >= (isNews ? Math.max(0.35, this.rate) : this.rate)) return [];
    const said = this.saidValue(at);
    const facts = [this.fact(said)];
    // One day may say it twice, in the same or other words; that is no additional evidence.
    if (random.next() < 0.12) facts.push(facts[0] ?? '');
    else if (random.next() < 0.08) facts.push(this.fact(said));
    return facts;
  }

  /** Mostly the true value; sometimes a note is wrong. */
  private saidValue(at: number): number {
    const { random, topic } = this;
    const isMistaken = random.next() < (this.course === 'noise' ? NOISE.noise : NOISE.other);
    const saysPage = this.course === 'drift' ? random.next() >= this.drifted(at) : this.holds(at);
    if (!isMistaken) return saysPage ? 0 : 1;
    return saysPage ? random.between(1, topic.length - 3) : 0;
  }

  /** The share of notes with the new value: from 0 to 1 around the change. */
  private drifted(at: number): number {
    return Math.min(1, Math.max(0, (at - this.turn) / DRIFT_DAYS + 0.5));
  }

  private fact(said: number): string {
    const [entity, kind, ...values] = this.topic;
    const wordings = values[said] ?? values[0];
    return `${kind}${kind === 'O' ? this.confidence() : ''} @${entity}: ${this.wording(wordings, said)}${this.end(entity)}`;
  }

  private wording([plain, ...varied]: Wordings, said: number): string {
    if (said === 0) return this.random.next() < 0.25 ? this.random.pick(varied) : plain;
    const turn = this.contradictions++ % VARIED_IN;
    const isVaried = turn === this.varied;
    if (turn === VARIED_IN - 1) this.varied = this.random.between(0, VARIED_IN - 1);
    return isVaried ? this.random.pick(varied) : plain;
  }

  private confidence(): string {
    const dice = this.random.next();
    return dice < 0.4 ? '(c=0.9)' : dice < 0.7 ? '(c=0.8)' : dice < 0.8 ? '(c=0.6)' : '';
  }

  private end(entity: string): string {
    const isChinese = /\p{Script=Han}/u.test(entity);
    return this.random.next() < 0.3 ? (isChinese ? '。' : '.') : '';
  }

  /** The job does not notice the change. It writes as such jobs do: under its name, as summaries. */
  cronLines(at: number): string[] {
    if (this.course !== 'cron' || at < 10) return [];
    const [entity, kind, [plain]] = this.topic;
    const said = `@${entity}: ${plain}`;
    return [
      '',
      `[cron:7f3a nightly-digest] ${said}`,
      '',
      `- ${kind} [cron:7f3a nightly-digest] ${said}`,
      `- S ${said}`,
    ];
  }

  pageItem(): string {
    const { opinion, prior } = this;
    const [entity, , [plain]] = this.topic;
    const written = prior.toFixed(2);
    const before = addDays(FIRST_DAY, -1);
    return (
      `- O(c=${written}) @${entity}: ${plain} ^${opinion}\n` +
      `  - prior: ${written} (${before})\n  - updated: ${before}\n`
    );
  }

  truth(): OpinionTruth {
    const { opinion, course } = this;
    const [entity, , [text], ...others] = this.topic;
    const holds = Array.from({ length: DAYS }, (_, at) => this.holds(at));
    const competing = others.map(([plain], index) => ({
      text: plain,
      holds: holds.map((isPage) => !isPage && index === 0),
    }));
    return { opinion, entity, text, course, holds, competing };
  }

  flip(): HalfYear['flips'][number] | undefined {
    if (this.course !== 'flip' && this.course !== 'cron') return undefined;
    return { opinion: this.opinion, newValue: this.topic[3][0], day: addDays(FIRST_DAY, this.turn) };
  }

  /** The true value at the end, and the belief of the page if that is another. */
  outcome(): { readonly right: Belief; readonly wrong: Belief | undefined } {
    const [entity, , [before], [after]] = this.topic;
    const page = { opinion: this.opinion, entity, text: before };
    if (this.holds(DAYS - 1)) return { right: page, wrong: undefined };
    return { right: { opinion: null, entity, text: after }, wrong: page };
  }
}

function turnOf(course: Course, random: Random): number {
  if (course === 'wrong') return 0;
  if (course === 'flip' || course === 'cron') return random.between(50, 120);
  return course === 'drift' ? random.between(60, 110) : DAYS;
}

/** Pairs each belief that is right at the end with each wrong belief of the page. */
function pairsOf(stories: readonly Story[]): HalfYear['pairs'] {
  const outcomes = stories.map((story) => story.outcome());
  return outcomes.flatMap(({ right }) =>
    outcomes.flatMap(({ wrong }) => (wrong === undefined ? [] : [{ higher: right, lower: wrong }])),
  );
}

function shuffled<T>(values: readonly T[], random: Random): readonly T[] {
  const left = [...values];
  for (let i = left.length - 1; i > 0; i--) {
    const j = random.between(0, i);
    const [a, b] = [left[i], left[j]];
    if (a !== undefined && b !== undefined) [left[i], left[j]] = [b, a];
  }
  return left;
}

type OracleVerdict = 'supports' | 'contradicts' | 'unrelated';

/**
 * The verdict of a reader who knows all wordings about a fact and an opinion. Accepts statements with or without kind,
 * confidence, entities, block id and final period; a text that is no wording of the half-year is unrelated to everything.
 */
export function verdictOracle(factText: string, opinionText: string): OracleVerdict {
  const [fact, opinion] = [KNOWN.get(bare(factText)), KNOWN.get(bare(opinionText))];
  if (fact === undefined || opinion === undefined || fact.topic !== opinion.topic) return 'unrelated';
  return fact.value === opinion.value ? 'supports' : 'contradicts';
}

/** The topic and value of each wording. */
const KNOWN: ReadonlyMap<string, { readonly topic: number; readonly value: number }> = new Map(
  WORDS.topics.flatMap(([, , ...values], topic) =>
    values.flatMap((wordings, value) => wordings.map((text) => [bare(text), { topic, value }] as const)),
  ),
);

function bare(text: string): string {
  return text
    .trim()
    .replace(/^[-*+] /, '')
    .replace(/^[WBOS](?:\(c=[\d.]+\))? /, '')
    .replace(/^(?:@[\p{L}\p{N}_.-]+[,\s]*)+[:：]?\s*/u, '')
    .replace(/\s\^[fo]-[0-9a-z]{13}$/, '')
    .replace(/\s*[.。]$/, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

export interface HalfYearRun {
  readonly pairs: number;
  /** Pairs whose true belief ranks above the false one at the end. */
  readonly right: number;
  readonly wrong: readonly string[];
  readonly flips: number;
  /** Flips whose new belief ranked above the old one within three contradicting days. */
  readonly inTime: number;
  readonly late: readonly string[];
}

interface HalfYearOptions {
  /** Number of days between runs of reflect. */
  readonly every?: number;
  /** Answers as the model; without it the rules judge. */
  readonly server?: FakeOllama;
}

/** Writes each day of a half-year to its log, and reflects on the next morning. */
export async function liveThrough(year: HalfYear, { every = 1, server }: HalfYearOptions = {}): Promise<HalfYearRun> {
  const workspace = new TemporaryWorkspace({ 'bank/opinions.md': year.initialOpinions });
  try {
    const watch = new FlipWatch(year);
    const { days } = year;
    const last = year.days.at(-1)?.day ?? '0000-01-01';
    for (const [index, { day, lines }] of days.entries()) {
      workspace.write(`memory/${day}.md`, `${lines.join('\n')}\n`);
      if ((index + 1) % every !== 0 && index + 1 < days.length) continue;
      await reflectAt(workspace, addDays(every === 1 ? day : last, 1), server);
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
    };
  } finally {
    workspace.dispose();
  }
}

/** Gives a server a model that knows all wordings of the half-year and answers nothing about entities. */
export function answerAsOracle(server: FakeOllama): void {
  server.answer((asked) => {
    const pairs = [...asked.matchAll(/^pair (\d+)\nopinion[^:]*: (.*)\nfact of [\d-]+: (.*)$/gm)];
    const verdicts = pairs.map(([, pair, opinion = '', fact = '']) => {
      const said = verdictOracle(fact, opinion);
      return { pair: Number(pair), verdict: said === 'unrelated' ? 'none' : said };
    });
    return relating(asked, 'both') ?? (pairs.length > 0 ? { verdicts } : { sentences: [] });
  });
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
