import { isUtf8 } from 'node:buffer';
import { convert } from 'html-to-text';
import PostalMime, { type Address, type Email } from 'postal-mime';
import { groupBy } from '../../base/order.js';
import { isQuotedLine } from '../../line/day.js';
import { type ExportChat, type ExportEntry, localTimeReader } from './entry.js';

/** Marks that mail programs put before the subject of an answer or a copy. */
const ANSWER = /^(?:(?:re|aw|antw|sv|vs|rv|res|fwd?|wg|tr)(?:\[\d+\])?\s*[:：]\s*)+/i;
/** The marks of a copy. What such a mail repeats is new to whom it is sent. */
const COPY = /^\s*(?:fwd?|wg|tr|rv)\b/i;
/** A line with a label, as in the header that mail programs put before the text that they answer. */
const LABELLED = /^[*_\s]*\p{L}[\p{L} -]{1,15}[*_]*\s*[:：][*_]*\s\S/u;
/** Lines from this length on are taken for lines that a mail program broke. */
const BROKEN_LINE = 60;

/**
 * Reads mails, one chat for each subject. Text that a mail repeats from an earlier one is left out. Pure.
 * @param bytes a mail, or an mbox
 */
export async function readMail(bytes: Buffer, zone: string): Promise<readonly ExportChat[]> {
  // Each byte is one character here, because every mail has encodings of its own.
  const all = bytes.toString('latin1');
  const isMbox = all.startsWith('From ');
  const parts = isMbox ? all.split(/^From \S.*\d{4}(?: [+-]\d{4})?\r?\n/m) : [all];
  const localTime = localTimeReader(zone);
  const mails: { readonly title: string; readonly at: number; readonly entry: ExportEntry }[] = [];
  for (const part of parts) {
    if (part.trim() === '') continue;
    const mail = await parseMail(isMbox ? part.replace(/^>(>*From )/gm, '$1') : part);
    const { subject = '', inReplyTo, references, from, date = '' } = mail;
    const title = subject.replace(ANSWER, '').trim();
    const isLinked = inReplyTo !== undefined || references !== undefined;
    const isAnswer = !COPY.test(subject) && (isLinked || title !== subject.trim());
    const [speaker = 'Unknown'] = namesIn(from === undefined ? [] : [from]);
    const at = Date.parse(date);
    mails.push({ title, at, entry: { ...localTime(at), speaker, text: textOf(mail, isAnswer) } });
  }
  const sorted = mails.toSorted((a, b) => (a.at || 0) - (b.at || 0));
  return [...groupBy(sorted, ({ title }) => title.toLowerCase()).values()].map((thread) => ({
    program: 'mail',
    title: thread[0]?.title || 'No subject',
    entries: thread.map(({ entry }) => entry),
    leftOut: 0,
  }));
}

/** @param source a mail, with one character for each byte. Without an encoding, bytes that are not UTF-8 count as Latin. */
function parseMail(source: string): Promise<Email> {
  const bytes = Buffer.from(source, 'latin1');
  const isLatin = !isUtf8(bytes) && !/charset/i.test(source);
  return PostalMime.parse(isLatin ? new TextDecoder('windows-1252').decode(bytes) : bytes, MAIL_OPTIONS);
}

/** A mail that is attached to a mail counts as a file. */
const MAIL_OPTIONS = { forceRfc822Attachments: true, maxHeadersSize: 2 ** 40, maxNestingDepth: 2 ** 40 };

/** The text of a mail with the names of its files and of whom it was sent to. */
function textOf({ text = '', html = '', attachments, to = [], cc = [] }: Email, isAnswer: boolean): string {
  const body = (text.trim() === '' ? plainText(html, isAnswer) : text).split(/\r?\n/);
  const own = isAnswer ? withoutAnswered(body) : body;
  const end = own.findIndex((line) => /^-- ?$/.test(line));
  const lines = joinBroken(end < 0 ? own : own.slice(0, end));
  // A picture that is part of the text has an id.
  const files = attachments.flatMap(({ filename, contentId }) => (contentId === undefined && filename) || []);
  const receivers = namesIn([...to, ...cc]).join(', ');
  const named = files.map((file) => `(file ${file})`);
  return [...lines, ...named, ...(receivers === '' ? [] : [`(to ${receivers})`])].join('\n');
}

/** The text of HTML. @param isQuoting whether the lines of quotes begin with `>` */
function plainText(html: string, isQuoting: boolean): string {
  return convert(html, {
    wordwrap: false,
    limits: { maxDepth: MOST_DEPTH, maxInputLength: html.length },
    selectors: [
      { selector: 'a', options: { ignoreHref: true } },
      ...['img', 'hr'].map((selector) => ({ selector, format: 'skip' })),
      { selector: 'ul', options: { itemPrefix: '- ' } },
      { selector: 'blockquote', format: isQuoting ? 'blockquote' : 'block' },
      ...['td', 'th', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, format: 'block' })),
    ],
  });
}

/** Maximum nesting of HTML. The library falls over with some thousands. */
const MOST_DEPTH = 500;

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
function namesIn(addresses: readonly Address[]): readonly string[] {
  const all = addresses.flatMap((one) => one.group ?? [one]);
  return all.flatMap(({ name, address }) => name.trim() || address.trim().split('@')[0] || []);
}
