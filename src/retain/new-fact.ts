import type { Failure } from '../base/failure.js';
import { err, ok, type Result } from '../base/failure.js';
import { type Bullet, KIND_LETTERS, parseBullet } from '../markdown/bullet.js';
import { redactSecrets } from '../text/redact.js';

/** A checked new fact: one typed line without control characters and secrets. */
interface NewFact {
  readonly bullet: Bullet;
  readonly warnings: readonly string[];
}

/** Maximum length of a fact in characters; a longer text is a document. */
const MAX_FACT_CHARS = 8_000;

/**
 * Parses a fact to retain: `[- ]KIND[(c=0.8)] [@Entity …][:] text`. Folds line breaks; without a kind it is an
 * observation (S). Pure.
 */
export function readNewFact(input: string): Result<NewFact> {
  const folded = input
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .trim()
    .replace(/^[-*+] (?=\S)/, '');
  if (folded === '') return refuse('there is no fact', 'write the fact as text: openclaw memory retain "W @Peter: …"');
  if (CONTROL.test(folded)) return refuse('the text has control characters', 'remove them');
  if (folded.length > MAX_FACT_CHARS) {
    return refuse(
      `the text has ${folded.length} characters, more than ${MAX_FACT_CHARS}`,
      'put the document into resources/, and retain one sentence about it',
    );
  }
  const { text, found } = redactSecrets(folded);
  const warnings = found.map(({ kind }) => `a secret (${kind}) was replaced by a placeholder`);
  const parsed = parseBullet(text);
  if (parsed.type === 'fact') return ok({ bullet: parsed.bullet, warnings });
  if (parsed.type === 'malformed')
    return refuse(
      `"${clip(text)}" is not a valid fact: ${parsed.reason}`,
      'write KIND @Entity: text, for example W @Peter: lives in Vienna',
    );
  const untyped = parseBullet(`S ${text}`);
  if (untyped.type !== 'fact')
    return refuse(`"${clip(text)}" has no text`, 'write KIND @Entity: text, for example W @Peter: lives in Vienna');
  const hint =
    'the fact has no kind, so it was saved as an observation (S); the other kinds are W (world fact), B (experience) and O (opinion)';
  return ok({ bullet: untyped.bullet, warnings: [...warnings, hint] });
}

/**
 * Splits a text of several lines into facts. A line with a kind begins a fact; other lines continue the fact before. The
 * letter at the start of a line is not always a kind: "B sides are rare" may be an ordinary line. So such a line begins a
 * fact only if every line begins with a kind letter, or if `:` or `@` follows the letter. Pure.
 */
export function separateFacts(text: string): readonly string[] {
  const lines = text.split(/\r\n|[\r\n\u2028\u2029]/u).filter((line) => line.trim() !== '');
  const areFacts = lines.every((line) => parseBullet(line.replace(LIST_MARK, '')).type === 'fact');
  const facts: string[] = [];
  for (const line of lines) {
    if (facts.length === 0 || areFacts || HEADED.test(line.replace(LIST_MARK, ''))) facts.push(line);
    else facts.push(`${facts.pop()}\n${line}`);
  }
  return facts.length === 0 ? [text] : facts;
}

const LIST_MARK = /^\s*(?:[-*+] +)?/;
const HEADED = new RegExp(`^[${KIND_LETTERS}](?:\\(c=[^()]{0,20}\\))?(?:\\s*[:：](?=\\s|[^\\x21-\\x7e])|\\s+[@＠])`);

// C0 controls (line breaks are already folded), DEL, C1 controls, and marks that reorder text on a screen.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;

function refuse(message: string, hint: string): Result<never, Failure> {
  return err({ type: 'usage', message, hint });
}

function clip(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
