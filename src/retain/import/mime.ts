import { isUtf8 } from 'node:buffer';
import { tryWithFallback } from '../../base/failure.js';
import { plainText } from './html.js';

/** Maximum nesting of parts. */
const MOST_DEPTH = 20;

/**
 * Reads a mail (RFC 5322, MIME).
 * @param source the bytes of the mail, one character for each
 * @returns the header fields, by their names in lower case, and a function that reads the text and the names of files; with
 * `isWithoutQuotes` it leaves out quotes in HTML
 */
export function parseMail(source: string) {
  const { fields } = divide(source);
  const read = (isWithoutQuotes: boolean) => {
    const files: string[] = [];
    return { text: textOf(source, { files, isWithoutQuotes }, 0), files };
  };
  return { fields, read };
}

interface Reading {
  /** Gets the names of files. */
  readonly files: string[];
  readonly isWithoutQuotes: boolean;
}

function divide(source: string) {
  const end = /\r?\n\r?\n/.exec(source);
  const head = end === null ? source : source.slice(0, end.index);
  const fields = new Map<string, string>();
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const at = line.indexOf(':');
    const name = line.slice(0, at).toLowerCase();
    if (at > 0 && !fields.has(name)) fields.set(name, decode(Buffer.from(line.slice(at + 1).trim(), 'latin1')));
  }
  return { fields, body: end === null ? '' : source.slice(end.index + end[0].length) };
}

/** The text of a part. Of alternatives, the first with text: programs put the plain one first. */
function textOf(source: string, reading: Reading, depth: number): string {
  const { fields, body } = divide(source);
  const type = fields.get('content-type') ?? 'text/plain';
  const boundary = parameterOf(type, 'boundary');
  if (/^multipart\//i.test(type) && boundary !== undefined && depth < MOST_DEPTH) {
    const [, ...pieces] = `\n${body}`.split(`\n--${boundary}`);
    const last = pieces.findIndex((piece) => piece.startsWith('--'));
    const parts = (last < 0 ? pieces : pieces.slice(0, last)).map((piece) => piece.slice(piece.indexOf('\n') + 1));
    const texts = parts.map((part) => textOf(part, reading, depth + 1)).filter((text) => text.trim() !== '');
    return /^multipart\/alternative/i.test(type) ? (texts[0] ?? '') : texts.join('\n\n');
  }
  const disposition = fields.get('content-disposition') ?? '';
  const isFile = !/^text\/(?:plain|html)/i.test(type) || /^attachment/i.test(disposition);
  if (isFile) {
    const name = parameterOf(disposition, 'filename') ?? parameterOf(type, 'name');
    // A picture that is part of the text has an id.
    if (name !== undefined && !fields.has('content-id')) reading.files.push(decodeWords(name));
    return '';
  }
  const text = decode(bytesOf(body, fields.get('content-transfer-encoding')), parameterOf(type, 'charset'));
  return /^text\/html/i.test(type) ? plainText(text, reading.isWithoutQuotes) : text.replace(/\r\n?/g, '\n');
}

/** A parameter of a field: `charset=utf-8`, `filename="a.pdf"`, `filename*=utf-8''a%20b.pdf`. */
function parameterOf(field: string, name: string): string | undefined {
  const [, star, quoted, bare = ''] = new RegExp(`;\\s*${name}(\\*?)=(?:"([^"]*)"|([^\\s;]*))`, 'i').exec(field) ?? [];
  if (star === undefined) return undefined;
  return star === ''
    ? (quoted ?? bare)
    : tryWithFallback(() => decodeURIComponent(bare.replace(/^[^']*'[^']*'/, '')), bare);
}

function bytesOf(body: string, encoding = ''): Buffer {
  if (/^base64/i.test(encoding)) return Buffer.from(body, 'base64');
  return Buffer.from(/^quoted-printable/i.test(encoding) ? fromQuotedPrintable(body) : body, 'latin1');
}

function fromQuotedPrintable(text: string): string {
  return text
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Decodes bytes. An unknown or missing encoding counts as UTF-8 if the bytes are that, else as Latin. */
function decode(bytes: Buffer, encoding?: string): string {
  const guessed = isUtf8(bytes) ? 'utf-8' : 'windows-1252';
  const decoder = tryWithFallback(() => new TextDecoder(encoding ?? guessed), new TextDecoder(guessed));
  return decoder.decode(bytes);
}

/** Decodes the words of a header with letters beyond ASCII: `=?utf-8?Q?J=C3=BCrgen?=`. */
export function decodeWords(text: string): string {
  return text
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(/=\?([^?*\s]+)(?:\*[^?]*)?\?([bq])\?([^?]*)\?=/gi, (_, encoding: string, form: string, word: string) =>
      decode(
        /b/i.test(form) ? Buffer.from(word, 'base64') : bytesOf(word.replaceAll('_', ' '), 'quoted-printable'),
        encoding,
      ),
    );
}
