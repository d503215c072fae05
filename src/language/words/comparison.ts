/** What a statement prefers and to what, each as it is written, with the words around it. */
export interface Comparison {
  readonly better: string;
  readonly worse: string;
}

/** Between what is, and what is not but might be: "tea rather than coffee". Alternatives of a pattern. */
export const IN_PLACE_OF = 'rather than|instead of|in place of';
export const CHINESE_IN_PLACE_OF = '而不是|而非';

const PREFERS =
  'prefers?|preferred|likes?|liked|loves?|loved|wants?|wanted|chose|chooses|picks?|picked|uses?|used|favou?rs?|favou?red|takes?|took|goes with|went with';
const CHINESE_PREFERS = '喜欢|偏好|选择?|用|想要?|更愿意';
/** "More than three" counts, it does not compare. */
const NO_NUMBER =
  '(?!\\s+(?:\\d|one|two|three|four|five|six|ten|half|once|twice|an? (?:few|dozen|hundred|thousand|hour|minute|day|week|month|year)|just|enough)\\b)';
/** Not 比较, 比如, 比例, 比赛, 比特 … */
const THAN = '比(?![较如例赛特方重喻])起?';
const GOOD = '(?:好|强|棒|优秀|可靠|稳定|合适|适合|方便|喜欢)';

const BETTER_FIRST = [
  `^(.*?\\b(?:${PREFERS})\\b.*?)\\b(?:over|${IN_PLACE_OF}|(?:more|better) than${NO_NUMBER}|and not|but not|not)\\s+(.+)$`,
  '^(.*?\\bprefers?\\b.*?)\\bto\\s+(.+)$',
  '^(.*?\\brather (?!than\\b).+?)\\bthan\\s+(.+)$',
  '^(.+?)\\bbetter\\b[^,;.]{0,60}?\\bthan\\s+(.+)$',
  `^(.*?(?:${CHINESE_PREFERS}).*?)(?:${CHINESE_IN_PLACE_OF}|胜过|多过|好过|不要|不用|不喜欢)(.+)$`,
  `^(.+?)${THAN}(.+?)(?:更|还|要)?${GOOD}`,
].map((source) => new RegExp(source, 'iu'));
const WORSE_FIRST = [
  `^.*?\\b(?:${IN_PLACE_OF})\\s+(.+?)[,，]\\s*(.+)$`,
  `^(.*?\\b(?:${PREFERS})\\b.*?)\\bless than${NO_NUMBER}\\s+(.+)$`,
  '^(.+?)\\b(?:worse\\b[^,;.]{0,60}?\\bthan|not as \\S+ as)\\s+(.+)$',
  '(?:比起|相比|与其)(.+?)[,，]?(?:更|不如|宁可)(.+)$',
  `${THAN}(.+?)更(?:喜欢|偏好|爱|想|愿意)(.+)$`,
  '^(?!.*与其)(.+?)不如(.+)$',
].map((source) => new RegExp(source, 'iu'));

/** The comparisons that a statement may be read as, the likeliest first; for texts of some hundred characters. Pure. */
export function* readComparisons(text: string): Generator<Comparison> {
  for (const pattern of WORSE_FIRST) {
    const [, worse, better] = pattern.exec(text) ?? [];
    if (worse !== undefined && better !== undefined) yield { better, worse };
  }
  for (const pattern of BETTER_FIRST) {
    const [, better, worse] = pattern.exec(text) ?? [];
    if (better !== undefined && worse !== undefined) yield { better, worse };
  }
}
