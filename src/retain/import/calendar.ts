import { basename } from 'node:path';
import ICAL from 'ical.js';
import { tryWithFallback } from '../../base/failure.js';
import { addDays, parseDay } from '../../language/time/calendar.js';
import { readInstant } from '../../workspace/clock.js';
import { type ExportChat, type ExportEntry, localTimeReader } from './entry.js';

type Moment = Pick<ExportEntry, 'day' | 'time'>;
/** Reads a time of a calendar. A zone with an unknown name counts as the own. */
type ToLocal = (at: ICAL.Time | null, zone?: unknown) => Moment;

/**
 * Reads the events of a calendar (iCalendar, `.ics`), with their days and hours in a zone. An event that repeats is one entry
 * on its first day, with the rule in words. A line that breaks the format is left
 * out. Pure.
 */
export function readCalendar(path: string, text: string, zone: string): ExportChat {
  const calendars = readComponents(text);
  const toLocal = momentReader(zone);
  const entries = calendars.flatMap((calendar) => {
    const isCalledOff = textIn(calendar, 'method').toUpperCase() === 'CANCEL';
    const events = calendar.getAllSubcomponents('vevent');
    return events.flatMap((event) => tryWithFallback(() => readEvent(event, toLocal, isCalledOff), undefined) ?? []);
  });
  // The library knows no escapes in a property that is not part of the standard.
  const named = calendars.map((calendar) => textIn(calendar, 'x-wr-calname').replace(/\\(.)/g, '$1'));
  const title = named.find((name) => name !== '') ?? basename(path).replace(/\.ics$/i, '');
  return { program: 'calendar', title, entries, leftOut: entries.filter(({ isCancelled }) => isCancelled).length };
}

// Some programs write a day where the format wants a time.
ICAL.design.strict = false;

/** The calendars of a file. The library reads no file with a broken line, so it gets the lines one by one. */
function readComponents(text: string): readonly ICAL.Component[] {
  const calendars: ICAL.Component[] = [];
  const open: ICAL.Component[] = [];
  for (const line of text
    .trimStart()
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)) {
    const [, word, name = ''] = /^(begin|end):\s*(\S+)/i.exec(line) ?? [];
    const parent = open.at(-1);
    if (word === undefined) tryWithFallback(() => parent?.addProperty(readProperty(line)), undefined);
    else if (/end/i.test(word)) open.pop();
    else {
      const component = new ICAL.Component(name.toLowerCase());
      if (parent === undefined) calendars.push(component);
      else parent.addSubcomponent(component);
      open.push(component);
    }
  }
  return calendars;
}

/** Reads a line. Throws also for a value of which the library would complain only later. */
function readProperty(line: string): ICAL.Property {
  ICAL.Property.fromString(line).getValues();
  return ICAL.Property.fromString(line);
}

function readEvent(component: ICAL.Component, toLocal: ToLocal, isCalledOff: boolean): ExportEntry | undefined {
  const { startDate, endDate, attendees } = new ICAL.Event(component, { exceptions: [] });
  const zone = component.getFirstProperty('dtstart')?.getParameter('tzid');
  const start = toLocal(startDate, zone);
  const summary = textIn(component, 'summary');
  if (start.day === null || summary === '') return undefined;
  const end = toLocal(endDate, component.getFirstProperty('dtend')?.getParameter('tzid') ?? zone);
  const names = attendees.map((one) => String(one.getParameter('cn') ?? '')).filter((name) => /^[^@]+$/.test(name));
  const rule = component.getFirstPropertyValue('rrule');
  const left = component.getAllProperties('exdate').flatMap((property) => {
    const times: readonly ICAL.Time[] = property.getValues();
    return times.flatMap((time) => toLocal(time, property.getParameter('tzid')).day ?? []);
  });
  const parts = [
    summary,
    hoursOf(start, end),
    textIn(component, 'location').replace(/\n+/g, ', '),
    names.length === 0 ? '' : `with ${names.slice(0, 8).join(', ')}`,
    rule instanceof ICAL.Recur ? `${ruleInWords(rule, toLocal)}, from ${start.day}` : '',
    left.length === 0 ? '' : `except ${left.join(', ')}`,
  ];
  return {
    ...start,
    speaker: null,
    text: `${parts.filter((part) => part !== '').join(', ')}\n${textIn(component, 'description').replace(/<[^>]*>/g, ' ')}`,
    key: `${textIn(component, 'uid') || summary} ${textIn(component, 'recurrence-id').replace(/[-:]/g, '')}`,
    isCancelled: isCalledOff || textIn(component, 'status').toUpperCase() === 'CANCELLED',
  };
}

function textIn(component: ICAL.Component, name: string): string {
  return String(component.getFirstPropertyValue(name) ?? '').trim();
}

function momentReader(ownZone: string): ToLocal {
  const toLocal = localTimeReader(ownZone);
  return (at, zone) => {
    const [written = '', clock = ''] = at?.toString().split('T') ?? [];
    const local = { day: parseDay(written), time: clock.slice(0, 'HH:MM'.length) };
    if (at === null || at.isDate) return local;
    const named =
      typeof zone === 'string'
        ? tryWithFallback(() => readInstant(`${written}T${local.time}`, zone), undefined)
        : undefined;
    if (named !== undefined) return toLocal(named);
    return at.zone.tzid === 'floating' ? local : toLocal(at.toUnixTime() * 1000);
  };
}

/** The hours of an event, or the last day of one that takes several. The end of a whole day is the next day. */
function hoursOf(start: Moment, end: Moment): string {
  if (start.time === '') {
    const last = end.day === null ? start.day : addDays(end.day, -1);
    return last !== null && start.day !== null && last > start.day ? `until ${last}` : '';
  }
  if (end.day === start.day) return end.time === start.time ? start.time : `${start.time}–${end.time}`;
  return `${start.time} until ${end.day} ${end.time}`;
}

const WEEKDAYS = ['', 'Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
/** From the last to the fourth; a day without a place is at zero. */
const PLACES = ['last ', '', 'first ', 'second ', 'third ', 'fourth '];

/** A rule such as `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO` as `every 2 weeks on Monday`. */
function ruleInWords({ freq, interval, count, until, parts }: ICAL.Recur, toLocal: ToLocal): string {
  const unit = freq === 'DAILY' ? 'day' : freq.replace('LY', '').toLowerCase();
  const days = (parts.BYDAY ?? []).map(
    (day) => `${PLACES[Number.parseInt(day, 10) + 1] ?? ''}${WEEKDAYS[ICAL.Recur.icalDayToNumericDay(day.slice(-2))]}`,
  );
  return [
    interval > 1 ? `every ${interval} ${unit}s` : `every ${unit}`,
    days.length > 0 ? ` on ${days.join(' and ')}` : '',
    until === null ? '' : ` until ${toLocal(until).day}`,
    count === null ? '' : ` ${count} times`,
  ].join('');
}
