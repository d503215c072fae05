import { IRREGULAR_FORMS, SHORT_FORMS, SPELLINGS } from './irregular.js';
import { stemOf } from './stem.js';

let groups: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * The other forms of a lower-case English word that a Porter stemmer does not reach, one for each stem: went → go,
 * gone; going → went, gone; mice → mouse; colour → color; db → database.
 */
export function otherForms(word: string): readonly string[] {
  groups ??= byForm();
  const stem = stemOf(word);
  const forms = new Map<string, string>();
  for (const base of basesOf(word))
    for (const form of groups.get(base)?.flatMap((group) => group.split(' ')) ?? []) {
      const other = stemOf(form);
      if (other !== stem && !forms.has(other)) forms.set(other, form);
    }
  return [...forms.values()];
}

function byForm(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const group of [...IRREGULAR_FORMS, ...SPELLINGS, ...SHORT_FORMS])
    for (const form of group.split(' ')) found.set(form, [...(found.get(form) ?? []), group]);
  return found;
}

/** The word itself, and what it may be the -ing form or third person of: going, writing, running, writes, teaches. */
function basesOf(word: string): string[] {
  const [, stem, ending] = /^(.{2,}?)(ing|e?s)$/.exec(word) ?? [];
  if (stem === undefined) return [word];
  const single = stem.at(-1) === stem.at(-2) ? [stem.slice(0, -1)] : [];
  // "Plans" are no planes.
  const silent = ending === 's' ? [] : [`${stem}e`];
  return [...new Set([word, stem, ...silent, ...single])];
}
