import { findMatchEnd } from '../ranges.js';
import type { SecretFinding } from './tokens.js';
import { hasOnlyNumberedWords, isHarmlessValue, looksRandom, MAX_WORD_LETTERS } from './tokens.js';

/**
 * Finds values that follow a name for a secret, in any syntax: `DB_PASSWORD=…`, `"api_key": "…"`, `--token …`,
 * `<password>…`, `the password is …`. The value decides: a number, a word, a variable, a path or a placeholder is not a
 * secret.
 */
export function* findNamedSecrets(text: string): Iterable<SecretFinding> {
  for (const { index, 0: said } of text.matchAll(NAMES)) {
    const name = nameOf(text, index, said);
    if (name === undefined) continue;
    const found = valueAfter(text, index, index + said.length, name);
    if (found !== undefined) yield found;
  }
}

interface Name {
  readonly kind: string;
  /**
   * Whether the name means a password. People choose passwords, so a password may look like a name. Keys and tokens are
   * random.
   */
  readonly isPassword: boolean;
  /**
   * How strictly the value is tested before it counts as a secret. A plain "key" may be the key of a table, so its value is
   * tested more strictly than that of an API key.
   */
  readonly asks: 'little' | 'random' | 'long' | 'mixed';
}

const PASSWORD_WORDS =
  'pass(?:word|phrase|code|wd)|passwort|kennwort|mot de passe|contraseña|contrasena|senha|wachtwoord|lösenord|hasło|heslo|parola|şifre|пароль|密码|密碼|口令|パスワード|비밀번호|암호';
const NAMES = new RegExp(
  `${PASSWORD_WORDS}|pwd|pass(?![a-z])|secret|token|key|credentials?|authorization|密钥|密鑰|令牌|秘钥|トークン|ключ|токен`,
  'gi',
);
const IS_PASSWORD = new RegExp(`^(?:${PASSWORD_WORDS}|pwd|pass)$`, 'i');

/** How many characters before the name of a secret are read, to see whether it is part of a longer name. */
const BEFORE = 40;

function nameOf(text: string, index: number, said: string): Name | undefined {
  const before = text.slice(Math.max(0, index - BEFORE), index);
  const word = said.toLowerCase();
  if (IS_PASSWORD.test(said)) {
    if (/^(?:pass|pwd)$/.test(word) && isInsideWord(before, said)) return undefined;
    return { kind: 'password', isPassword: true, asks: 'little' };
  }
  if (word === 'secret') return { kind: 'secret', isPassword: false, asks: 'little' };
  const last = lastWord(before);
  if (NOT_SECRET.has(last)) return undefined;
  if (word === 'key') {
    if (last === 'session') return undefined;
    if (KEY_OF.has(last)) return { kind: 'api-key', isPassword: false, asks: 'random' };
    if (isInsideWord(before, said)) return undefined;
    return { kind: 'api-key', isPassword: false, asks: /[\w-]$/.test(before) ? 'long' : 'mixed' };
  }
  return { kind: word === 'authorization' ? word : 'token', isPassword: false, asks: 'random' };
}

/**
 * Whether a name such as "key" is only the end of a longer word. True for `monkey` and `bypass`, false for `apiKey` and
 * `DB_PASS`.
 */
function isInsideWord(before: string, said: string): boolean {
  const last = before.at(-1) ?? '';
  if (!/\p{L}/u.test(last)) return false;
  const isHump = /\p{Ll}/u.test(last) && /^\p{Lu}/u.test(said);
  return !isHump;
}

/** Words before "key" that show that the key is a secret: `api` in "api key". */
const KEY_OF: ReadonlySet<string> = new Set(
  (
    'api app application access secret private auth authentication encryption encrypt signing signature master account ' +
    'shared service client license licence registration deploy bearer admin webhook storage subscription ingest write ' +
    'read root jwt hmac aes crypto cipher preshared psk integration management project org live test'
  ).split(' '),
);

/** Words that show that a "key" or "token" after them is not secret: `public` in "public key", `next` in "next token". */
const NOT_SECRET: ReadonlySet<string> = new Set(
  (
    'public publishable pub sort primary partition foreign cache routing idempotency object hash lookup group row ' +
    'composite site host message next page continuation pagination sync cancel cancellation max min num count total csrf xsrf authenticity'
  ).split(' '),
);

/**
 * The last word of the text before a name, in lower case. Example: `page` for `next_page_`, `nextPage` and
 * `NEXT_PAGE_`.
 */
function lastWord(before: string): string {
  return /(\p{Lu}?\p{Ll}+|\p{Lu}+)[-_ .]?$/u.exec(before)?.[1]?.toLowerCase() ?? '';
}

/**
 * Endings that still belong to the name of a secret: `s` in `tokens`, `_BASE` in `SECRET_KEY_BASE`, ` (old)` in `password
 * (old)`.
 */
const REST =
  /s?(?:[_-]?(?:base|prod|production|dev|staging|test|live|main|primary|secondary|old|new|string|value|\d{1,2})){0,2}(?: \([^()\n]{1,30}\))?(?![\p{Script=Latin}\p{Script=Cyrillic}\d_])/iuy;
const CLOSERS = /(?:\\?["'`]|\*{1,2}|_{1,2}|\]){0,4}/y;
const SPACE = '[ \\t\\u3000]{0,8}';

type Way = 'set' | 'said' | 'flag' | 'beside';

/** The ways in which a value can follow its name, each with a pattern for the text between them. */
const WAYS: readonly (readonly [Way, RegExp])[] = [
  // An assignment: `name: type = "value"`, `name = value`, `name: value`, `name := value`, `name -> value`.
  ['set', new RegExp(`${SPACE}:${SPACE}&?\\w{2,10}${SPACE}=(?!=)${SPACE}`, 'y')],
  ['set', new RegExp(`${SPACE}(?:=>|:=|=(?!=)|:(?!:)|：|＝|->|→|—|–)${SPACE}\\*{0,2}${SPACE}`, 'y')],
  // A name and a value in two fields: `{"name": "API_KEY", "value": "…"}`. In YAML they may be on two lines.
  ['set', /,?\s{0,20}["']?value["']?[ \t]{0,4}[:=][ \t]{0,4}/iy],
  // Two cells of a table: `| password | value |`.
  ['set', new RegExp(`${SPACE}\\|${SPACE}`, 'y')],
  // An element of XML: `<password>value</password>`.
  ['set', /(?:[\w ="'.-]{0,40})>(?=[^\s>])/y],
  // An argument of a call: `set("name", "value")`, `setName("value")`.
  ['set', /[ \t]{0,4}[,(][ \t]{0,4}(?=["'`])/y],
  [
    'said',
    /(?: (?:for|of|to|on|at|from|in|für|von|zu|zum|im|de|del|du|para|pour|voor|van) [^\n.;:=|]{1,60}?)?(?: (?:is|was|are|ist|war|lautet|est|es|é|è|jest|är|equals|being|(?:has been |was |is )?(?:changed|set|reset|rotated|updated) to))(?: (?:now|jetzt|still|set to|changed to))?[:：]? /iuy,
  ],
  ['said', /(?:现在|改)?(?:是|为|成|は|：|:|은|는)[ 　]?[:：]?[ 　]?/y],
];

/** The start of a placeholder that replaces a secret (`[redacted:api-key]`). The kind in it is not the name of a value. */
const IN_PLACEHOLDER = /\[redacted:[a-z-]{0,40}$/;

function valueAfter(text: string, start: number, end: number, name: Name): SecretFinding | undefined {
  if (IN_PLACEHOLDER.test(text.slice(Math.max(0, start - BEFORE), start))) return undefined;
  const rest = findMatchEnd(REST, text, end);
  if (rest === -1) return undefined;
  const closed = findMatchEnd(CLOSERS, text, rest);
  for (const [way, pattern] of WAYS) {
    const from = findMatchEnd(pattern, text, closed);
    if (from !== -1) return judged(text, from, way, name);
  }
  // Only a space is between the name and the value: `--token value`, `login jane password value`, `my password hunter2.`
  if (text[closed] !== ' ') return undefined;
  const before = text.slice(Math.max(0, start - BEFORE), start);
  if (/(?:^|[\s"'`[,])--?[\w-]{0,30}$/.test(before)) return judged(text, closed + 1, 'flag', name);
  if (!name.isPassword) return undefined;
  return judged(text, closed + 1, /\blogin \S{1,30} $/.test(before) ? 'flag' : 'beside', name);
}

/** The word before the value of a header: `Bearer …`. */
const SCHEME = /(?:Bearer|Basic|Token|ApiKey|Bot)[ =]{1,2}/iy;
const ANY_SCHEME = /[A-Za-z][\w-]{1,20} {1,2}(?:token=)?(?=["']?\S{8})/iy;

function judged(text: string, from: number, way: Way, name: Name): SecretFinding | undefined {
  const scheme = name.kind === 'authorization' ? ANY_SCHEME : SCHEME;
  const read = readValue(text, Math.max(from, findMatchEnd(scheme, text, from)));
  const value = read === undefined || name.isPassword ? read : withoutCode(read);
  if (value === undefined || !isSecret(value, way, name, text)) return undefined;
  return { kind: name.kind, index: value.index, length: value.text.length };
}

interface Value {
  readonly index: number;
  readonly text: string;
  readonly isQuoted: boolean;
}

const QUOTED = /(\\?["'`])([^"'`\n\\]{1,400}?)(?=\1)/y;
/**
 * Matches a value without quotes. It consists of ASCII characters only. Otherwise the value would include Chinese text
 * after it, which has no spaces between words.
 */
const BARE = /[!#-&(-;=?-[\]-_a-{}~]{1,256}/y;

function readValue(text: string, from: number): Value | undefined {
  QUOTED.lastIndex = from;
  const quoted = QUOTED.exec(text);
  if (quoted !== null) {
    const { 1: quote = '', 2: inside = '' } = quoted;
    return { index: from + quote.length, text: inside, isQuoted: true };
  }
  const start = from + (/["'`]/.test(text[from] ?? '') ? 1 : 0);
  const end = findMatchEnd(BARE, text, start);
  if (end === -1) return undefined;
  const bare = text.slice(start, end);
  // The value ends where the next field of a URL, connection string or list begins.
  const next = bare.search(/&[\w.-]{1,40}=|;[\w -]{1,40}=|[,;](?=["'[{\w]+[":=])|\\n|\\$|[?&]$/);
  const value = (next === -1 ? bare : bare.slice(0, next)).replace(/[.,;:)\]}]{1,10}$/, '');
  return value === '' ? undefined : { index: start, text: value, isQuoted: false };
}

/**
 * Cuts off the text after a key or token: only letters, digits and a few signs can be part of one. Undefined if the value is
 * code, such as a call.
 */
function withoutCode(value: Value): Value | undefined {
  const { 0: text = '' } = /^[\w.~+/=:@%|-]+(?![\w.~+/=:@%|([-])/.exec(value.text) ?? [];
  return text === '' ? undefined : { ...value, text };
}

function isSecret({ text: value, index, isQuoted }: Value, way: Way, name: Name, text: string): boolean {
  if (isHarmlessValue(value)) return false;
  if (value.includes(' ')) return isQuoted && name.isPassword && way === 'set' && isPhrase(value);
  if (name.isPassword) return isPassword(value, way, text.slice(index + value.length, index + value.length + 12));
  if (hasOnlyNumberedWords(value)) return false;
  switch (name.asks) {
    case 'mixed':
      return value.length >= 20 && looksRandom(value) && /\d/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value);
    case 'long':
      return value.length >= 16 && looksRandom(value) && /\d/.test(value);
    case 'random':
      return value.length >= 8 && (looksRandom(value) || (way !== 'said' && isMixed(value) && value.length >= 12));
    case 'little':
      return value.length >= 6 && (looksRandom(value) || (way !== 'said' && isMixed(value)));
  }
}

function isPassword(value: string, way: Way, after: string): boolean {
  if (value.length > MAX_WORD_LETTERS && /^\p{L}+$/u.test(value)) return true;
  if (!isMixed(value) || value.length < (way === 'set' || way === 'flag' ? 4 : 6)) return false;
  if (way !== 'beside') return way !== 'said' || /\d/.test(value) || looksRandom(value) || ENDS.test(after);
  // In `the password policy2026 document`, the value is part of another name and not a password.
  return ENDS.test(after) && /\d/.test(value) && !/^\p{L}+(?:19|20)\d\d$/u.test(value);
}

function isMixed(value: string): boolean {
  return /\p{L}/u.test(value) && /[\d!-,:-@[-^`{-~]/.test(value);
}

/** Text that may follow a password in a sentence: the end of the sentence, or words such as "for" and "and". */
const ENDS = /^["'`*]{0,3}(?:[.,;:!?。，；)]|\s*$|\s*\n| (?:for|on|and|für|und|now)\b)/u;

/**
 * Whether a value with spaces may be a password: at most three words, with a digit. A longer text is a sentence, not a
 * password.
 */
function isPhrase(value: string): boolean {
  return /\d/.test(value) && value.split(' ').length <= 3;
}
