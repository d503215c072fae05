const ASCII = /^[\u0000-\u007f]*$/;

/** Whether a text has only ASCII: then no pattern that knows all of Unicode need be built for it, which takes milliseconds. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/** Diacritics. The voicing marks of kana are none: `か` and `が` are two letters, however they are written. */
const DIACRITICS = /(?:(?![\u3099\u309a])\p{Mn})+/gu;

/**
 * Text as it is compared and searched: lower-case, without diacritics, compatibility forms (`Ｒｅｄｉｓ`, `ﬁ`, `²`) as the
 * plain ones. What stands around a word does not matter: a final `ς` is an `σ`.
 */
export function plainText(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  return lower.normalize('NFKD').replace(DIACRITICS, '').normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
}
