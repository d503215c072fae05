import { lazy } from '../../base/cache.js';
import { isPastForm, isPreteriteOnly } from '../time/languages/english.js';

/** Words for a count, as patterns. */
const COUNTS: readonly (readonly [words: string, count: number])[] = [
  ['an?|one|ein(?:e[nm]?)?|une?|un[ao]|een|一', 1],
  ['two|zwei|deux|dos|due|dois|duas|twee|два|две|[二两兩]|a couple of', 2],
  ['three|drei|trois|tres|tre|três|drie|три|三', 3],
  [
    'four|vier|quatre|cuatro|quattro|quatro|четыре|四|a few|ein paar|einige|quelques|unos|alcun[ei]|enkele|несколько|[几幾数]',
    4,
  ],
  ['five|fünf|cinq|cinco|cinque|vijf|пять|五|several', 5],
  ['six|sechs|seis|sei|zes|шесть|六', 6],
  ['seven|七', 7],
  ['eight|acht|八', 8],
  ['ten|zehn|dix|十', 10],
  ['twelve|zwölf', 12],
];
/** Words for a unit, as patterns, and how many days it has. */
const UNITS: readonly (readonly [words: string, days: number])[] = [
  ['days?|tagen?|tage?|jours?|días?|giorn[oi]|dias?|dag(?:en)?|дн(?:я|ей)|[天日]', 1],
  ['weeks?|wochen?|semaines?|semanas?|settiman[ae]|we(?:ek|ken)|недел[юиь]|周|星期|週', 7],
  ['months?|monaten?|mois|mes(?:es|i|e)?|mês|maand(?:en)?|месяц(?:а|ев)?|月', 31],
  ['years?|jahre?n?|ans?|años?|ann[oi]|anos?|jaar|год(?:а)?|лет|年', 366],
];
const COUNT = `\\d+|${COUNTS.map(([words]) => words).join('|')}`;
const UNIT = UNITS.map(([words]) => words).join('|');
const BEFORE =
  'for(?: about| around| roughly| another| the next| up to| some)?|für(?: etwa| rund| weitere)?|pour(?: environ)?|por(?: unos| cerca de)?|durante|per(?: circa)?|voor(?: ongeveer)?|на';
const COUNT_CHINESE = '[一二两兩三四五六七八九十\\d]+|几|幾|数';

/** Patterns for how long something holds: `for two weeks`, `für zwei Wochen`, `pour deux mois`, 三周, 二週間. */
const patterns = lazy(() => [
  new RegExp(`(?<![\\p{L}])(?:${BEFORE}) (${COUNT})? ?(?:more |weitere |autres? )?(${UNIT})(?!\\p{L})`, 'iu'),
  new RegExp(`(?:为期|接下来|未来)(?:的)?(${COUNT_CHINESE})个?(天|周|星期|月|年)`, 'u'),
  new RegExp(
    `^(?:人?[去到在赴住]|出差|出国|实习|请假|休\\p{Lo}{0,2}假)[^了过保存留需效]{0,10}?(${COUNT_CHINESE})个?(天|周|星期|月|年)$`,
    'u',
  ),
  /^([一二三四五六七八九十\d]+)(?:[ヶかケ]?)(日|週|月|年)間(?=.{0,12}(?:滞在|出張|旅行|留守|休暇))/u,
]);

/** Every text that says how long something holds contains one of these. */
const MAY_LAST = /[^\0-\x7f]|(?<![a-z])(?:for|pour|por|durante|per|voor) /i;

/**
 * The start of a statement that says where somebody is: `in Rome for two weeks`. Such a statement is true only for its
 * duration. A rule with a duration stays true: `backups are kept for 30 days`.
 */
const IS_SOMEWHERE =
  /^(?:(?:is|are|am|ist|sind|bin|est|sont|está|están|estão|è|sono) )?(?:now |currently )?(?:in|at|on|off|away|out|abroad|visiting|im|am|auf|bei|beim|à|au|aux|en|chez|em|no|na|a|ad|op|bij|в|во|на|у)(?!\p{L})/iu;

/**
 * A statement about a single thing: `the garage is blocked for four days`. It describes a single case, which ends with its
 * duration. A statement about a plural is a rule, which does not end: `backups are kept for 30 days`.
 */
const ONE_THING = /^the \p{L}+ is \p{Ll}+ed(?!\p{L})/iu;

/**
 * A rough duration: `for about six weeks`, `for the next month`. A statement with a rough duration is about a single case,
 * because a rule names an exact duration.
 */
const ONE_STRETCH =
  /^\S+ (?:about|around|roughly|another|the next|etwa|rund|weitere|environ|unos|cerca|circa|ongeveer) /i;

/** A duration up to now: `has lived there for two years`. */
const SO_FAR = /\b(?:has|have|had|'s|been|lived|worked|ha|lleva)\b.{0,60}\b(?:for|por|per) /i;

/**
 * The number of days for which a statement holds, by its own words: 42 for `away for about six weeks`. Undefined if the
 * statement names no duration. Also undefined for a rule (`backups are kept for 30 days`), and for a time up to now (`has
 * lived there for two years`).
 */
export function readDurationDays(text: string): number | undefined {
  if (!MAY_LAST.test(text) || SO_FAR.test(text)) return undefined;
  for (const [at, pattern] of patterns().entries()) {
    const [found, said = '', unit = ''] = pattern.exec(text) ?? [];
    if (found === undefined) continue;
    if (at === 0 && !ONE_STRETCH.test(found) && !isStay(text.replace(found, ''))) return undefined;
    const count = /^\d+$/.test(said) ? Number(said) : (valueIn(said, COUNTS) ?? 1);
    const days = valueIn(unit, UNITS);
    return days === undefined ? undefined : count * days;
  }
  return undefined;
}

function valueIn(said: string, table: typeof COUNTS): number | undefined {
  return table.find(([words]) => new RegExp(`^(?:${words})$`, 'i').test(said))?.[1];
}

/**
 * Whether a statement is true only for its duration. Such a statement says where somebody is, describes a single thing,
 * or tells what happened once (`went home with tablets for five days`). It may also be a single word with a duration
 * (`brace for three weeks`).
 * @param rest the statement without its duration
 */
function isStay(rest: string): boolean {
  const said = rest.trimStart();
  const [first = ''] = /^[a-z]+/.exec(said) ?? [];
  if (IS_SOMEWHERE.test(said) || ONE_THING.test(said) || isPreteriteOnly(first)) return true;
  return /^\p{Ll}+\s*[.。]?\s*$/u.test(said) && !isPastForm(said);
}
