import { existsSync } from 'node:fs';
import type { Day } from '../../src/base/clock.js';
import { addDays } from '../../src/language/time/calendar.js';
import { PAGE_LIMITS } from '../../src/reflect/pages/summary.js';
import { Random } from '../support/random.js';
import { reflectAt } from '../support/reflecting.js';
import { TemporaryWorkspace } from '../support/workspace.js';
import type { PageWordings } from './half-year-words.js';

const FIRST_DAY = '2025-07-01';
const DAYS = 184;
/** Days for which a passing state is taken to hold after its last mention, as in the settings. */
const PASSING_DAYS = 14;

/** A statement that is true from a day to a day, both included, in the words of a fact. */
interface TrueStatement {
  readonly entity: string;
  readonly text: string;
  /** Identifies the state: different words for one state share it. */
  readonly key: string;
  readonly said: Day;
  readonly from: Day;
  readonly to: Day;
  /** `state`: belongs under Now while it is true; `plan`: as planned, until its day; `event`: always. */
  readonly type: 'state' | 'plan' | 'event';
}

/** Half a year of facts about some people, and what is true on each day. */
interface PagesYear {
  readonly logs: ReadonlyMap<Day, readonly string[]>;
  readonly statements: readonly TrueStatement[];
  /** The twenty days on which pages are read. */
  readonly dates: readonly Day[];
}

const NAMES = ['Peter', 'Ingrid', 'Mateo', 'Priya', '张三', '李四'] as const;

/** The same seed and wordings give the same half-year. */
export function pagesYear(seed: number, wordings: readonly PageWordings[]): PagesYear {
  const random = new Random(seed);
  const life = new Life(random);
  for (const [index, name] of NAMES.entries()) {
    const words = wordings[index < 4 ? 0 : wordings.length - 1] ?? wordings[0];
    if (words !== undefined) life.live(name, NAMES[(index + 1) % NAMES.length] ?? 'Peter', words);
  }
  return {
    logs: life.logs,
    statements: life.statements,
    dates: Array.from({ length: 20 }, (_, i) => addDays(FIRST_DAY, 12 + i * 9 - (i % 3))),
  };
}

class Life {
  readonly logs = new Map<Day, string[]>();
  readonly statements: TrueStatement[] = [];

  constructor(private readonly random: Random) {}

  live(entity: string, other: string, words: PageWordings): void {
    const { random } = this;
    const { compounds } = words;
    const END = addDays(FIRST_DAY, DAYS);
    for (const [index, attribute] of words.attributes.entries())
      this.attribute(entity, `${index}`, { ...attribute, compounds }, END);
    for (const text of words.lasting) this.state(entity, text, text, this.day(0, 60), END);
    for (const text of words.events) this.say(entity, text, { key: text, said: this.day(0, 170), type: 'event' });
    for (const text of words.passing) {
      const said = this.day(0, 170);
      this.say(entity, text, { key: text, said, to: addDays(said, PASSING_DAYS), type: 'state' });
    }
    for (const template of words.stays) {
      const said = this.day(0, 150);
      const to = addDays(said, random.between(2, 9));
      const place = random.pick(['Lisbon', 'Rome', 'Malmö', 'Tampere']);
      const text = filled(template, { '': place, from: said, to });
      this.say(entity, text, { key: text, said, to, type: 'state' });
    }
    for (const template of words.plans) {
      const said = this.day(0, 150);
      const to = addDays(said, random.between(3, 30));
      const text = filled(template, { to });
      this.say(entity, text, { key: text, said, to, type: 'plan' });
    }
    for (const template of words.mentions) {
      const said = this.day(0, 150);
      const to = addDays(said, random.between(3, 12));
      const text = filled(template, { from: said, to, other });
      this.say(entity, text, { key: text, said, to: template.includes('{to}') ? to : END, type: 'state' });
    }
  }

  /** Consecutive values; the first is stated in one fact with other things. */
  private attribute(
    entity: string,
    name: string,
    { states, changes, values, compounds }: PageWordings['attributes'][number] & Pick<PageWordings, 'compounds'>,
    end: Day,
  ): void {
    const { random } = this;
    let from = this.day(0, 20);
    for (const [index, value] of values.entries()) {
      const to = index === values.length - 1 ? end : addDays(from, random.between(25, 60));
      const key = `${name} ${value}`;
      const until = addDays(to, -1);
      const template = random.pick(index === 0 ? states : changes);
      const compound = index === 0 && name === '0' ? random.pick([undefined, ...compounds]) : undefined;
      if (compound === undefined)
        this.say(entity, filled(template, { '': value }), { key, said: from, to: until, type: 'state' });
      else this.compound(entity, compound, { value, key, said: from, to: until, end });
      const again = addDays(from, random.between(3, 20));
      if (index > 0 && again < to && random.next() < 0.4)
        this.say(entity, filled(random.pick(states), { '': value }), {
          key,
          said: again,
          from,
          to: addDays(to, -1),
          type: 'state',
        });
      from = to;
      if (from >= end) return;
    }
  }

  /** One fact with several statements, each true for a time of its own. */
  private compound(
    entity: string,
    { text, parts }: PageWordings['compounds'][number],
    { value, key, said, to, end }: { value: string; key: string; said: Day; to: Day; end: Day },
  ): void {
    this.write(said, `- W @${entity}: ${filled(text, { '': value })}`);
    for (const part of parts) {
      const isValue = part.includes('{}');
      const own = filled(part, { '': value });
      const until = isValue ? to : end;
      this.statements.push({
        entity,
        text: own,
        key: `${entity} ${isValue ? key : own}`,
        said,
        from: said,
        to: until,
        type: 'state',
      });
    }
  }

  private state(entity: string, text: string, key: string, said: Day, to: Day): void {
    this.say(entity, text, { key, said, to, type: 'state' });
  }

  private say(
    entity: string,
    text: string,
    {
      key,
      said,
      from = said,
      to = said,
      type,
    }: Pick<TrueStatement, 'key' | 'said' | 'type'> & { readonly from?: Day; readonly to?: Day },
  ): void {
    this.statements.push({ entity, text, key: `${entity} ${key}`, said, from, to, type });
    this.write(said, `- W @${entity}: ${text}`);
  }

  write(day: Day, line: string): void {
    this.logs.set(day, [...(this.logs.get(day) ?? []), line]);
  }

  private day(from: number, to: number): Day {
    return addDays(FIRST_DAY, this.random.between(from, to));
  }
}

function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w*)\}/g, (_, name: string) => values[name] ?? '');
}

/** The result of reading the pages of a day. */
interface PageReading {
  /** Statements listed under Now. */
  shown: number;
  /** The false ones among them on that day. */
  readonly wrong: string[];
  /** True statements, and those of them that are missing. */
  due: number;
  readonly missing: string[];
  readonly lost: string[];
  readonly contradictions: string[];
}

/**
 * Compares the pages of a day with the truth.
 * @param pageOf the text of an entity's page
 */
function readPages(year: PagesYear, day: Day, pageOf: (entity: string) => string, found: PageReading): void {
  for (const entity of NAMES) {
    const lines = nowLines(pageOf(entity));
    const own = year.statements.filter((statement) => statement.entity === entity && statement.said <= day);
    for (const line of lines) readLine({ line, entity, day, own, all: year.statements }, found);
    const isDue = ({ type, from, to }: TrueStatement) => type === 'state' && from <= day && day <= to;
    for (const key of new Set(own.filter(isDue).map((one) => one.key))) {
      found.due++;
      const isThere = own.some((one) => one.key === key && lines.some((line) => says(line, one)));
      if (!isThere) found.missing.push(`${day} ${key}`);
    }
  }
}

interface ReadLine {
  readonly line: string;
  readonly entity: string;
  readonly day: Day;
  /** Statements about the entity so far. */
  readonly own: readonly TrueStatement[];
  readonly all: readonly TrueStatement[];
}

function readLine({ line, entity, day, own, all }: ReadLine, found: PageReading): void {
  const at = `${day} ${entity}: ${line}`;
  if (line.startsWith('contradiction: ')) found.contradictions.push(at);
  const bare = line.replace(/^planned: [^:]*: /, '');
  if (NAMES.some((name) => name !== entity && bare.startsWith(`${name}: `))) return;
  const mine = own.filter((one) => says(line, one));
  if (mine.length === 0 && all.some((one) => one.entity !== entity && says(line, one))) found.lost.push(at);
  for (const statement of mine) {
    found.shown++;
    if (!isTrue(statement, line, day, own)) found.wrong.push(at);
  }
}

/** Whether it is true, or repeats a true statement in other words. */
function isTrue(
  { key, type, from, to }: TrueStatement,
  line: string,
  day: Day,
  own: readonly TrueStatement[],
): boolean {
  // An event stays true: without a written day it has the day of its statement.
  if (type === 'event') return true;
  if (type === 'plan') return line.startsWith('planned: ') && day <= to;
  return (from <= day && day <= to) || own.some((one) => one.key === key && one.from <= day && day <= one.to);
}

/** Whether a line has the whole statement, or its end if the beginning is elsewhere: `left and teaches at Elmwood`. */
function says(line: string, { text }: TrueStatement): boolean {
  const [shown, said] = [line.toLowerCase(), text.toLowerCase()];
  return shown.includes(said) || (said.length > shown.length && said.endsWith(` and ${shown}`));
}

/** The lines under Now, and the line that says who somebody is. */
function nowLines(page: string): readonly string[] {
  const block = /<!-- memory:begin summary [^>]*-->\n([\s\S]*?)<!-- memory:end/.exec(page)?.[1] ?? '';
  const lines: string[] = [];
  let section = 'Now';
  for (const line of block.split('\n')) {
    section = /^\*\*([^*]+)\*\*$/.exec(line)?.[1] ?? section;
    const text = line.replace(/^- /, '').replace(/ \(\[memory\/.*$/, '');
    if (section === 'Now' && line.includes('](') && text !== '' && !line.startsWith('  - ')) lines.push(text);
  }
  return lines;
}

/** Reflects by rules on twenty days of a half-year, and reads the pages of each day. */
export async function livePages(year: PagesYear): Promise<PageReading> {
  const workspace = new TemporaryWorkspace();
  // The truth is compared with all lines, not only with those that fit on a page.
  const { now } = PAGE_LIMITS.budget;
  Object.assign(PAGE_LIMITS.budget, { now: 60 });
  const found: PageReading = { shown: 0, wrong: [], due: 0, missing: [], lost: [], contradictions: [] };
  const written = new Set<string>();
  try {
    for (const day of year.dates) {
      for (const [said, lines] of year.logs) {
        if (said > day || written.has(said)) continue;
        written.add(said);
        workspace.write(`memory/${said}.md`, `## Retain\n\n${lines.join('\n')}\n`);
      }
      await reflectAt(workspace.root, `${day}T20:00:00Z`);
      const pageOf = (entity: string): string => {
        const path = `bank/entities/${entity}.md`;
        return existsSync(workspace.path(path)) ? workspace.read(path) : '';
      };
      readPages(year, day, pageOf, found);
    }
    return found;
  } finally {
    // Other tests run in this process.
    Object.assign(PAGE_LIMITS.budget, { now });
    workspace.dispose();
  }
}
