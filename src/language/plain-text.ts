const ASCII = /^[\u0000-\u007f]*$/;

/**
 * Text as it is compared and searched: lower-case, without diacritics, compatibility forms (`Ｒｅｄｉｓ`, `ﬁ`, `²`) as the
 * plain ones. What stands around a word does not matter: a final `ς` is an `σ`.
 */
export function plainText(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ς', 'σ');
}
