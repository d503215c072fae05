/**
 * A text as the words of these languages are compared: small letters without accents, ё as е, one unit for one so that
 * positions stay. People leave accents out.
 */
export function foldLetters(text: string): string {
  // Of all capitals, only İ becomes longer.
  return text
    .replaceAll('İ', 'i')
    .toLowerCase()
    .replace(/[\u00e0-\u017fё]/g, plainLetter);
}

function plainLetter(letter: string): string {
  return letter === 'ё' ? 'е' : letter.normalize('NFD').charAt(0);
}
