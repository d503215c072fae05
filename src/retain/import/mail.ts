import { groupBy } from '../../base/order.js';
import { isQuotedLine } from '../../line/day.js';
import { type ExportChat, type ExportEntry, localTimeReader } from './entry.js';
import { decodeWords, parseMail } from './mime.js';

/** The line before each message of an mbox: `From anna@example.org Mon Mar  2 09:20:00 2026`. */
const MBOX = /^From \S.*\d{4}(?: [+-]\d{4})?\r?$/m;
/** Marks that mail programs put before the subject of an answer or a copy. */
const ANSWER = /^(?:(?:re|aw|antw|sv|vs|rv|res|fwd?|wg|tr)(?:\[\d+\])?\s*[:：]\s*)+/i;
/** The marks of a copy. What such a mail repeats is new to whom it is sent. */
const COPY = /^\s*(?:fwd?|wg|tr|rv)\b/i;
/** A line with a label, as in the header that mail programs put before the text that they answer. */
const LABELLED = /^[*_\s]*\p{L}[\p{L} -]{1,15}[*_]*\s*[:：][*_]*\s\S/u;
/** Lines from this length on are taken for lines that a mail program broke. */
const BROKEN_LINE = 60;

/** Whether a text is a mail, or an mbox with mails. */
export function isMail(text: string): boolean {
  const head = text.slice(0, 64_000).split(/\r?\n\r?\n/, 1)[0] ?? '';
  return (
    MBOX.test(head.split('\n', 1)[0] ?? '') ||
    (/^[\w-]+: /.test(head) && /^from:/im.test(head) && /^date:/im.test(head))
  );
}

/**
 * Reads mails, one chat for each subject. Text that a mail repeats from an earlier one is left out. Pure.
 * @param bytes a mail, or an mbox
 */
export function readMail(bytes: Buffer, zone: string): readonly ExportChat[] {
  // Each byte is one character here, because every mail has encodings of its own.
  const all = bytes.toString('latin1');
  const isMbox = MBOX.test(all.slice(0, all.indexOf('\n')));
  const parts = isMbox ? all.split(/(?:^|\n)From \S.*\d{4}(?: [+-]\d{4})?\r?\n/) : [all];
  const mails = parts.flatMap((part) => {
    if (part.trim() === '') return [];
    const { fields, read } = parseMail(isMbox ? part.replace(/^>(>*From )/gm, '$1') : part);
    const subject = decodeWords(fields.get('subject') ?? '');
    const title = subject.replace(ANSWER, '').trim();
    const isLinked = fields.has('in-reply-to') || fields.has('references');
    const isAnswer = !COPY.test(subject) && (isLinked || title !== subject.trim());
    const at = Date.parse((fields.get('date') ?? '').slice(0, 100).replace(/\([^()]*\)$/, ''));
    const [speaker = 'Unknown'] = namesIn(fields.get('from'));
    return [{ title, at, speaker, text: textOf(fields, read(isAnswer), isAnswer) }];
  });
  const localTime = localTimeReader(zone);
  const sorted = mails.toSorted((a, b) => (a.at || 0) - (b.at || 0));
  return [...groupBy(sorted, ({ title }) => title.toLowerCase()).values()].map((thread) => ({
    program: 'mail',
    title: thread[0]?.title || 'No subject',
    entries: thread.map(({ at, speaker, text }): ExportEntry => ({ ...localTime(at), speaker, text })),
    leftOut: 0,
  }));
}

/** The text of a mail with the names of its files and of whom it was sent to. */
function textOf(
  fields: ReadonlyMap<string, string>,
  { text, files }: { readonly text: string; readonly files: readonly string[] },
  isAnswer: boolean,
): string {
  const body = text.split('\n');
  const own = isAnswer ? withoutAnswered(body) : body;
  const end = own.findIndex((line) => /^-- ?$/.test(line));
  const to = [...namesIn(fields.get('to')), ...namesIn(fields.get('cc'))];
  const lines = joinBroken(end < 0 ? own : own.slice(0, end));
  const named = files.map((file) => `(file ${file})`);
  return [...lines, ...named, ...(to.length === 0 ? [] : [`(to ${to.join(', ')})`])].join('\n');
}

/** The lines that an answer adds: without quotes, the line that introduces them, and a copy of the mail with its header. */
function withoutAnswered(lines: readonly string[]): readonly string[] {
  const copy = lines.findIndex((_, at) => [0, 1, 2].every((next) => LABELLED.test(lines[at + next] ?? '')));
  const before = lines.slice(0, copy < 0 ? undefined : copy);
  const rule = before.findLastIndex((line) => line.trim() !== '');
  if (copy >= 0 && /^\s*[-_]{5}/.test(before[rule] ?? '')) before.length = rule;
  const first = before.findIndex(isQuotedLine);
  const lead = first < 0 ? -1 : before.slice(0, first).findLastIndex((line) => line.trim() !== '');
  const isLead = /[:：]\s*$/.test(before[lead] ?? '');
  // A long introduction is broken into two lines.
  const leadStart =
    isLead && (before[lead - 1] ?? '').trim() !== '' && !/\d{4}/.test(before[lead] ?? '') ? lead - 1 : lead;
  return before.filter((line, at) => !isQuotedLine(line) && !(isLead && at >= leadStart && at <= lead));
}

/** Joins the lines of a paragraph that a mail program broke. Items of lists stay lines of their own. */
function joinBroken(lines: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1] ?? '';
    const isRest = before.length >= BROKEN_LINE && line.trim() !== '' && !/^\s*(?:[-*•]|\d{1,3}[.)])\s/.test(line);
    if (isRest && joined.length > 0) joined[joined.length - 1] += ` ${line.trim()}`;
    else joined.push(line);
  }
  return joined;
}

/** The names in a list of addresses. An address without a name gives its part before the `@`. */
function namesIn(addresses = ''): readonly string[] {
  return (addresses.match(/(?:"[^"]*"|[^,"])+/g) ?? []).flatMap((one) => {
    const [, name = '', address = one] = /^([^<]*)<([^<>]*)>/.exec(one.trim()) ?? [];
    const said = decodeWords(name.replaceAll('"', '')).trim() || address.trim().split('@')[0];
    return said || [];
  });
}
