const ASCII = /^[\u0000-\u007f]*$/;

/** Whether a text has only ASCII: then no pattern that knows all of Unicode need be built for it, which takes milliseconds. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/** Diacritics. The voicing marks of kana are none: `か` and `が` are two letters, however they are written. */
const DIACRITICS = /(?:(?![\u3099\u309a])\p{Mn})+/gu;
/** Latin, Greek, Cyrillic, Han, kana and emoji have no other diacritics than these, and ranges are found four times as fast as a property. */
const COMMON_SCRIPTS =
  /^[\ufe00-\ufe0f\u0000-\u0482\u048a-\u058f\u1100-\u11ff\u1e00-\u20cf\u2100-\u2cee\u2e00-\u3029\u3030-\ua66e\uff00-\uffef\ud83c-\ud83e\udc00-\udfff]*$/;
const COMMON_DIACRITICS = /[\ufe00-\ufe0f\u0300-\u036f]+/g;

/**
 * Text as it is compared and searched: lower-case, without diacritics, compatibility forms (`Ｒｅｄｉｓ`, `ﬁ`, `²`) as the
 * plain ones. What stands around a word does not matter: a final `ς` is an `σ`.
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const apart = lower.normalize('NFKD');
  const bare = apart.replace(COMMON_SCRIPTS.test(apart) ? COMMON_DIACRITICS : DIACRITICS, '');
  return bare.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
}
