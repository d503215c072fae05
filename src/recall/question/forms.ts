import { stemmer } from 'stemmer';
import { IRREGULAR_FORMS, SPELLINGS } from './tables/irregular.js';

let groupsByStem: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * The other forms of a lower-case English word that a Porter stemmer does not reach, one for each stem: went → go,
 * gone; going → went, gone; mice → mouse; colour → color.
 */
export function otherForms(word: string): readonly string[] {
  groupsByStem ??= byStem();
  const stem = stemmer(word);
  const forms = new Map<string, string>();
  for (const group of groupsByStem.get(stem) ?? [])
    for (const form of group.split(' ')) {
      const other = stemmer(form);
      if (other !== stem && !forms.has(other)) forms.set(other, form);
    }
  return [...forms.values()];
}

function byStem(): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const group of [...IRREGULAR_FORMS, ...SPELLINGS])
    for (const stem of new Set(group.split(' ').map(stemmer))) groups.set(stem, [...(groups.get(stem) ?? []), group]);
  return groups;
}
