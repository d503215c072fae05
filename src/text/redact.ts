import { replaceRanges } from './ranges.js';
import { matchEnd } from './sticky.js';

export type SecretKind = 'private-key' | (typeof SHAPES)[number][0];

/** Where a secret stood in the text as given, in UTF-16 units. */
type SecretFinding = { readonly kind: SecretKind; readonly index: number; readonly length: number };

/**
 * The shapes that their issuers document. Each starts at a word boundary or behind a fixed name, so that no run of
 * characters is tried more than once: linear on any text.
 */
const SHAPES = [
  ['aws-access-key', /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g],
  ['aws-secret-key', /(?<=secret_?(?:access_?)?key["']?\s{0,3}[=:]\s{0,3}["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/gi],
  ['github-token', /(?<!\w)(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{22,255})(?!\w)/g],
  ['slack-token', /(?<!\w)(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}/g],
  ['slack-webhook', /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/-]{20,}/g],
  ['anthropic-key', /(?<!\w)sk-ant-[\w-]{20,}/g],
  ['openai-key', /(?<!\w)sk-(?:(?:proj|svcacct|admin)-[\w-]{20,}|[A-Za-z0-9]{32,})/g],
  ['google-key', /(?<!\w)(?:AIza[\w-]{35}|GOCSPX-[\w-]{28})(?![\w-])/g],
  ['jwt', /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g],
  // Said in words, one string with letters and digits: `my password is hunter2`, `密码是abc123`.
  [
    'password',
    /(?<=(?:(?<![A-Za-z])(?:password|passphrase|passwd|passwort|kennwort|mot de passe|contraseña|пароль)(?: (?:is|ist|lautet|est|es)(?: now| jetzt)?)?:? |(?<![A-Za-z])(?:password|passphrase|passwd|passwort|kennwort):|(?:密码|口令|パスワード)(?:现在|改)?(?:是|为|成|は)?[:：]? ?)["'`]?)(?=[A-Za-z\d!@#$%^&*_+?~-]{0,60}\d)(?=[A-Za-z\d!@#$%^&*_+?~-]{0,60}[A-Za-z])[A-Za-z\d!@#$%^&*_+?~-]{6,64}(?![\w/:@=(])/gi,
  ],
  [
    'password',
    /(?<=(?:password|passwd)["']?(?:=| = (?=["'])))(?:"[^"\n]{1,200}"|'[^'\n]{1,200}'|[^\s"'`&;,=][^\s"'`&;,]*)/gi,
  ],
] as const;

/** Where a password would stand, but none does: a variable, a placeholder, a call, our own marker. */
const NO_PASSWORD =
  /^["']?(?:(?:base|sha|md|utf|aes|argon|bcrypt|scrypt|pbkdf|rsa|win|1password|oauth|v)-?\d.*|1password|\d+-\w+|[A-Z_]*PASSWORD[A-Z_\d]*|\$\{?\w+\}?|\$\(.*|<[^<>]*>?|\{\{.*|\*+|\.+|…|[\w.]+\(.*|.*\[redacted:.*)["']?$/su;

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** The longest key block, in UTF-16 units: beyond this, begin and end line do not belong together. */
const LONGEST_KEY = 20_000;

/**
 * Replaces secrets by `[redacted:KIND]`: keys and tokens of exact shapes, private-key blocks, and what follows
 * `password=` or is said to be a password and looks like one. Words such as "key" or "password" alone mean nothing.
 * Idempotent; linear.
 */
export function redactSecrets(text: string) {
  const found = findSecrets(text);
  const ranges = found.map(({ kind, index: start, length }) => {
    return { start, end: start + length, by: `[redacted:${kind}]` };
  });
  return { text: replaceRanges(text, ranges), found };
}

function findSecrets(text: string): SecretFinding[] {
  const all = privateKeys(text);
  for (const [kind, shape] of SHAPES) {
    for (const { index, 0: match } of text.matchAll(shape)) {
      if (kind === 'password' && NO_PASSWORD.test(match)) continue;
      all.push({ kind, index, length: match.length });
    }
  }
  all.sort((a, b) => a.index - b.index || b.length - a.length);
  let end = 0;
  return all.filter(({ index, length }) => {
    if (index < end) return false;
    end = index + length;
    return true;
  });
}

function privateKeys(text: string): SecretFinding[] {
  const found: SecretFinding[] = [];
  const ends = [...text.matchAll(KEY_END)].map((match) => match.index + match[0].length);
  let next = 0;
  let done = 0;
  for (const { index, 0: header } of text.matchAll(KEY_BEGIN)) {
    if (index < done) continue;
    const body = index + header.length;
    while ((ends[next] ?? Infinity) <= body) next++;
    const end = ends[next];
    done = end !== undefined && end - index <= LONGEST_KEY ? end : cutOffKeyEnd(text, body);
    found.push({ kind: 'private-key', index, length: done - index });
  }
  return found;
}

// A block that was cut off before its end line is a key as far as its lines look like one.
function cutOffKeyEnd(text: string, from: number): number {
  return Math.max(from, matchEnd(/(?:\s{0,4}[A-Za-z0-9+/=]{16,})*/y, text, from));
}
