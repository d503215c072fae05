import { isRecord } from '../../base/json.js';

/** Base64 data: `data:image/png;base64,…`, and runs of characters that are too long for a word. */
const DATA_URI = /data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.-]+)*;base64,[A-Za-z0-9+/_=-]+/g;
const LONG_RUN = /[A-Za-z0-9+/_-]{600,}={0,2}/g;
const LEAST_RUN = 600;
/**
 * The first `SAMPLE` characters show whether a text is base64. They must have letters of both cases, digits, and at least
 * `DISTINCT` different characters.
 */
const SAMPLE = 400;
const DISTINCT = 24;

/**
 * The placeholder for a part that is not text: its kind, its size, and where the original is. Undefined if the part has no
 * binary data. Pure.
 * @param place where the original is, for example `message m-… of archive_001`
 */
export function binaryPlaceholder(value: unknown, place: string): string | undefined {
  if (!isRecord(value)) return undefined;
  const texts = textsIn(value, 0);
  const data = texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
  const type = typeof value.type === 'string' ? value.type : 'part';
  if (!/image|audio|video|file|document|media|blob/i.test(type) && !isBase64(data)) return undefined;
  const mime = texts.map(mimeOf).find((found) => found !== undefined) ?? type;
  return `[${mime}, ${sizeOf(data)}, left out; the original: ${place}]`;
}

/** The text, in which the size of the data replaces each run of base64. Pure, linear. */
export function withoutBase64(text: string): string {
  const bare = text.includes(';base64,')
    ? text.replace(DATA_URI, (found, mime: string | undefined) => `[${mime ?? 'data'}, ${sizeOf(found)}, left out]`)
    : text;
  if (bare.length < LEAST_RUN) return bare;
  return bare.replace(LONG_RUN, (run) => (isBase64(run) ? `[base64, ${sizeOf(run)}, left out]` : run));
}

function isBase64(run: string): boolean {
  const bare = run.replace(/^data:[^,]{0,100},/, '');
  if (bare.length < 200 || /[^A-Za-z0-9+/_=\s-]/.test(bare.slice(0, SAMPLE))) return false;
  const sample = bare.slice(0, SAMPLE);
  return new Set(sample).size >= DISTINCT && /[a-z]/.test(sample) && /[A-Z]/.test(sample) && /\d/.test(sample);
}

/** The size of base64 data as text: four characters hold three bytes. */
function sizeOf(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4);
  return bytes < 1_024 ? `${bytes} bytes` : `${Math.round(bytes / 1_024)} KB`;
}

const DEEPEST = 8;

/** The strings in a value, in order. */
function textsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  return Object.values(value).flatMap((item) => textsIn(item, depth + 1));
}

function mimeOf(text: string): string | undefined {
  const head = text.slice(0, 100);
  const inUri = /^data:([\w.+-]+\/[\w.+-]+)/.exec(head)?.[1];
  return inUri ?? /^(?:image|audio|video|application)\/[\w.+-]+$/.exec(head)?.[0];
}
