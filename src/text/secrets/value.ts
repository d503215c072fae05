/**
 * Whether a text looks random. A random text mixes digits, small letters and capitals in no order, so that its
 * sequences of one kind have only two or three characters. In words, dates and names of code, the sequences are longer.
 * A capital and the small letters after it count as one sequence.
 */
export function looksRandom(text: string): boolean {
  const runs = text.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
  const length = runs.reduce((sum, run) => sum + run.length, 0);
  if (runs.some((run) => run.length > MAX_WORD_LETTERS && !/\d/.test(run))) return true;
  if (length < 8 || runs.length / length < FEWEST_RUNS) return false;
  return new Set(text.toLowerCase()).size >= Math.min(8, length / 2);
}

/** Maximum number of letters in a word. A longer one is treated as random. */
export const MAX_WORD_LETTERS = 24;

/**
 * Minimum number of sequences per character in a text that looks random; see {@link looksRandom}. Words have 0.2,
 * hexadecimal digits 0.45, base 32 0.3.
 */
const FEWEST_RUNS = 0.24;

/** Whether a text is a placeholder for a secret: `xxxx`, `your-key-here`. */
export function isPlaceholder(text: string): boolean {
  const signs = new Set(text.replace(/[^\p{L}\p{N}]/gu, ''));
  return signs.size <= 1 || (signs.size <= 3 && text.length >= 8) || isStandIn(text);
}

/**
 * Whether a word such as "example" makes a text a placeholder. It does not if the rest of the text looks random:
 * `AKIA…EXAMPLE`, from the documentation of AWS, counts as a key.
 */
function isStandIn(text: string): boolean {
  if (!STAND_IN.test(text)) return false;
  const rest = text.replaceAll(new RegExp(STAND_IN, 'gi'), '');
  return rest.length < 12 || !looksRandom(rest);
}

const STAND_IN = /x{4,}|\*{3}|•{3}|\.{3}|…|your|example|placeholder|change.?me|redacted|dummy|sample|insert|replace/i;

/**
 * Whether a value after a name such as "password" is not a secret: a number, words, a variable, a path, a placeholder, or
 * code.
 */
export function isHarmlessValue(value: string): boolean {
  if (isPlaceholder(value) || hasOnlyWords(value) || HARMLESS.some((form) => form.test(value))) return true;
  return PATH.test(value) && !value.split(/[/\\:]/).some((part) => part.length >= 12 && looksRandom(part));
}

const HARMLESS: readonly RegExp[] = [
  // A number, date, time, size or duration.
  /^[-+~≈]?\d[\d.,:_/+%-]*(?:T\d[\d:.]*Z?)?\p{L}{0,4}$/u,
  // A variable or a template.
  /^\$[A-Za-z_]\w*$|\$\{|\$\(|\$\[|\{\{|\}\}|^[#@]?\{|^%\w+%$|^<|^\[|^@\w+@$|^![A-Z]|^&\w+$|^__\w+__$/u,
  // Code: a call, a member, an index.
  /^[\w.:>-]+\(|^[\w.]+\[/,
  // The name of a hash method, standard, version or product that ends with a number: `sha-256`.
  /^(?:(?:base|sha|md|utf|aes|argon|bcrypt|scrypt|pbkdf|rsa|ed|ecdsa|hs|rs|es|win|1password|oauth|v|ipv|http|tls|totp)-?\d[\w-]*|1password|2fa|\d+-\p{L}+|sha256:.*)$/iu,
];

const PATH = /^(?:[~.]{0,2}[/\\]|[A-Za-z]:[/\\]|[a-z][a-z\d+.-]{1,20}:)|[/\\]/;

/** Whether a value consists of words, also joined ones: `created_at`, `secrets.NPM_TOKEN`, `getPassword`. */
export function hasOnlyWords(value: string): boolean {
  const parts = value.split(JOINTS).filter((part) => part !== '');
  return parts.every((part) => {
    if (!/^[\p{L}\p{M}'’]{1,24}$/u.test(part)) return false;
    const humps = part.match(/\p{Lu}?[^\p{Lu}]+|\p{Lu}+/gu) ?? [];
    return humps.length === 1 || part.length <= 4 || part.length / humps.length >= 3;
  });
}

const JOINTS = /[_.:/@?! -]+/;

/** Whether a value consists of words, each with or without a number at its end: `db-creds-2`, `hz-31`, `hunter2`. */
export function hasOnlyNumberedWords(value: string): boolean {
  return value.split(JOINTS).every((part) => {
    const { 1: letters = '' } = /^(.*?)(?:\d+\p{L}?)?$/u.exec(part) ?? [];
    return hasOnlyWords(letters);
  });
}
