import { basename } from 'node:path';
import { tryWithFallback } from '../../base/failure.js';
import { addToGroup } from '../../base/order.js';
import { addDays, parseDay } from '../../language/time/calendar.js';
import { readInstant } from '../../workspace/clock.js';
import { type ExportChat, type ExportEntry, localTimeReader } from './entry.js';

/** A line of a calendar: its value, and its parameters, such as `TZID=Europe/Vienna`. */
interface Property {
  readonly value: string;
  readonly parameters: string;
}

/** The properties of an event, by name. */
type Event = ReadonlyMap<string, readonly Property[]>;

type Moment = Pick<ExportEntry, 'day' | 'time'>;

export function isCalendar(text: string): boolean {
  return /^\s*BEGIN:VCALENDAR\s/i.test(text.replace(/^\ufeff/, ''));
}

/**
 * Reads the events of a calendar (iCalendar, `.ics`), with their days and hours in a zone. An event that repeats is one entry
 * on its first day, with the rule in words. Pure.
 */
export function readCalendar(path: string, text: string, zone: string): ExportChat {
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const events: Map<string, Property[]>[] = [];
  const ofCalendar = new Map<string, Property[]>();
  const open: string[] = [];
  for (const line of lines) {
    const [, name = '', parameters = '', value = ''] =
      /^([\w-]+)((?:;[\w-]+=(?:"[^"]*"|[^":;])*)*):(.*)$/.exec(line) ?? [];
    const key = name.toUpperCase();
    if (key === 'BEGIN') {
      open.push(value.toUpperCase());
      if (open.at(-1) === 'VEVENT') events.push(new Map());
    } else if (key === 'END') open.pop();
    // An alarm or a zone inside of an event has properties of its own.
    const owner = open.at(-1) === 'VEVENT' ? events.at(-1) : open.length === 1 ? ofCalendar : undefined;
    if (owner !== undefined) addToGroup(owner, key, { value, parameters });
  }
  const toLocal = momentReader(zone);
  const isCalledOff = firstValue(ofCalendar, 'METHOD') === 'CANCEL';
  const entries = events.flatMap((event) => readEvent(event, toLocal, isCalledOff) ?? []);
  const title = plain(firstValue(ofCalendar, 'X-WR-CALNAME')) || basename(path).replace(/\.ics$/i, '');
  return { program: 'calendar', title, entries, leftOut: entries.filter(({ isCancelled }) => isCancelled).length };
}

function readEvent(event: Event, toLocal: (at?: Property) => Moment, isCalledOff: boolean): ExportEntry | undefined {
  const start = toLocal(event.get('DTSTART')?.[0]);
  const summary = plain(firstValue(event, 'SUMMARY'));
  if (start.day === null || summary === '') return undefined;
  const end = toLocal(event.get('DTEND')?.[0]);
  const who = (event.get('ATTENDEE') ?? []).flatMap(({ parameters }) => nameIn(parameters) ?? []);
  const place = plain(firstValue(event, 'LOCATION')).replace(/\n+/g, ', ');
  const parts = [
    summary,
    hoursOf(start, end),
    place,
    ...(who.length === 0 ? [] : [`with ${who.slice(0, 8).join(', ')}`]),
  ];
  const rule = ruleInWords(firstValue(event, 'RRULE'), toLocal);
  if (rule !== '') parts.push(`${rule}, from ${start.day}`);
  const left = (event.get('EXDATE') ?? []).flatMap(({ value, parameters }) =>
    value.split(',').flatMap((one) => toLocal({ value: one, parameters }).day ?? []),
  );
  if (left.length > 0) parts.push(`except ${left.join(', ')}`);
  const description = plain(firstValue(event, 'DESCRIPTION').replace(/<[^>]*>/g, ' '));
  return {
    ...start,
    speaker: null,
    text: `${parts.filter((part) => part !== '').join(', ')}\n${description}`,
    key: `${firstValue(event, 'UID') || summary} ${firstValue(event, 'RECURRENCE-ID')}`,
    isCancelled: isCalledOff || firstValue(event, 'STATUS').toUpperCase() === 'CANCELLED',
  };
}

function firstValue(event: Event, name: string): string {
  return event.get(name)?.[0]?.value.trim() ?? '';
}

/** A text value without the escapes of the format. */
function plain(value: string): string {
  return value.replace(/\\(.)/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign)).trim();
}

function nameIn(parameters: string): string | undefined {
  const name = /;CN=(?:"([^"]*)"|([^;:]*))/i.exec(parameters);
  const said = name?.[1] ?? name?.[2] ?? '';
  return said === '' || said.includes('@') ? undefined : said;
}

/** Reads `20260506`, `20260506T180000Z` and local times of a named zone. A zone with an unknown name counts as the own. */
function momentReader(zone: string): (at?: Property) => Moment {
  const toLocal = localTimeReader(zone);
  return (at) => {
    const read = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})\d{2}(Z?))?/.exec(at?.value.trim() ?? '');
    const [, year, month, date, hours, minutes, isUtc] = read ?? [];
    const day = parseDay(`${year}-${month}-${date}`);
    if (day === null || hours === undefined) return { day, time: '' };
    const named = /;TZID="?([^";:]+)/i.exec(at?.parameters ?? '')?.[1];
    const written = `${day}T${hours}:${minutes}`;
    const instant =
      isUtc === 'Z'
        ? Date.parse(`${written}Z`)
        : named && tryWithFallback(() => readInstant(written, named), undefined);
    return typeof instant === 'number' ? toLocal(instant) : { day, time: `${hours}:${minutes}` };
  };
}

/** The hours of an event, or the last day of one that takes several. The end of a whole day is the next day. */
function hoursOf(start: Moment, end: Moment): string {
  if (start.time === '') {
    const last = end.day === null ? start.day : addDays(end.day, -1);
    return last !== null && start.day !== null && last > start.day ? `until ${last}` : '';
  }
  if (end.day === null) return start.time;
  return end.day === start.day ? `${start.time}–${end.time}` : `${start.time} until ${end.day} ${end.time}`;
}

const UNITS: Readonly<Record<string, string>> = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' };
const WEEKDAYS: Readonly<Record<string, string>> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};
const PLACES: Readonly<Record<string, string>> = {
  '1': 'first ',
  '2': 'second ',
  '3': 'third ',
  '4': 'fourth ',
  '-1': 'last ',
};

/** A rule such as `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO` as `every 2 weeks on Monday`. '' for no rule. */
function ruleInWords(rule: string, toLocal: (at: Property) => Moment): string {
  const part = new Map(
    rule
      .split(';')
      .map((one) => one.split('='))
      .map(([key = '', value = '']) => [key.toUpperCase(), value]),
  );
  const unit = UNITS[part.get('FREQ')?.toUpperCase() ?? ''];
  if (unit === undefined) return '';
  const interval = Number(part.get('INTERVAL') ?? 1);
  const days = (part.get('BYDAY') ?? '').split(',').flatMap((one) => {
    const [, place = '', day = ''] = /^([+-]?\d*)(\w\w)$/.exec(one) ?? [];
    return WEEKDAYS[day] === undefined ? [] : [`${PLACES[place.replace('+', '')] ?? ''}${WEEKDAYS[day]}`];
  });
  const until = part.get('UNTIL');
  const last = until === undefined ? null : toLocal({ value: until, parameters: '' }).day;
  return [
    interval > 1 ? `every ${interval} ${unit}s` : `every ${unit}`,
    days.length > 0 ? ` on ${days.join(' and ')}` : '',
    last === null ? '' : ` until ${last}`,
    part.has('COUNT') ? ` ${part.get('COUNT')} times` : '',
  ].join('');
}
