import { BASIC_CJK_RANGES, CAPITAL_RANGES, LETTER_RANGES } from './scripts.js';
import { wholeWordPattern, wordSet } from './tokens.js';

/** A line with a speaker other than the text's author. */
export interface SpeakerTurn {
  readonly name: string;
  /** The line without the speaker's name. '' if the line is only a name. */
  readonly said: string;
}

const MARK = '(?:\\*\\*|__)?';
const CLOCK =
  '[[(]?(?:\\d{4}-\\d\\d-\\d\\d[ T])?\\d{1,2}[:.h：]\\d{2}(?::\\d{2})?(?:\\s?[AaPp]\\.?[Mm]\\.?|\\s?Uhr|\\s?h)?[\\])]?';
const NAME = '([\\p{L}\\p{N}](?:[\\p{L}\\p{N}\\p{M}._-]*[\\p{L}\\p{N}\\p{M}])?)';
/** A name with `@` that stands alone in a line or heading: `09:20 @robin`, `@robin 09:20`, `@robin`. */
const MARKED = new RegExp(`^${MARK}(?:${CLOCK}[\\s,–-]*)?[@＠]${NAME}(?:[\\s,–-]+${CLOCK})?${MARK}[:：]?${MARK}$`, 'u');
/** A name with `@` at the start of a line, before what the person said. */
const MARKED_LABEL = new RegExp(
  `^(?:${MARK}(?:${CLOCK}[\\s,–-]*)?[@＠]${NAME}(?:\\s+${CLOCK})?${MARK}\\s*[:：]${MARK}\\s*|${MARK}${CLOCK}[\\s,–-]*[@＠]${NAME}${MARK}\\s+)(?=\\S)`,
  'u',
);
/** The header of a letter: `**From:** Robin <robin@example.org>`. */
const FROM = new RegExp(
  `^(${MARK})(?:from|von|de|da|van|от|från|fra|od|author|autor|autora|auteur|autore|speaker|sender|absender(?:in)?|remitente|remetente|expéditeur|mittente|afzender|发件人|發件人|发送者|寄件人|差出人|送信者|보낸 ?사람)${MARK}\\s*[:：]\\s*${MARK}\\s*(\\S.{0,80})$`,
  'iu',
);
const OTHER_HEADER =
  /^(?:\*\*|__)?(?:to|an|à|para|aan|кому|subject|betreff|objet|asunto|assunto|oggetto|onderwerp|тема|date|datum|fecha|data|sent|gesendet|收件人|主题|主旨|日期|宛先|件名)(?:\*\*|__)?\s*[:：]/iu;
const HEADING = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/u;
/** Names such as `me` that chat programs use for the owner of the text. */
const OWNER =
  /^(?:me|i|myself|self|owner|user|human|ich|nutzer(?:in)?|benutzer(?:in)?|yo|usuari[oa]|moi|utilisateur|io|utente|eu|ik|gebruiker|я|пользователь|我|本人|用户|用戶|自分|私|ユーザー|나|사용자)$/iu;

/** Whether a name means the owner of a text or the agent that speaks to them, and nobody else: `user`, `Nutzer`, `助手`. */
export function isRoleOfSpeaker(name: string): boolean {
  return OWNER.test(name) || /^(?:users?|assistant|assistent(?:in)?|agent|助手|助理)$/iu.test(name);
}

/**
 * The speaker of each line, read from the headings, labels and headers of a text. Undefined for the lines of its author; a
 * text without speakers has no turns. A
 * name with `@`, or in the header of a letter, is a speaker. Any other name is a speaker only if it recurs and alternates
 * with other names. Pure.
 */
export function findTurns(lines: readonly string[]): readonly (SpeakerTurn | undefined)[] {
  const bare = lines.map(withoutMarks);
  const recurring = recurringNames(bare);
  // Most pages have no speakers.
  if (recurring.size === 0 && !bare.some(isMarked)) return NO_TURNS;
  const isLetter = bare.some((line) => OTHER_HEADER.test(line));
  const reader = new TurnReader((name) => recurring.has(name), isLetter);
  return lines.map((line, at) => {
    const heading = HEADING.exec(line.slice(0, LONGEST_HEADING));
    const read = heading === null ? reader.line(bare[at] ?? '') : reader.heading(heading[1] ?? '', heading[2] ?? '');
    return read === undefined || OWNER.test(read.name) ? undefined : read;
  });
}

/**
 * The speaker of each line of a page that `import` wrote. There, an item such as `- 09:20 Anna Schmidt: text` names who
 * speaks, whatever the name is, and the indented lines below it belong to that speaker. Pure.
 */
export function findExportedTurns(lines: readonly string[]): readonly (SpeakerTurn | undefined)[] {
  let name: string | undefined;
  return lines.map((line) => {
    const [lead = '', speaker] = EXPORTED.exec(line) ?? [];
    if (!/^\s/.test(line)) name = speaker;
    return name === undefined || OWNER.test(name) ? undefined : { name, said: line.slice(lead.length).trim() };
  });
}

const EXPORTED = /^- \d{2}:\d{2} ([^:]{1,60}): /;
const NO_TURNS: readonly undefined[] = [];
/** Maximum length of a line that names a speaker, in characters. */
const LONGEST_HEADING = 200;

/** A line without quote and list marks. */
function withoutMarks(line: string): string {
  // Marks begin with a sign, a digit or white space.
  if (/^[A-Za-z]/.test(line)) return line.trimEnd();
  return line
    .replace(/^(?:\s*>)+\s?/u, '')
    .replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+(?=\S)/u, '')
    .trim();
}

/**
 * Depth of a turn if a plain line names its speaker while no other turn is open. A turn ends at the next heading of the
 * same or a smaller depth. This depth is greater than that of every heading, so any heading ends the turn.
 */
const BELOW_LINE = 7;

class TurnReader {
  /**
   * Speaker of the lines below a heading, a header or a line with only a name. The turn of this speaker ends where
   * another such line names somebody else, at a heading without a name, and at a line such as `---`.
   */
  #below: { readonly name: string; readonly depth: number } | undefined;
  /** Speaker that the last label (`Robin: …`) has named. It applies until a blank line. */
  #beside: string | undefined;

  constructor(
    private readonly speaks: Speaks,
    private readonly isLetter: boolean,
  ) {}

  heading(marks: string, text: string): SpeakerTurn | undefined {
    const name = headOf(text, this.speaks);
    const depth = marks.length;
    this.#beside = undefined;
    if (name !== undefined) this.#below = { name, depth };
    else if (depth <= (this.#below?.depth ?? 0)) this.#below = undefined;
    return name === undefined ? undefined : { name, said: '' };
  }

  line(line: string): SpeakerTurn | undefined {
    if (line === '') this.#beside = undefined;
    if (/^(?:[-*_]\s*){3,}$/u.test(line)) this.#below = undefined;
    const head = headOf(line, this.speaks) ?? fromOf(line, this.isLetter);
    if (head !== undefined) {
      this.#below = { name: head, depth: this.#below?.depth ?? BELOW_LINE };
      this.#beside = undefined;
      return { name: head, said: '' };
    }
    const label = labelOf(line, this.speaks);
    // A label that is not a speaker, such as `Todo:`, also ends the turn.
    if (label !== undefined || readSpokenLine(line) !== undefined) this.#beside = label?.name;
    const name = this.#beside ?? this.#below?.name;
    return name === undefined ? undefined : { name, said: label?.said ?? line };
  }
}

type Speaks = (name: string) => boolean;

function headOf(line: string, speaks: Speaks): string | undefined {
  const marked = MARKED.exec(line)?.[1];
  // `@Robin` alone in a line may also be the subject of the list below. The name counts as a speaker only if it recurs.
  if (marked !== undefined && !/^[@＠][^:：]*$/u.test(line)) return marked;
  const soft = softHead(line);
  return soft !== undefined && speaks(soft) ? soft : undefined;
}

/** The name in a line that has only a name and a clock time: `Robin 09:20`, `[09:20] Robin`, `09:20 Robin`. */
function softHead(line: string): string | undefined {
  if (!/[\d@＠]/u.test(line)) return undefined;
  return readTurnHeader(line) ?? CLOCKED.exec(line)?.[1] ?? MARKED.exec(line)?.[1];
}

const CLOCKED = new RegExp(
  `^${MARK}${CLOCK}\\s+(\\p{Lu}[\\p{L}'’.-]*(?:\\s\\p{Lu}[\\p{L}'’.-]*){0,2}|\\p{Lo}{2,8})${MARK}$`,
  'u',
);

function fromOf(line: string, isLetter: boolean): string | undefined {
  const [, mark, written = ''] = FROM.exec(line) ?? [];
  if (mark === undefined || (mark === '' && !isLetter && !written.includes('@'))) return undefined;
  const name = written
    .replace(/\s*[<(＜（].*$/u, '')
    .replace(/[*_"“”'@＠]+/gu, '')
    .trim();
  const found = name === '' ? written.replace(/^[<\s]+/u, '') : name;
  const short = found.split(/@|\s*[,;，]/u)[0]?.trim() ?? '';
  return short === '' || short.split(/\s+/u).length > 4 ? undefined : short;
}

function labelOf(line: string, speaks: Speaks): SpeakerTurn | undefined {
  const [begins, first, second] = MARKED_LABEL.exec(line) ?? [];
  const marked = first ?? second;
  if (begins !== undefined && marked !== undefined) {
    const said = line.slice(begins.length);
    // "@Anna: prefers calls" is a statement about Anna. "@Anna: I prefer calls" was said by her.
    return /\d/u.test(begins.replace(marked, '')) || isFirstPersonText(said) ? { name: marked, said } : undefined;
  }
  const soft = readSpokenLine(line);
  return soft !== undefined && (speaks(soft.name) || OWNER.test(soft.name)) ? soft : undefined;
}

/** Whether a line may name a speaker with `@`, or may be the header of a letter. A quick test. */
function isMarked(line: string): boolean {
  return (/[@＠]/u.test(line) && /^(?:#|\W*[@＠]|\W*\d)/u.test(line)) || FROM.test(line);
}

/** Speakers without `@`: names that recur, and that alternate with other names or stand after times. */
function recurringNames(lines: readonly string[]): ReadonlySet<string> {
  const order: string[] = [];
  const timed: string[] = [];
  for (const line of lines) {
    const name = softHead(line.startsWith('#') ? line.replace(/^#{1,6}\s+/, '') : line) ?? readSpokenLine(line)?.name;
    if (name === undefined) continue;
    order.push(name);
    if (withoutLeadingTime(line) !== line) timed.push(name);
  }
  const changes = order.filter((name, at) => name !== order[at - 1]);
  const again = new Set([...repeated(changes), ...repeated(timed)]);
  // A name that occurs only once is a speaker, too, if the names before and after it are speakers.
  const between = changes.filter((_, at) => again.has(changes[at - 1] ?? '') && again.has(changes[at + 1] ?? ''));
  return new Set([...again, ...between]);
}

/** The items that a list has more than once. */
function repeated(items: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return items.filter((item) => seen.size === seen.add(item).size);
}

const OF_SELF_UNSPACED = /[我咱]|私(?!立|有|人)|僕|俺|わたし|나는|내가|저는|제가|우리/u;

/** The lines that the writer of a text wrote, without the turns of other speakers. Pure. */
export function keepAuthorLines(text: string): string {
  const lines = text.split('\n');
  const turns = findTurns(lines);
  return turns.every((turn) => turn === undefined) ? text : lines.filter((_, at) => turns[at] === undefined).join('\n');
}

/** Whether a text is in the first person, in spaced and unspaced languages. */
export function isFirstPersonText(said: string): boolean {
  return hasFirstPersonPronoun(said) || OF_SELF_UNSPACED.test(said);
}

/** A line of a conversation with its speaker. */
export interface SpokenLine {
  /** The name as written, without `@`, `*` and other marks. */
  readonly name: string;
  /** The text after the speaker's name. */
  readonly said: string;
}

/**
 * The date of a message: `12.03.24`, `2024-03-12`, `12-Mar-24`, `Mar 12, 2024`, `12 мар. 2024 г.`, `2024年3月12日`,
 * `Yesterday`.
 */
const DATE = `(?:\\d{1,4}[-./](?:\\d{1,2}|[A-Za-z]{3})(?:[-./]\\d{1,4})?|[A-Za-z]{3,9}\\.?\\s\\d{1,2},?\\s\\d{4}|\\d{1,2}\\.?\\s[${LETTER_RANGES}]{3,9}\\.?\\s\\d{4}(?:\\sг\\.)?|\\d{4}年\\d{1,2}月\\d{1,2}日|[A-Z][a-z]{4,8})`;
const TIME =
  '(?:[上下]午|午[前後]|오[전후])?\\s?\\d{1,2}[:.：]\\d{2}(?:[:.]\\d{2})?(?:\\s?[AaPp]\\.?[Mm]\\.?)?(?:Z|[+-]\\d\\d:?\\d\\d)?';
const CLOCK_TIME = `[[(（]?(?:${DATE}(?:,?\\s(?:at\\s)?|T))?${TIME}[\\])）]?`;
const SIGN = '[\\u2600-\\u27bf\\ud83c-\\ud83e\\udc00-\\udfff\\ufe0f\\u200d]';
const UNCASED = `\\u0590-\\u1fff${BASIC_CJK_RANGES}`;
const WORD = `[${LETTER_RANGES}${BASIC_CJK_RANGES}](?:[${LETTER_RANGES}${BASIC_CJK_RANGES}.'’・-]{0,38}[${LETTER_RANGES}${BASIC_CJK_RANGES}.])?`;
const PARTICLE = '(?:van|von|vom|zu|der|den|de|da|di|del|la|le|al|el|bin|ibn|bint|y|e)';
const SPEAKER = `(${WORD}(?:\\s(?:${PARTICLE}\\s){0,2}[${CAPITAL_RANGES}${UNCASED}][${LETTER_RANGES}${BASIC_CJK_RANGES}.'’-]{0,30}){0,3}(?:\\s\\d{1,2}(?!\\d|[:.]\\d))?)`;
const EMPHASIS = '(?:\\*\\*|__|[*_`])?';
const LED = `(?:${CLOCK_TIME}[\\s,–-]*)`;
/** Pattern of a clock time after a name. A date in digits may stand before the time, but a date in words may not. */
const BEHIND = `[[(（]?(?:\\d[-\\d./]{3,9},?\\s)?${TIME}[\\])）]?`;
const SPOKEN = new RegExp(
  `^${LED}?(?:${EMPHASIS}[@＠]?${SIGN}*\\s?${SPEAKER}\\s?${SIGN}*${EMPHASIS}(?:\\s*${BEHIND}|\\s?\\([^()\\d]{1,20}\\))?${EMPHASIS}\\s*(?:[:：]${EMPHASIS}(?:\\s|$|(?<=：${EMPHASIS}))|\\s[–—-]\\s)|<[@+]?([^<>\\s]{1,40})>\\s)`,
);
const LEADING_CLOCK = new RegExp(`^${LED}(?=\\S)`);
/** A quick test for lines that may begin with a clock time. */
const MAY_LEAD = /^[[(（]?(?:\d|[上下午오])|^[[(（]?[A-Z][a-z]+\s\d/;
const TURN_HEADER = new RegExp(
  `^(?:${EMPHASIS}${SIGN}*\\s?${SPEAKER}\\s?${SIGN}*${EMPHASIS}(?:,?\\s+|\\s[–—-]\\s)${CLOCK_TIME}|[[(]${CLOCK_TIME.slice('[[(（]?'.length)}\\s+${SPEAKER}):?$`,
);
/** A quick test for lines that may name only a speaker and a time. */
const MAY_HEAD = /\d[:.：]\d\d(?::\d\d)?(?:\s?[ap]\.?m\.?)?[\])）]?:?$|^[[(].{0,30}\d[:.：]\d\d/i;
/** A quick test for lines that may name a speaker. A name has few words, and a clock time may precede it. */
const MAY_SPEAK = /^[^\s:：<]*(?:[:：<]|\s(?:[^\s:：<]+\s){0,8}(?:[^\s:：<]*[:：<]|[–—-]\s))/;
/** Invisible marks of the writing direction. Chat programs put them before exported lines. */
const UNSEEN = /^[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/;

/** Labels such as `Todo:` that begin a line of notes. They are not speakers. */
const LABELS = wordSet(
  `note notes nb todo fixme decision decisions decided summary question questions answer q a warning caution important tip hint example examples action actions
  update result results status goal goals next idea ideas ps problem problems fix cause reason plan agenda topic title name date time when where what why how who from to
  subject cc re url link source path port host owner version type tags tag author total price address phone email
  notiz notizen hinweis achtung wichtig aufgabe entscheidung entschieden beschluss fazit frage antwort ergebnis zusammenfassung beispiel ziel idee stand termin datum ort
  remarque attention décision réponse résumé exemple objectif idée lieu heure nota decisión pregunta respuesta resumen domanda risposta notitie besluit vraag antwoord
  решение вопрос ответ примечание заметка итог важно ملاحظة سؤال جواب قرار 메모 결정 질문 답변 참고
  注 注意 备注 待办 决定 问题 问 答 答案 回答 结论 总结 摘要 例如 时间 地点 日期 原因 目标 计划 想法 状态 メモ 注意点 決定 結論 質問 回答者 要約 例`,
);

/**
 * Reads the beginning of a line that may name a speaker: `Name:`, `**Name**:`, `[22:42] Name:`, `Name (22:42):`, `Name -
 * …` or `<Name> …`. Undefined for a line that begins in another way. A line of notes may also begin like that (`Budget:
 * …`). So the caller checks whether the name recurs: only then it is a speaker. Pure.
 */
export function readSpokenLine(line: string): SpokenLine | undefined {
  if (!MAY_SPEAK.test(line)) return undefined;
  const read = line.replace(UNSEEN, '');
  const [begins, written, nick] = SPOKEN.exec(read) ?? [];
  const name = nameOf(written ?? nick);
  return begins === undefined || name === undefined ? undefined : { name, said: read.slice(begins.length) };
}

/**
 * Reads a header that names the speaker of the lines below: `Name, [12.03.24 22:42]`, `Name  10:42 PM`, `[12/03 22:42]
 * Name`. Pure.
 */
export function readTurnHeader(line: string): string | undefined {
  if (line.length > MAX_TURN || !MAY_HEAD.test(line)) return undefined;
  const [, written, after] = TURN_HEADER.exec(line.replace(UNSEEN, '')) ?? [];
  return nameOf(written ?? after);
}

/** A line without its leading clock time. This time says when a message was sent, and does not answer a "when" question. */
export function withoutLeadingTime(line: string): string {
  return MAY_LEAD.test(line) ? line.replace(LEADING_CLOCK, '') : line;
}

const MAX_TURN = 100;

function nameOf(written: string | undefined): string | undefined {
  const name = written?.replace(/^_+|_+$/g, '');
  return name === undefined || LABELS.has(name.toLowerCase()) || /^\d*$/.test(name) ? undefined : name;
}

const OF_SELF = wholeWordPattern(
  'i my me mine myself we our us ich mein meine meinen meiner mich mir wir uns unser je j mon ma mes moi nous notre yo mi mis nosotros io mio mia noi ik mijn mij wij ons eu meu minha nós nosso nossa я мы мой моя мне меня нас нам наш',
);

/** Whether a text is in the first person, by the pronouns of nine languages. */
export function hasFirstPersonPronoun(said: string): boolean {
  return OF_SELF.test(said);
}
