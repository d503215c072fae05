import { stemmer } from 'stemmer';
import { Cache, lazy } from '../../base/cache.js';

/**
 * The stem of a lower-case English word, by the same Porter rules as SQLite's `porter`, so that two forms share a stem here
 * exactly if they share one in the index. Numbers and other scripts stay.
 */
export function stemOf(word: string): string {
  if (!INFLECTED.test(word)) return word.toLowerCase();
  return stems.get(word) ?? stems.add(word, stemmer(word));
}

/** A word without one of these endings is its own stem, because no rule changes it. */
const INFLECTED = /(?:[eiys]|ed|ing|[ae]nt|ion|ism|al|ll|ful|[eo]r|ic|ou)$/i;

/** A cache: most words of a text are among the last few thousand, and stemming needs some twenty patterns. */
const stems = new Cache<string, string>(10_000);

/**
 * Words whose forms no stemmer connects, in comma-separated groups. Third persons and -ing forms are left to the stemmer.
 * A form that belongs to two verbs (lay, bore) is in both groups. A search for such a form may then find a few wrong
 * lines.
 */
export const IRREGULAR_FORMS: readonly string[] = groups(`
  arise arose arisen, awake awoke awoken, bear bore borne born, beat beaten, become became, begin began begun,
  bend bent, bid bade bidden, bind bound, bite bit bitten, bleed bled, blow blew blown, break broke broken,
  breed bred, bring brought, build built, burn burnt, buy bought, catch caught, choose chose chosen, cling clung,
  come came, creep crept, deal dealt, dig dug, draw drew drawn, dream dreamt, drink drank drunk, drive drove driven,
  dwell dwelt, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found, flee fled, fling flung,
  fly flew flown flies, forbid forbade forbidden, foresee foresaw foreseen, forget forgot forgotten,
  forgive forgave forgiven, freeze froze frozen, get got gotten, give gave given, go went gone goes, grind ground,
  grow grew grown, hang hung, have has had, hear heard, hide hid hidden, hold held, keep kept, kneel knelt,
  know knew known, lay laid, lead led, lean leant, leap leapt, learn learnt, leave left, lend lent, lie lay lain,
  light lit, lose lost, make made, mean meant, meet met, mistake mistook mistaken, misunderstand misunderstood,
  outgrow outgrew outgrown, overcome overcame, overhear overheard, oversee oversaw overseen, oversleep overslept,
  overtake overtook overtaken, overthrow overthrew overthrown, override overrode overridden,
  overwrite overwrote overwritten, pay paid, plead pled, prove proven, rebuild rebuilt, redo redid redone,
  repay repaid, resell resold, retell retold, rethink rethought, rewind rewound, rewrite rewrote rewritten,
  ride rode ridden, ring rang rung, rise rose risen, run ran, saw sawn, say said, see saw seen, seek sought,
  sell sold, send sent, sew sewn, shake shook shaken, shine shone, shoot shot, show shown, shrink shrank shrunk,
  sing sang sung, sink sank sunk, sit sat, slay slew slain, sleep slept, slide slid, sling slung, smell smelt,
  sow sown, speak spoke spoken, speed sped, spell spelt, spend spent, spill spilt, spin spun, spit spat, spoil spoilt,
  spring sprang sprung, stand stood, steal stole stolen, stick stuck, sting stung, stink stank stunk,
  stride strode stridden, strike struck stricken, string strung, strive strove striven, swear swore sworn,
  sweep swept, swell swollen, swim swam swum, swing swung, take took taken, teach taught, tear tore torn, tell told,
  think thought, throw threw thrown, undergo underwent undergone, understand understood,
  undertake undertook undertaken, undo undid undone, uphold upheld, wake woke woken, wear wore worn, weave wove woven,
  weep wept, win won, wind wound, withdraw withdrew withdrawn, withhold withheld, withstand withstood, wring wrung,
  write wrote written, analysis analyses, appendix appendices, axis axes, basis bases, cactus cacti, calf calves,
  child children, crisis crises, criterion criteria, curriculum curricula, die dice, elf elves, foot feet,
  fungus fungi, goose geese, half halves, hypothesis hypotheses, index indices, knife knives, leaf leaves, life lives,
  loaf loaves, louse lice, man men, matrix matrices, medium media, mouse mice, nucleus nuclei, ox oxen,
  parenthesis parentheses, person people, phenomenon phenomena, schema schemata, self selves, shelf shelves,
  stimulus stimuli, synopsis synopses, thesis theses, thief thieves, tooth teeth, vertex vertices, wife wives,
  wolf wolves, woman women
`);

/** British and American spellings of everyday words with different stems. */
const SPELLINGS: readonly string[] = groups(`
  analyse analyze, armour armor, behaviour behavior, cancelled canceled, catalogue catalog, centre center,
  cheque check, cosy cozy, colour color, defence defense, dialogue dialog, favour favor, favourite favorite,
  fibre fiber, flavour flavor, fulfil fulfill, grey gray, harbour harbor, honour honor, humour humor,
  jewellery jewelry, kilometre kilometer, labour labor, licence license, litre liter, metre meter, mum mom,
  neighbour neighbor, neighbourhood neighborhood, offence offense, optimise optimize, organisation organization,
  organise organize, practise practice, prioritise prioritize, programme program, pyjamas pajamas, realise realize,
  recognise recognize, rumour rumor, skilful skillful, summarise summarize, synchronise synchronize, theatre theater,
  travelled traveled, traveller traveler, tyre tire, vapour vapor, yoghurt yogurt
`);

/** Groups of short and long forms of the same word: `db` and `database`. */
const SHORT_FORMS: readonly string[] = groups(`
  admin administrator, app application, auth authentication, bday birthday, bf boyfriend, bike bicycle,
  config configuration, dad father, db database, deps dependencies, dev development, doc document, env environment,
  exam examination, fridge refrigerator, gf girlfriend, grandma grandmother granny, grandpa grandfather,
  info information, k8s kubernetes, kid child children, lab laboratory, mom mum mother, msg message, perf performance,
  photo pic picture photograph, plane airplane aeroplane, prod production, pup puppy, repo repository,
  spec specification, tv television, uni university, vet veterinarian
`);

function groups(text: string): readonly string[] {
  return text.trim().split(/,\s+/);
}

/**
 * The other forms of a lower-case English word that a Porter stemmer does not reach, one per stem: went → go, gone; going →
 * went, gone; mice → mouse; colour → color; db → database.
 */
export function otherWordForms(word: string): readonly string[] {
  const stem = stemOf(word);
  const forms = new Map<string, string>();
  for (const base of basesOf(word))
    for (const form of groupsByForm()
      .get(base)
      ?.flatMap((group) => group.split(' ')) ?? []) {
      const other = stemOf(form);
      if (other !== stem && !forms.has(other)) forms.set(other, form);
    }
  return [...forms.values()];
}

const groupsByForm = lazy(() => {
  const found = new Map<string, string[]>();
  for (const group of [...IRREGULAR_FORMS, ...SPELLINGS, ...SHORT_FORMS])
    for (const form of group.split(' ')) found.set(form, [...(found.get(form) ?? []), group]);
  return found;
});

/**
 * The word itself, and the words of which it may be a form in -ing or -s: `run` for `running`, `write` for `writing`,
 * `teach` for `teaches`.
 */
function basesOf(word: string): string[] {
  const [, stem, ending] = /^(.{2,}?)(ing|e?s)$/.exec(word) ?? [];
  if (stem === undefined) return [word];
  const single = stem.at(-1) === stem.at(-2) ? [stem.slice(0, -1)] : [];
  // A silent e disappears before -ing ("making") but not before -s: "plans" is not a form of "plane".
  const silent = ending === 's' ? [] : [`${stem}e`];
  return [...new Set([word, stem, ...silent, ...single])];
}
