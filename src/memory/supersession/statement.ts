import { plainText } from '../../language/plain-text.js';
import { CAPITAL, CJK, isCapital } from '../../language/scripts.js';
import { Cued } from '../../language/tokens.js';
import { COPULAS, SMALL_WORDS, STATE_VERBS } from '../../language/words/attributes.js';
import { mayTellOfNow, nowPattern } from '../../language/words/now.js';
import { toSimplified } from '../../language/words/traditional.js';
import { StatementWord } from './statement-word.js';

/** A statement about something, read for comparing it with others. */
export interface Statement {
  readonly text: string;
  /** Of its first clause, without small words and words for now; Chinese by the character. */
  readonly words: readonly StatementWord[];
  /** Of each clause. */
  readonly clauses: readonly (readonly StatementWord[])[];
  /** It says that something has become so: `now`, `moved to`, 改成. */
  readonly isChange: boolean;
  /** It tells of a plan, a wish or a possibility, or of what was once: it does not say what holds. */
  readonly isOpen: boolean;
}

const LONGEST = 600;
const MOST_CLAUSES = 4;
/** Where another clause begins, or what only gives a reason. */
const CLAUSE_END =
  /[;；。！？!?(（]|[,，、](?![0-9])|(?<!\b(?:Dr|Mr|Mrs|Ms|St|Prof|Mme|No|Nr|vs|ca|Str|Jr|M|Mlle|\d{1,2}))\.(?=\s|$)|\s[–—-]\s|\s(?:because|since|after(?! \d)|due to|with effect|starting|effective|as of|weil|wegen|seit|ab|parce que|depuis)\s|因为|自从/;
const CHANGE = new Cued(
  'no longer|switch|chang|moved|relocated|replace|became|becomes|upgraded|updated|slipped|postponed|pushed|extended|shifted|rescheduled|delayed|increased|rose|fell|dropped|raised|lowered|renamed|instead|any more|anymore|new|umgestiegen|gewechselt|umgezogen|gezogen|geändert|verschoben|statt|sondern|geworden|neue|passé|déménagé|remplacé|devenu|nouve|mehr|plus|改|换|搬|变成|变为|升级|不再|转到|调到|迁到|新的|从',
  /(?<![\w\u00c0-\u1fff])(?:no longer|switch(?:ed|es)|chang(?:ed|es)|moved|relocated|replaced|replaces|became|becomes|upgraded|updated|slipped|postponed|pushed|extended|shifted|rescheduled|delayed|increased|rose|fell|dropped|raised|lowered|renamed|instead|any ?more|new|umgestiegen|gewechselt|umgezogen|gezogen|geändert|verschoben|statt|sondern|geworden|neue[rsnm]?|changé|passée?|déménagé|remplacée?|devenue?|nouve(?:au|l|lle)|mehr|plus)(?![\w\u00c0-\u1fff])|改|换|搬|变成|变为|升级|不再|转到|调到|迁到|新的|从[^,，]{1,8}起/i,
);
/** What only says that something is to come; from its date on, it has. */
const FUTURE = new Cued(
  "will|going to|moving|switching|changing|wird|werden|va |vont|'ll|将",
  /\b(?:will|(?:is|are) going to|(?:is|are)(?= (?:moving|switching|changing)\b)|(?:wird|werden)(?!.{1,80}(?:ge(?!hen|ben|winnen)\S{2,}(?:t|en)|\b(?:be|ver|er|ent|zer)\S{2,}t)\s*(?:[.,;!]|$))|va|vont)\b|'ll\b|将/i,
);
const OPEN = new Cued(
  "won't|plans |plan to|planning|intend|want|hope|hoping|consider|thinking|might|could|would|should|about to|maybe|perhaps|used to|formerly|previously|plant|möchte|wollen|überlegt|vielleicht|könnte|soll|beabsichtigt|früher|damals|veut|voudrait|compte|envisage|prévoit|pourrait|devrait|aimerait|peut-être|autrefois|?|？|打算|计划|准备|想|考虑|可能|也许|希望|或许|以前|曾",
  /\b(?:won't|plans (?:to|on)|(?:we|they|i) plan to|planning|intends?|wants?|hopes?|hoping|considers (?=\w+ing\b)|considering|thinking (?:about|of)|might|could|would|should|about to|maybe|perhaps|used to|formerly|previously|plant|möchte|wollen|überlegt|vielleicht|könnte|soll|sollte|beabsichtigt|früher|damals|veut|voudrait|compte|envisage|prévoit|pourrait|devrait|aimerait|peut-être|autrefois)\b|[?？]|打算|计划(?!是)|准备|想|考虑|可能|也许|希望|或许|以前|曾/i,
);
const MAY = /\bmay\b(?!\s*\d)/;
const CHARACTER = new RegExp(`[${CJK}]|[^\\s${CJK}]+`, 'g');
const EDGES = /^["'“”«»‘’「」*_`,.:]+|["'“”«»‘’「」*_`,.]+$/g;

/** What a pattern finds, and in which words it is compared. */
type Said = readonly [cued: Cued, same: string];

function said(words: string, pattern: RegExp | string, same: string): Said {
  return [new Cued(words, new RegExp(pattern)), same];
}

/** What is said of a move is what is said of a home, and a change to a value is a value. */
const SAME_AS: readonly Said[] = [
  said(
    'mov|relocat',
    `^(?:[Hh]as |[Hh]ave )?(?:[Mm]ov(?:ed?|ing)|[Rr]elocat(?:ed?|ing)) (?:from [^,;]{1,40}? )?(?:to|into) (?=[${CAPITAL}])`,
    'lives in ',
  ),
  said(
    'address',
    `^(?:[Hh]as )?(?:gave|gives|given) ([${CAPITAL}][^,;]{1,40}?) as (?:his|her|their) (?:\\w+ )?address\\b`,
    'lives in $1',
  ),
  said(
    'resident',
    `^(?:(?:is|was|became|has|got) )?(?:now )?(?:(?:has )?[Rr]egistered as )?an? (?:\\w+ )?resident (?:of|in) (?=[${CAPITAL}])`,
    'lives in ',
  ),
  said(
    'gezogen',
    `^[Ii]st (?:von [^,;]{1,40}? )?nach ([${CAPITAL}]\\S+(?: [${CAPITAL}]\\S+)?) (?:um)?gezogen\\b`,
    'wohnt in $1',
  ),
  said('ziehen', `^(?:.{1,40} )?nach ([${CAPITAL}]\\S+) (?:um)?ziehen\\b`, 'wohnt in $1'),
  said('switch', `^(?:[Hh]as )?[Ss]witch(?:ed|ing) to (?=[${CAPITAL}])`, 'uses '),
  said('umgestiegen|gewechselt', `^[Ii]st (?:auf|zu) ([${CAPITAL}]\\S+) (?:umgestiegen|gewechselt)\\b`, 'nutzt $1'),
  said(
    'postponed|rescheduled|shifted|pushed|delayed|moved',
    /\b(?:(?:has been|was|is|got) )?(?:postponed|rescheduled|shifted|pushed(?: back)?|delayed|moved) (?:from [^,;]{1,40}? )?to (?=(?:Mon|Tues?|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|\d{1,2} [A-Z]))/,
    'is on ',
  ),
  said(
    'déménag|installé',
    /^(?:(?:a|s'est) )?(?:déménag(?:er|é)|installée?) (?:de [^,;]{1,40}? )?(?=(?:à|au|en) )/i,
    'habite ',
  ),
  said('改|换|转', /^(?:改|换|转)(?:用|成|为|到)了?/, '用'),
  said(
    'raised|lowered|increased|reduced|cut|changed|set|extended|shortened',
    /\b(?:was|were|has been|have been) (?:raised|lowered|increased|reduced|cut|changed|set|extended|shortened)(?: from [^,;]{1,40}?)? to /i,
    'is ',
  ),
  said(
    'updated|upgraded|migrated',
    /^(?:was|were|has been|have been|got) (?:updated|upgraded|migrated)(?: from [^,;]{1,40}?)? to /i,
    'runs on ',
  ),
  said('改|换|变|调|移|转', /(?:改|换|变|调|移|转)(?:成|为|到|至|在)/g, '是'),
  said('改由', /改由/g, '由'),
  said('搬|迁|移居', /(?:从.{1,12}?)?(?:搬|迁|移居)(?:到|去|至|往)/g, '住在'),
];

export interface StatementContext {
  /** The name of what it is about, where that names an attribute: `@Landlord: is Ms Oduya`. */
  readonly attribute?: string | undefined;
  /** What it says to come has come. */
  readonly isDue?: boolean;
}

/** What says the same in other words, and since when something is so, which is no part of what is so. */
const SAME_SAID: readonly Said[] = [
  said('reports to', /^reports to /i, 'the manager is '),
  said(
    'job',
    /^(?:has|took|got|switched to|started) (?:a |the |her |his )?(?:new )?jobs? (?:at|with|for) /i,
    'works for ',
  ),
  said(
    'started|works|is employed',
    /^(?:started|works|is employed) (?:at|with|for) (?=[a-z\u00c0-\u1fff])/i,
    'works for ',
  ),
  said(
    'went|rose|fell|dropped',
    /\b(?:went (?:up|down)|rose|fell|dropped) (?:from [^,;]{1,40}? )?to (?=[\d€$£])/i,
    'is now ',
  ),
  // Since when it is so stands before the value in German: `ist seit Mai Frau Seidl`.
  said(
    'seit',
    /\bseit (?:(?:dem|Anfang|Mitte|Ende|\d{1,2}\.) )*(?:(?:Jan|Jän|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)[a-z]*|(?:letztem )?[A-Z][a-z]+tag|gestern|heute|kurzem|\d{4})(?: \d{4})? (?=[^\s.,;])/,
    '',
  ),
  // From when on it is so is no part of it either: `öffnet ab 2026-04-01 um 7 Uhr`.
  said(
    ' from | ab | partir du| dès le',
    /\s(?:from|ab(?: dem)?|à partir du|dès le)\s(?:\d{4}-\d\d-\d\d|\d{1,2}(?:\.|st|nd|rd|th|er)?\s[A-Za-zäéû]{3,9}(?:\s\d{4})?|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?:\s\d{1,2})?(?:,?\s\d{4})?)(?=[\s.,;]|$)/,
    '',
  ),
  said('从|自', /^(?:从|自)[^,，。;；]{1,10}?(?:起|开始|以来)[,，]?\s*/, ''),
];

/**
 * Reads a statement for comparing. Linear in its length. Pure.
 * @param statement without leading entities
 */
export function readStatement(statement: string, { attribute, isDue = false }: StatementContext = {}): Statement {
  const written = toSimplified(statement.slice(0, LONGEST))
    .replace(/[’]/g, "'")
    .replace(/使?用的是/, '用')
    .trim();
  const plain = inSameWords(written);
  const isFuture = FUTURE.isIn(plain);
  const text =
    isDue && isFuture
      ? plain
          .replace(/\bwill be\b/i, 'is')
          .replace(/\bwill ([a-z]+)\b/i, (said, verb: string) => (STATE_VERBS.has(`${verb}s`) ? `${verb}s` : said))
          .replace(FUTURE.pattern, ' ')
          .replace(/^[\d年月日号\s]+(?=\p{L})|\s+(?=\s)/gu, '')
          .trim()
      : plain;
  const isChange = tellsOfChange(text) || (isDue && isFuture);
  const clauses = (isChange ? withoutOld(mayTellOfNow(text) ? text.replace(nowPattern(), ' ') : text) : text)
    .split(CLAUSE_END)
    .map((clause) => readWords(isChange ? asState(clause.trim()) : clause))
    .filter((words) => words.length > 0)
    .map((words) =>
      attribute !== undefined && COPULAS.has(words[0]?.text ?? '') ? [named(attribute), ...words] : words,
    )
    .slice(0, MOST_CLAUSES);
  return { text, words: clauses[0] ?? [], clauses, isChange, isOpen: isOpen(plain, isDue) };
}

function inWordsOf(table: readonly Said[], text: string): string {
  return table.reduce((plain, [cued, same]) => cued.replaceIn(plain, same), text);
}

function inSameWords(text: string): string {
  return inWordsOf(SAME_SAID, text);
}

/** Whether a statement tells of a plan whose day has not come, a wish or a possibility, or of what was once. */
export function isOpen(text: string, isDue = false): boolean {
  return OPEN.isIn(text) || MAY.test(text) || (!isDue && FUTURE.isIn(text));
}

function named(name: string): StatementWord {
  return new StatementWord(plainWord(name), true, false);
}

/** What a statement denies before it says what is so instead. */
const OLD: readonly Said[] = [
  said('no longer', /\b(is|are) no longer [^.;]{1,60}?,? but /i, '$1 '),
  said('no longer', /\bno longer (\S+s) [^.;]{1,60}?,? but (?:\1 )?/i, '$1 '),
  said('nicht mehr', /\bnicht mehr [^.;]{1,60}?,? sondern /i, ''),
  said(' plus ', /\b(?:ne |n')(\S+) plus [^.;]{1,60}? mais (?:de |d')?/i, '$1 '),
  said('不再', /不再(用|是|叫|由)?[^，。,;；]{1,20}[，,](?:而是|而|改|转)(?:用|是|由)?/, '$1'),
];

function withoutOld(text: string): string {
  return inWordsOf(OLD, text);
}

/** What a clause of change says is so since. */
function asState(clause: string): string {
  return inWordsOf(SAME_AS, clause).replace(/了$/, '');
}

/** What stands between spaces, and every character of a script without them; most text has none. */
function runsOf(clause: string): readonly string[] {
  return /[\u1100-\uffff]/.test(clause) ? (clause.match(CHARACTER) ?? []) : clause.split(/\s+/);
}

function readWords(clause: string): readonly StatementWord[] {
  const words: StatementWord[] = [];
  let isFirst = true;
  for (const run of runsOf(clause.replace(/[:：=](?=\s|$)|：/g, ' : '))) {
    const bare =
      run === ':'
        ? run
        : run
            .replace(EDGES, '')
            .replace(/'s$/i, '')
            .replace(/^(?:l|d|n|qu)'/i, '');
    const text = plainWord(bare);
    const isName = !isFirst && isCapital(bare);
    // French `a` is no article, an English `son` no pronoun.
    const isSmall = SMALL_WORDS.has(text) && !(text === (isFirst ? 'a' : 'son'));
    isFirst = false;
    if (text !== '' && !isSmall) words.push(new StatementWord(text, isName, /'s$/i.test(run)));
  }
  return words;
}

/** Lower-case, with its diacritics: `à` and `a` are not the same word. */
function plainWord(word: string): string {
  return /^[\x00-\x7f]*$/.test(word) ? word.toLowerCase() : word.normalize('NFKC').toLowerCase();
}

/** Whether a statement says that something has become so. */
export function tellsOfChange(text: string): boolean {
  return CHANGE.isIn(text) || (mayTellOfNow(text) && text.search(nowPattern()) >= 0);
}

/** Whether a statement says that something is to come. */
export function tellsOfFuture(text: string): boolean {
  return FUTURE.isIn(text);
}

/** The first and the last word of a statement that are not small: a cheap look before it is read. */
export function edgeWords(text: string): readonly [first: string, last: string] {
  const words = inSameWords(text)
    .split(EDGE_SPACE)
    .filter((word) => word !== '');
  const first = words.find((word) => !SMALL_WORDS.has(word.toLowerCase())) ?? '';
  const last = words.at(-1) ?? '';
  return [
    isCjk(first) ? first.charAt(0) : plainWord(first).slice(0, EDGE),
    isCjk(last) ? last.slice(-1) : plainWord(last),
  ];
}

const EDGE_SPACE = /[\s:：,.;!。，'’"]+/;
/** So many letters of a first word, of which there may be several forms. */
const EDGE = 4;

const ANY_CJK = new RegExp(`[${CJK}]`);

function isCjk(word: string): boolean {
  return ANY_CJK.test(word);
}

/** Whether two words are the same, or forms of one. */
export function isSameWord(a: StatementWord | undefined, b: StatementWord | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return (
    a.text === b.text ||
    isFeminine(a.text, b.text) ||
    isFeminine(b.text, a.text) ||
    (a.text.length > 3 && b.text.length > 3 && plainText(a.text) === plainText(b.text))
  );
}

/** `Projektleiter`, `Projektleiterin` */
function isFeminine(word: string, other: string): boolean {
  return word.length > 6 && word.endsWith('erin') && word.slice(0, -2) === other;
}

export function joined(words: readonly StatementWord[]): string {
  return words.map(({ text }) => text).join('');
}
