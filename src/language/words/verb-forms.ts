/** The form of an English verb in a text. `past` may also be a participle, and `s` also a plural noun. */
export type VerbForm = 'base' | 's' | 'past' | 'gerund';

interface VerbMatch {
  readonly base: string;
  readonly form: VerbForm;
  /** Whether the prefix `re` was removed from the word, as in `redeploy`. */
  readonly again: boolean;
}

const IRREGULAR: ReadonlyMap<string, readonly [base: string, form: VerbForm]> = new Map([
  ['wrote', ['write', 'past']],
  ['written', ['write', 'past']],
  ['ran', ['run', 'past']],
  ['built', ['build', 'past']],
  ['made', ['make', 'past']],
]);

const ENDINGS: readonly (readonly [ending: string, form: VerbForm])[] = [
  ['ing', 'gerund'],
  ['ed', 'past'],
  ['s', 's'],
];

/** Finds the base form for a lower-case word among the verbs that `isVerb` accepts, by the rules of English inflection. */
export function matchVerbForm(word: string, isVerb: (base: string) => boolean): VerbMatch | undefined {
  const direct = matchForm(word, isVerb);
  if (direct) return { ...direct, again: false };
  const repeated = word.startsWith('re') ? matchForm(word.slice(word[2] === '-' ? 3 : 2), isVerb) : undefined;
  return repeated && { ...repeated, again: true };
}

function matchForm(word: string, isVerb: (base: string) => boolean): { base: string; form: VerbForm } | undefined {
  if (isVerb(word)) return { base: word, form: 'base' };
  const irregular = IRREGULAR.get(word);
  if (irregular && isVerb(irregular[0])) return { base: irregular[0], form: irregular[1] };
  for (const [ending, form] of ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const base = stems(word.slice(0, -ending.length), form).find(isVerb);
    if (base !== undefined) return { base, form };
  }
  return undefined;
}

// The possible stems before an ending: `migrat(ing)`, `run(n)(ing)`, `cop(i)(ed)`, `patch(e)(s)`.
function stems(stem: string, form: VerbForm): string[] {
  const candidates = [stem];
  if (form === 's') {
    if (stem.endsWith('ie')) candidates.push(`${stem.slice(0, -2)}y`);
    if (stem.endsWith('e')) candidates.push(stem.slice(0, -1));
    return candidates;
  }
  candidates.push(`${stem}e`);
  if (stem.endsWith('i')) candidates.push(`${stem.slice(0, -1)}y`);
  if (stem.length > 2 && stem.at(-1) === stem.at(-2)) candidates.push(stem.slice(0, -1));
  return candidates;
}
