import type { KnownLanguage, ModelTrial } from '../../../upkeep/models.js';

/** Formats the lines of `models test`. */
export function formatModelTrial({
  name,
  dimension,
  firstMs,
  questionMs,
  thousandLinesMs,
  languages,
}: ModelTrial): string[] {
  return [
    formatRow('model', `${name}, ${dimension} numbers a vector`),
    formatRow('first', `${firstMs} ms for the first vector, including loading`),
    formatRow('question', `${questionMs} ms each`),
    formatRow('lines', `${(thousandLinesMs / 1000).toFixed(1)} s for 1,000`),
    formatRow('languages', formatKnownLanguages(languages)),
  ];
}

/** Formats which languages an embedding model knows, and which a little. */
export function formatKnownLanguages(languages: readonly KnownLanguage[]): string {
  const said = (how: string, isSo: (share: number) => boolean): string => {
    const names = languages.filter(({ share }) => isSo(share)).map(({ name }) => name);
    return names.length === 0 ? '' : `${how} ${names.join(', ')}`;
  };
  const parts = [said('knows', (share) => share >= 0.5), said('a little', (share) => share > 0 && share < 0.5)];
  return parts.filter(Boolean).join('; ') || 'knows none of the tested languages';
}

/** Formats a line of a report about models. */
export function formatRow(label: string, value: string): string {
  return `${label.padEnd(10)} ${value}`;
}
