/**
 * A text as the words of these languages are compared: small letters without accents, ё as е, one unit for one so that
 * positions stay. People leave accents out.
 */
export function foldLetters(text: string): string {
  return text.replace(/[A-Z\u00c0-\u017f\u0400-\u042f\u0451]/g, plainLetter);
}

function plainLetter(letter: string): string {
  const small = letter.toLowerCase().charAt(0);
  if (small === 'ё') return 'е';
  return small < '\u0400' ? small.normalize('NFD').charAt(0) : small;
}
