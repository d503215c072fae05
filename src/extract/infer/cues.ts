import { join } from 'node:path';
import { lazy } from '../../base/cache.js';
import type { Day } from '../../base/clock.js';
import { tryWithFallback } from '../../base/failure.js';
import { beginsAsOrder, statesCommand } from '../../language/statements/durable.js';
import { isNegation, splitAtNegations } from '../../language/words/stop.js';
import { readStatementTerms } from '../../language/words/terms.js';
import { replaceCodeSpans } from '../../markdown/inline.js';
import { pageOfPath } from '../../memory/pages.js';
import { decodeBytes } from '../../text/bytes.js';
import { isQuestion, sentencesOf } from '../../text/sentences.js';
import { readVersion } from '../../workspace/files.js';
import { BLANK_VALUE, readLogOfDay, withoutLabel } from './day.js';

/**
 * How the rules classify a sentence: something to remember, a decision, a cancellation, a change, a preference, or
 * work done.
 */
export interface InferenceCue {
  readonly kind: 'W' | 'B' | 'O';
  /** Position in `CUES`, or `RULING_RANK`. Facts with a low rank are kept first: their number per day is limited. */
  readonly rank: number;
  /** Whether the sentence begins with the cue ("Decided: …"). Such a sentence possibly does not name its subject. */
  readonly isFirst: boolean;
  /** Whether the sentence is a rule for the future. Its rank is that of a decision. */
  readonly isRule?: boolean;
}

/** Rank of an explicit request to remember: "remember that …". */
export const REMEMBER_CUE_RANK = 0;
/** Rank of a decision. Only explicit requests to remember come before decisions. */
export const DECISION_CUE_RANK = 1;
/** Rank of a decision or a rule that only its heading or label shows. Preferences come before it. */
export const RULING_RANK = 2.5;
const CANCELLED = 3;

/** Phrases that mark a sentence as worth keeping. Only explicit phrases: nothing is guessed. */
interface CueWords {
  readonly kind: InferenceCue['kind'];
  /** Patterns. Each must match whole words. */
  readonly spaced: readonly string[];
  /** Pattern for Chinese, Japanese and Korean. It may match anywhere in a sentence, also inside a word. */
  readonly unspaced: string;
  /** If true, the phrase does not count after a negation. For example, "not decided" is no decision. */
  readonly ifAffirmed: boolean;
}

const SOME_WORDS = String.raw`(?: [^\s.;:]+){0,8}?`;

const CUES: readonly CueWords[] = [
  {
    kind: 'W',
    spaced: [
      `remember(?=:| that\\b| to\\b)|(?:please|must|to) remember|don't forget|do not forget|keep in mind|for the record|note that|note to self`,
      'bitte merken|zu merken|merken:|merke? dir|nicht vergessen|denk daran|zur erinnerung',
      "à retenir|retenir que|reten(?:ez|ons)|retiens|ne pas oublier|n'oublie[zr]? pas|pour mémoire",
      'recuerda(?= que|:)|no olvid(?:ar|es)|ricorda(?:rsi|ti)|non dimenticare|lembre-se|não esquecer|onthouden|niet vergeten',
      'запомни(?:ть)?|не забыть|не забудь',
    ],
    unspaced:
      '记住|記住|牢记|别忘|別忘|(?<=^|[，。：\\s请要])记得|覚えておく|覚えておいて|忘れずに|忘れないで|기억해|잊지 마',
    ifAffirmed: false,
  },
  {
    kind: 'W',
    spaced: [
      'decided|decision(?=\\**:| is\\b| was\\b)|agreed (?:to|that|on|with)|settled on',
      'entschieden|entscheidung(?=\\**:)|beschluss(?=\\**:)|beschlossen|vereinbart|geeinigt|festgelegt',
      'décidé|décidons|convenu|décision(?=\\** ?:)',
      '(?:decisión|decisione|decisão|besluit)(?=\\**:)|decidido|decidimos|decidí|acordado|acordamos|deciso|concordato|decidiu|combinado|combinamos|besloten|afgesproken',
      'решение(?=\\**:)|решил[аи]?|решено|договорились',
    ],
    unspaced:
      '决定(?![权性于]|是否)|決定|決議(?=[:：])|决议(?=[:：])|约定|商定|说好|決めた|決めました|決まった|ことにした|ことにしました|결정했|하기로 했',
    ifAffirmed: true,
  },
  {
    kind: 'O',
    spaced: [
      `prefers?|preferred (?:to|not|that)|would rather|rather not|(?<!\\d )(?:likes|loves|hates|dislikes)(?= )|i (?:really )?(?:like|love|hate|dislike)|(?:does not|doesn't|do not|don't)(?: really)? like`,
      `bevorzug(?:t|e|en)|zieh(?:t|e|en)${SOME_WORDS} vor|mag (?:lieber|keine?n?|nicht)|am liebsten`,
      `préfère(?:nt|s)?|n'aime(?:nt|s)? pas|aime(?:nt)? (?:mieux|bien)`,
      'prefier(?:e|en|o)|(?:no )?(?:me|le) gusta|preferis(?:ce|co|cono)|prefer(?:e|em)|prefiro|não gosta|geeft de voorkeur',
      'предпочита(?:ет|ю|ют)|не любит',
    ],
    unspaced: '(?<!、)偏好(?!、)|喜欢|喜歡|が好き|を好む|が嫌い|선호|좋아한|싫어한',
    ifAffirmed: false,
  },
  {
    kind: 'W',
    spaced: [
      'cancell?ed|called off|revoked|rescinded|overturned|scrapped|off the table',
      'abgesagt|aufgehoben|zurückgenommen|widerrufen|hinfällig|vom tisch',
      'annulée?s?|révoquée?s?',
      'cancelad[oa]s?|cancelamos|anulad[oa]s?|revocad[oa]s?|annullat[oaie]|revocat[oaie]|geannuleerd|ingetrokken',
      'отменил[аи]?|отменено|отменена|отменён',
    ],
    unspaced:
      '取消了|已取消|被取消|撤销了|撤銷了|已撤销|作废了|作廢了|取り消し|キャンセルし|キャンセルされ|취소했|취소됐|취소되었',
    ifAffirmed: true,
  },
  {
    kind: 'W',
    spaced: [
      `(?:moved|moves|switched|switches|migrated|renamed|changed)${SOME_WORDS} to|replaced${SOME_WORDS} (?:with|by)`,
      `(?:umgezogen|gezogen|zieht|zog)${SOME_WORDS} nach|(?:umgestellt|umgestiegen|gewechselt|geändert)${SOME_WORDS} auf|(?:auf|nach|zu|in)${SOME_WORDS} (?:umgestellt|umgestiegen|gewechselt|geändert|umgezogen|gezogen|umbenannt)|ersetzt durch|durch${SOME_WORDS} ersetzt`,
      `déménagé${SOME_WORDS} (?:à|en|au|aux|dans)|(?:migré|basculé)${SOME_WORDS} (?:vers|sur)|remplacé${SOME_WORDS} par|renommé${SOME_WORDS} en`,
      `se mudó a|(?:migrado|migramos|cambiado|cambiamos)${SOME_WORDS} a|trasferit[oaie] a|mudou(?:-se)? para|(?:migramos|mudamos|trocamos)${SOME_WORDS} para|verhuisd naar|overgestapt op`,
      `(?:переехал[аи]?|перешл[иа]|перешёл)${SOME_WORDS} (?:в|на)|заменил[аи]?${SOME_WORDS} на`,
    ],
    unspaced:
      '搬到|搬去|改成|改为|改為|改用|换成|換成|换到|换用|迁移到|に引っ越|に変更|に切り替え|に移行|(?:으)?로 (?:변경|바꿨|전환|이사)',
    ifAffirmed: true,
  },
  {
    kind: 'B',
    spaced: [
      `(?:i|we|i've|we've|have|has|finally|@\\S+) fixed|fixed (?:the|a|an|this|that|by|with|it by|it with)|solved|repaired`,
      'behoben|gelöst|gefixt|repariert|beseitigt|corrigé|réparé|résolu',
      'arreglad[oa]|arregl(?:é|amos)|solucionad[oa]|resuelt[oa]|risolto|riparato|consertad[oa]|consertamos|resolvid[oa]|opgelost|gerepareerd',
      'починил[аи]?|исправил[аи]?|исправлено',
    ],
    unspaced: '修好|修复了|修復了|解决了|解決了|搞定了|修正了|直した|修正した|解決した|고쳤|수정했|해결했',
    ifAffirmed: true,
  },
];

/** Each cue with one regular expression that matches all of its phrases. */
const patterns = lazy(() =>
  CUES.map((cue) => {
    const spaced = `(?<![\\p{L}\\p{N}_])(?:${cue.spaced.join('|')})(?![\\p{L}\\p{N}_])`;
    return [cue, new RegExp(`${spaced}|${cue.unspaced}`, 'iu')] as const;
  }),
);

/** Words of conditions, guesses and plans: "if", "maybe", "should". A sentence with such a word is not a fact. */
const OPEN =
  /^\s*(?:if|when|once|until|maybe|perhaps|should|todo|wenn|falls|sobald|vielleicht|si|peut-être|quizás|se|forse|talvez|если|может|如果|要是|也许|可能|是否|もし)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:not sure|might|could|would be|(?:to|will|should|must|can|may|not|n't) (?:\S+ )?be|wants? to be|muss|müssen|soll|sollen|sollte|müsste|könnte|doit|devra(?:it)?|debe|hay que|deve)(?![\p{L}\p{N}])|[吗嗎]|^(?:如果|要是|也许|可能|是否|もし)|应该|打算|考虑/iu;
/**
 * Matches a sentence that begins or ends with a pronoun ("it", "they"). Such a sentence makes no sense without earlier
 * lines.
 */
const LEANS =
  /^(?:he|she|it|they|this|that|these|those|his|her|their|er|sie|es|das|dies|diese|il|elle|ils|elles|ça|cela|lo|esto|eso)(?![\p{L}\p{N}])|^(?:他们?|她们?|它们?|这|那|彼|彼女|それ|これ)|\s(?:it|them|this|that|these|those)(?: instead| too| again| then)?[.!]*$|(?<![\p{L}\p{N}])(?:dagegen|dafür|stattdessen)(?![\p{L}\p{N}])/iu;
/** Matches a sentence that only introduces the lines below it. */
const INTRODUCES = /[:：][\s*_]*$/u;
const CLAUSE = /[,;，；、](?!\d)|\s(?:but|and|aber|und|mais|et|pero|y)\s|但是?|而且/u;

/**
 * The cue of a sentence that can be kept as it is. `undefined` if the sentence has no cue, or makes no sense without
 * earlier lines. Pure.
 * @param isRuling whether its heading or label says that it is a rule or a decision
 */
export function findInferenceCue(sentence: string, isRuling = false): InferenceCue | undefined {
  const plain = sentence.replace(/’/gu, "'");
  const bare = withoutLabel(plain);
  if (isQuestion(plain) || INTRODUCES.test(plain) || BLANK_VALUE.test(bare)) return undefined;
  if (LEANS.test(plain) || LEANS.test(bare)) return undefined;
  const cue = findWords(plain);
  if (cue !== undefined && cue.rank < RULING_RANK) return cue;
  const isOrder =
    statesCommand(replaceCodeSpans(plain).replace(ASIDE, '')) || plain.split(CLAUSE_START).some(beginsAsOrder);
  const isRule = isOrder && !OPEN.test(plain) && !endsInQuote(plain);
  const isSaid = isRuling && readStatementTerms(bare).length >= MIN_TERMS && !/^`[^`]*`$/u.test(bare);
  if (!isSaid && !isRule) return cue;
  return { kind: 'W', rank: isRule ? DECISION_CUE_RANK : RULING_RANK, isFirst: beginsAsOrder(bare), isRule };
}

/** Matches text in brackets or in quotation marks. */
const ASIDE = /[(（][^()（）]*[)）]|["“][^"”]*["”]/gu;
/** Matches the sign before a clause. The clause may be an order of its own: `Backups: never delete them`. */
const CLAUSE_START = /[:：;；,，(（—–→]\s*|\s-\s/u;
/** A sentence that begins with its cue, or stands below a heading for rules, needs at least this many terms. */
export const MIN_TERMS = 3;

function findWords(plain: string): InferenceCue | undefined {
  for (const [rank, [cue, pattern]] of patterns().entries()) {
    const found = pattern.exec(plain);
    if (found === null) continue;
    if (rank !== REMEMBER_CUE_RANK && OPEN.test(plain)) return undefined;
    const before = plain.slice(0, found.index).split(CLAUSE).at(-1) ?? '';
    if (cue.ifAffirmed && isDenied(before)) return undefined;
    const lead = plain.slice(0, found.index);
    if (endsInQuote(lead) || (cue.kind === 'O' && /[(（][^)）]*$/u.test(lead))) return undefined;
    return { kind: cue.kind, rank, isFirst: !/[\p{L}\p{N}]/u.test(withoutLabel(lead)) };
  }
  return undefined;
}

/** Whether a text ends within quotation marks. What follows are the words of somebody else. */
function endsInQuote(text: string): boolean {
  const opened = text.match(/[“「『《]/gu)?.length ?? 0;
  const closed = text.match(/[”」』》]/gu)?.length ?? 0;
  return opened > closed || (text.match(/"/gu)?.length ?? 0) % 2 === 1;
}

/** Whether a sentence says that something is cancelled. Pure. */
function hasCancellations(sentence: string): boolean {
  return !isQuestion(sentence) && !OPEN.test(sentence) && patterns()[CANCELLED]?.[1].test(sentence) === true;
}

function isDenied(before: string): boolean {
  const words = before.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  return words.some((word) => isNegation(word) || word.endsWith("n't")) || splitAtNegations(before).length > 1;
}

/** A sentence of a log that cancels something: "The trip is called off." */
interface Cancellation {
  readonly day: Day;
  readonly terms: ReadonlySet<string>;
  readonly heading: string | undefined;
}

/** Finds the cancellations in the logs of a day and of all later days. Unreadable logs are skipped. */
export function findCancellations(root: string, paths: readonly string[], from: Day): readonly Cancellation[] {
  return paths.flatMap((path) => {
    const { role, day = null } = pageOfPath(path) ?? {};
    if (role !== 'daily' || day === null || day < from) return [];
    const bytes = tryWithFallback(() => readVersion(join(root, path))?.bytes, undefined);
    if (bytes === undefined) return [];
    return readLogOfDay(path, decodeBytes(bytes)).passages.flatMap(({ text, topics }) =>
      sentencesOf(text)
        .filter(hasCancellations)
        .map((said) => ({ day, terms: new Set(readStatementTerms(said)), heading: topics.at(-1) })),
    );
  });
}

/**
 * Minimum number of words that a decision and its cancellation must share. If both stand below the same heading, one word is
 * enough.
 */
const SHARED = 2;

/**
 * Whether a cancellation is about a given decision. Normally both must share at least two words. If both stand below
 * the same heading, one shared word is enough, and a cancellation with at most two words needs none. Pure.
 * @param decided text of the decision
 * @param about heading above the decision
 */
export function isAboutDecision({ terms, heading }: Cancellation, decided: string, about: string | undefined): boolean {
  const shared = new Set(
    readStatementTerms(decided).filter((term) => terms.has(term) && !/^(?:decis|decid)/u.test(term)),
  );
  const isSame = heading !== undefined && about !== undefined && heading.toLowerCase() === about.toLowerCase();
  return shared.size >= (isSame ? 1 : SHARED) || (isSame && terms.size <= SHARED);
}
