import { findMatchEnd } from '../ranges.js';
import type { SecretFinding } from './tokens.js';
import { isHarmlessValue, isPlaceholder, looksRandom } from './tokens.js';

/** Words that documentation writes instead of a password in a URL. */
const STAND_IN =
  /^(?:p|pw|pass|passw|password|passwd|passwort|pwd|secret|token|key|user|username|admin|test|none|null|port)$/i;
const VARIABLE = /\$\{|\$\(|^\$\w+$|\{\{|^[[{<]|^%\w+%$/;

/**
 * The test for places where only a secret can stand. There, every value counts as a secret, except placeholders and
 * variables.
 */
const isGiven = (value: string) => !STAND_IN.test(value) && !VARIABLE.test(value) && !isPlaceholder(value);
const isRandom = (value: string) => !isHarmlessValue(value) && looksRandom(value);
const isSecret = (value: string) => !isHarmlessValue(value) && (looksRandom(value) || /\d/.test(value));

/**
 * A pattern for a secret in a URL, header or command. The last group of the pattern is the secret. Each pattern begins with
 * fixed characters and limits its lengths, so that it takes linear time on any text.
 */
type Place = readonly [kind: string, pattern: RegExp, test: (value: string) => boolean];

const IN_URLS: readonly Place[] = [
  ['url-password', /:\/\/([^\s/:@"'`<>?#[]{0,120}:)([^\s/@"'`<>]{1,300})(?=@[\w[${.-])/g, isGiven],
  ['url-token', /:\/\/()([\w.~%+-]{16,300})(?=(?::x-oauth-basic|:)?@[\w[$.-])/g, isRandom],
  [
    'url-signature',
    /([?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|hash|auth|hmac)=)([\w%+/=-]{16,2000})/gi,
    isRandom,
  ],
  ['url-key', /([?&](?:code|key|apikey|appid|license)=)([\w%-]{24,400})/gi, isRandom],
];

const IN_HEADERS: readonly Place[] = [
  ['otp-secret', /(otpauth:\/\/[^\s"'<>]{0,300}?[?&]secret=)([^\s"'`<>&]{8,200})/gi, isGiven],
  ['otp-secret', /(otpauth-migration:\/\/offline\?data=)([\w%+/=-]{8,2000})/gi, isGiven],
  ['authorization', /(\bBearer:? {1,3})([\w.~+/=-]{8,4000})/gi, isSecret],
  ['authorization', /(\bBasic:? {1,3})([A-Za-z0-9+/]{6,1000}={0,2})/gi, isBasic],
  ['cookie', /(cookie2?: ?(?:[^\n]{0,400}?; ?)??[\w.-]{1,60}=)([\w.~%+/=-]{20,4000})/gi, isRandom],
  [
    'seed-phrase',
    /((?:seed|recovery|backup|mnemonic|secret)(?: (?:phrase|words|seed))?["'`*]{0,3} ?(?:is|are|=|:|：)["'`* ]{0,4})((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})/gi,
    () => true,
  ],
];

const IN_COMMANDS: readonly Place[] = [
  [
    'password',
    /(\bcurl\b[\s\S]{0,300}?\s(?:-u|--user|-U|--proxy-user)[ =]{0,3}["']?[^\s:"'$<]{0,80}["']?:["']?)([^\s"']{1,200})/g,
    isGiven,
  ],
  ['password', /(\bsshpass -p ?["']?)([^\s"']{1,200})/g, isGiven],
  [
    'password',
    /(\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|mycli)\b[^\n|]{0,200}? -p["']?)([^\s"'=-][^\s"']{0,199})/g,
    isGiven,
  ],
  [
    'password',
    /(\b(?:docker|podman|helm|oras|crane|az|npm|cf|oc|ibmcloud|nerdctl|skopeo) (?:registry )?login\b[^\n|]{0,200}? -p[ =]?["']?)([^\s"'-][^\s"']{0,199})/g,
    isGiven,
  ],
  ['password', /(\bredis-cli\b[^\n|]{0,200}? -a ["']?)([^\s"']{1,200})/g, isGiven],
  ['password', /(\b(?:ldapsearch|ldapmodify|ldapadd)\b[^\n|]{0,200}? -w ["']?)([^\s"']{1,200})/g, isGiven],
  ['password', /(\bmosquitto_(?:pub|sub)\b[^\n|]{0,200}? -P ["']?)([^\s"']{1,200})/g, isGiven],
  ['password', /(\b(?:smbclient|rpcclient)\b[^\n|]{0,200}? -U ["']?[^\s"'%]{1,80}%)([^\s"']{1,200})/g, isGiven],
  ['password', /(-pass(?:in|out)? ["']?pass:)([^\s"']{1,200})/g, isGiven],
  [
    'password',
    /(\becho (?:-n )?["']?)([^\s"'|]{4,200})(?=["']? ?\| ?(?:docker|podman|helm|sudo|gh|kinit)\b[^\n]{0,100}?(?:stdin|-S|--with-token|kinit))/g,
    isGiven,
  ],
];

/** Whether a value is the name and password of basic authentication, in base64. */
function isBasic(value: string): boolean {
  return /^[\x20-\x7e]*:[\x20-\x7e]+$/.test(Buffer.from(value, 'base64').toString('latin1'));
}

/** The patterns in three groups. `sign` is a quick test: a group is tried only if its `sign` occurs in the text. */
const PLACES: readonly (readonly [sign: RegExp, places: readonly Place[]])[] = [
  [/:\/\/|[?&]/, IN_URLS],
  [/bearer|basic|cookie|otpauth|seed|phrase|mnemonic/i, IN_HEADERS],
  [/curl|-p|-a|-w|-P|-U|echo/, IN_COMMANDS],
];

/** Finds secrets by where they stand in a URL, header or command. Takes linear time. */
export function* findSecretsByPosition(text: string): Iterable<SecretFinding> {
  for (const [sign, places] of PLACES) {
    if (!sign.test(text)) continue;
    for (const [kind, pattern, test] of places) {
      for (const { index, 0: all, 2: value = '' } of text.matchAll(pattern))
        if (test(value)) yield { kind, index: index + all.length - value.length, length: value.length };
    }
  }
}

const KEY_BEGIN =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----|PuTTY-User-Key-File-\d:/g;
const KEY_END =
  /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|---- END SSH2 ENCRYPTED PRIVATE KEY ----|Private-MAC: ?[0-9a-f]{32,64}/g;
/** Maximum length of a private key, in UTF-16 units. If its end line is farther away, it belongs to another key. */
const LONGEST_KEY = 20_000;

/** Finds private keys, even if they are incomplete or written on one line. Takes linear time. */
export function* findPrivateKeys(text: string): Iterable<SecretFinding> {
  const ends = [...text.matchAll(KEY_END)].map((match) => match.index + match[0].length);
  let next = 0;
  let done = 0;
  for (const { index, 0: header } of text.matchAll(KEY_BEGIN)) {
    if (index < done) continue;
    const body = index + header.length;
    while ((ends[next] ?? Infinity) <= body) next++;
    const end = ends[next];
    done = end !== undefined && end - index <= LONGEST_KEY ? end : cutOffEnd(text, body);
    yield { kind: 'private-key', index, length: done - index };
  }
}

// The end of a private key without an end line: where the lines stop looking like a key.
function cutOffEnd(text: string, from: number): number {
  return Math.max(from, findMatchEnd(/(?:(?:\s|\\[rn]){0,4}[A-Za-z0-9+/=]{16,})*/y, text, from));
}
