/** The two options that a statement compares. `better` and `worse` are as written, with the words around them. */
interface Comparison {
  readonly better: string;
  readonly worse: string;
  /**
   * The adjective of an objective comparison, such as `faster`. Of a Chinese adjective only its last character (服 of 舒服).
   * Null for a preference.
   */
  readonly degree: string | null;
}

/** Words between a choice and its rejected alternative ("tea rather than coffee"), as alternatives of a pattern. */
export const INSTEAD_OF = 'rather than|instead of|in place of';
export const CHINESE_INSTEAD_OF = '而不是|而非';

const PREFERS =
  'prefers?|preferred|likes?|liked|loves?|loved|wants?|wanted|chose|chooses|picks?|picked|uses?|used|favou?rs?|favou?red|takes?|took|goes with|went with';
const CHINESE_PREFERS = '喜欢|偏好|选择?|用|想要?|更愿意';
/** Excludes a number after the comparison: "more than three" is a count. */
const NO_NUMBER =
  '(?!\\s+(?:\\d|one|two|three|four|five|six|ten|half|once|twice|an?\\s+(?:hobby|friend|colleague|job|game|few|dozen|hundred|thousand|hour|minute|day|week|month|year)|just|enough)\\b)';
/** "Over" between two options. Excludes "roll over", "hand over" and "over the weekend". */
const OVER =
  '(?<!\\b(?:roll|rolled|all|came|come|go|goes|went|turn|turned|take|took|hand|handed|move|moved|start|carry|get) )over(?!\\s+(?:the (?:weekend|years?|last|past|holidays?|summer|winter|phone|next|course)|time|there|here|\\d))';
/** Matches 比 only in its meaning "than". Excludes longer words that begin with it: 比较, 比如, 比例. */
const THAN = '比(?![较如例赛特方重喻])起?';
const GOOD = '(?:好|强|棒|优秀|可靠|稳定|合适|适合|方便|喜欢)';

/** Excludes comparisons with an earlier or expected state: "faster than before", "than planned". */
const OF_TWO = `${NO_NUMBER}(?!\\s+(?:before|ever|usual|normal|expected|planned|last|yesterday|today|in the|he|she|it|they|we|i|any)\\b)\\s+`;
const IS =
  'is|are|was|were|be|seems?|feels?|looks?|tastes?|sounds?|runs?|works?|finds?|considers?|thinks?|believes?|calls?|rates?';

/**
 * How to read one kind of comparison. `better` says whether the first or the last group of the pattern is the better
 * option. `cue` is a quick test: every match of the pattern also matches `cue`. Most statements compare nothing, and then
 * the pattern is not compiled.
 */
type Reader = readonly [cue: RegExp, better: 'first' | 'last', pattern: RegExp];

const READERS: readonly Reader[] = (
  [
    [/instead|rather|place/i, 'last', `^.*?\\b(?:${INSTEAD_OF})\\s+(.+?)[,，]\\s*(.+)$`],
    [/less than/i, 'last', `^(.*?\\b(?:${PREFERS})\\b.*?)\\bless than${NO_NUMBER}\\s+(.+)$`],
    [/worse|not as/i, 'last', '^(.+?)\\b(?:worse\\b[^,;.]{0,60}?\\bthan|not as \\S+ as)\\s+(.+)$'],
    [/比起|相比|与其/, 'last', '(?:比起|相比|与其)(.+?)[,，]?(?:更|不如|宁可)(.+)$'],
    [/比/, 'last', `${THAN}(.+?)更(?:喜欢|偏好|爱|想|愿意)(.+)$`],
    [/宁/, 'first', '^(.*?宁[愿可]?.+?)[,，]?也?不(?:要|想|愿意?)?(.+)$'],
    [/不如/, 'last', '^(?!.*与其)(.+?)不如(.+)$'],
    [
      /over|instead|rather|place|than|not/i,
      'first',
      `^(.*?\\b(?:${PREFERS})\\b.*?)\\b(?:${OVER}|${INSTEAD_OF}|(?:more|better) than${NO_NUMBER}|and not|but not|not)\\s+(.+)$`,
    ],
    [/instead|rather than|in place/i, 'first', `^(.+?)\\b(?:${INSTEAD_OF})\\s+(.+)$`],
    [/prefers? .*to/i, 'first', '^(.*?\\bprefers?\\b.*?)\\bto\\s+(.+)$'],
    [/rather/i, 'first', '^(.*?\\brather (?!than\\b).+?)\\bthan\\s+(.+)$'],
    [/préf/, 'first', '^(.*?\\bpréf[eéè]r\\S+.+?)\\s(?:aux?|à la|à|plutôt que)\\s+(.+)$'],
    [/lieber|bevorzug/i, 'first', '^(.*?\\b(?:lieber\\b|bevorzug\\S+).*?)\\s(?:als|gegenüber|statt)\\s+(.+)$'],
    [/sooner/i, 'first', '^(.*?\\bsooner .+?)\\bthan\\s+(.+)$'],
    [/more .*than/i, 'first', `^(.*?\\b(?:${IS})\\b.*?)\\smore (?<degree>\\w+) than${OF_TWO}(.+)$`],
    [/less .*than/i, 'last', `^(.*?\\b(?:${IS})\\b.*?)\\sless (?<degree>\\w+) than${OF_TWO}(.+)$`],
    [/more .*than/i, 'first', `^.*?\\bmore (?!than\\b)(\\S.{0,40}?) than${NO_NUMBER}\\s+(.+)$`],
    [/more than/i, 'first', `^(.+?)\\bmore than${NO_NUMBER}\\s+(.+)$`],
    [/er .*than/i, 'first', '^(.+?\\b\\w{3,}er (?:in|at|on|with|by) .+?)\\bthan (?:in|at|on|with|by)\\s+(.+)$'],
    [/better/i, 'first', '^(.+?)\\bbetter\\b[^,;.]{0,60}?\\bthan\\s+(.+)$'],
    [/er than/i, 'first', `^(.+?)\\s(?!(?:better|other|rather|sooner)\\b)(?<degree>\\w{2,}er) than${OF_TWO}(.+)$`],
    [/er als/i, 'first', `^(.+?)\\s(?!lieber\\b)(?<degree>\\S{2,}er) als${NO_NUMBER}\\s+(.+)$`],
    [/mehr als/i, 'first', `^(.+?)\\smehr als${NO_NUMBER}\\s+(.+)$`],
    [/plus .*que/i, 'first', '^(.+?)\\splus (?<degree>\\S+) que\\s+(.+)$'],
    [/moins .*que/i, 'last', '^(.+?)\\smoins (?<degree>\\S+) que\\s+(.+)$'],
    [
      /而[不非]|[胜多好]过|[多甚胜]于|不/,
      'first',
      `^(.*?(?:${CHINESE_PREFERS}).*?)(?:${CHINESE_INSTEAD_OF}|胜过|多过|好过|多于|甚于|胜于|不要|不用|不喜欢)(.+)$`,
    ],
    [/比/, 'first', `^(.+?)${THAN}(.+?)(?:更|还|要)?${GOOD}`],
    [/比/, 'first', `^(.+?)${THAN}(?<other>.+?)(?<degree>[^\\s多了点些。.])(?:[得很]?多|一?[点些])?了?[。.]?$`],
  ] as const
).map(([cue, better, source]) => [cue, better, new RegExp(source, 'i')]);

/** The possible comparisons in a statement, most likely first; for texts of some hundred characters. Pure. */
export function* readComparisons(text: string): Generator<Comparison> {
  for (const [cue, named, pattern] of READERS) {
    const match = cue.test(text) ? pattern.exec(text) : null;
    const [first, last, degree = null] = [match?.[1], match?.groups?.other ?? match?.at(-1), match?.groups?.degree];
    if (first === undefined || last === undefined) continue;
    yield named === 'first' ? { better: first, worse: last, degree } : { better: last, worse: first, degree };
  }
}
