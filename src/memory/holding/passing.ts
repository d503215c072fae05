import { tenseOf } from '../../language/words/states.js';

/** What a person can do for years: `is working at Fjord`. */
const LONG =
  /^(?:work|liv|study|learn|writ|us|teach|train|build|serv|rent|own|follow|includ|consist|belong|surviv)ing$/i;
/** Nouns of that form. */
const NOUN =
  /^(?:meeting|building|training|wedding|ceiling|heating|parking|housing|painting|lighting|wiring|billing|evening|morning|spring|string|king|ring|thing|nothing|something|anything|everything|during|pending|booking|funding|setting|landing|opening|clothing|plumbing|engineering|marketing|banking|gardening|hosting|testing|pricing|naming|logging|caching|routing|sterling)$/i;
const BODY =
  'arms?|legs?|back|knees?|ankles?|wrists?|shoulders?|hands?|f(?:oo|ee)t|eyes?|ears?|nose|throat|t(?:oo|ee)th|jaw|stomach|belly|head|neck|hips?|ribs?|skin|voice|breath|toes?|fingers?|thumb|elbow|heart|chest';
/** Without a verb: `arm in a sling`, `short of breath`, `her back is sore`. */
const BODILY = new RegExp(
  `^(?:(?:the|his|her|my|their|left|right|a|an|one) )*(?:${BODY}) (?!.*\\b(?:prosthe|tattoo|surgeon|doctor)\\w*)(?:in|is|are|still|hurts?|aches?|feels?|looks?|all|swollen|sore|stiff|numb|bruised|sprained)\\b|^short of breath\\b|^(?:has|have) (?:lost (?:his|her|my|their) (?:${BODY}|appetite)|(?:a|an) \\S+ (?:${BODY})$(?<!\\b(?:glass|false|artificial|prosthetic|good|wooden|green|blue|brown|dark) \\S+))`,
  'i',
);
/** `Has the hiccups`: what one has with an article, and no more is said of it. */
const AILING = /^(?:has|have|got) the \p{Ll}+s$/u;
/** Where somebody is, or in what mind: a place that has a name or an article of its own lasts, what is over somebody does not. */
const ADRIFT =
  /^(?:over|off|out|under|up|down|between|past) (?!\S*\d)(?!the (?:stairs|roof|bridge|sink|desk|table|floor|bed|window)\b)\p{Ll}|^(?:in|on|at) (?!(?:the|charge|favou?r|use|possession|property|memory|public|private|paper|wheels|foot|call|display|sale|call|stock|production|beta|time|principle|line|touch|English|German)\b)(?:(?:high|low|good|bad|great|foul|an?) )*\p{Ll}{3,}(?! \S*\d)(?! (?:of|called)\b)/u;
/** `Worn out`, `laid up with flu`, `fed up with the builders`: how something has left somebody. */
const LEFT_SO =
  /^(?:all |still |quite |rather |completely )?(?:laid|worn|run|snowed|fed|wrapped|tied|bogged|held|stuck|caught|knocked|wiped|burnt|burned|stressed|freaked|cooped|bunged|strung|keyed|wound|choked|shaken|tired|rushed|beaten) (?:up|off|down|out|under|in|over)\b(?! (?:the|an?) )/;
/** `Cross with the neighbours`, `jumpy about the results`: towards something that has its time. */
const TOWARDS =
  /^(?:(?:very|so|quite|rather|a bit|a little|still|really) )?(?!good|great|bad|friends?|married|engaged|familiar|house|home|flat|room)\p{Ll}{3,} (?:with|about|after|before|over) (?:the|his|her|their|my|this|that|@)/u;
const AMID = /^(?:still )?in the (?:middle|midst|throes|thick|grip|dumps|doldrums)\b|^mitten (?:in|im)\b|^en plein/;
/** How somebody is since or again. */
const SINCE = /^(?:\p{Ll}+(?<!ed) (?:since|about|over|after|before) |(?:very |a bit |quite |rather )?\p{Ll}+ again$)/u;

/**
 * Whether a statement tells by its form that what it says passes: something is being done, a part of the body is in some way, or
 * somebody is in a mood or a place that has no name. Of words that nobody has listed; English. Pure.
 */
export function passesByGrammar(text: string): boolean {
  const [first = '', second = '', third = ''] = text.match(/[\p{L}\p{N}'’-]+/gu) ?? [];
  if (/^(?:is|are|'s|still)$/.test(first) && isDoing(second) && !(second === 'going' && third === 'to')) return true;
  if (/^(?:not|hardly|barely|still|always)$/.test(first) && first !== 'always' && isDoing(second)) return true;
  // `Driving test` is a thing.
  if (isDoing(first) && (second === '' || AFTER_DOING.test(second))) return true;
  if (/^(?:the|his|her|its|their|my)$/i.test(first) && /^(?:is|are)$/.test(third) && isDoing(fourthOf(text)))
    return true;
  if (BODILY.test(text) || AILING.test(text) || AMID.test(text) || LEFT_SO.test(text)) return true;
  return tenseOf(text) === 'none' && (ADRIFT.test(text) || SINCE.test(text) || TOWARDS.test(text));
}

const AFTER_DOING =
  /^(?:around|about|all|in|on|at|from|with|the|an?|his|her|my|their|to|for|up|down|out|off|over|under|behind|forward|near|hard|well|badly|again|without|through|after|into|like)$/;

function isDoing(word: string): boolean {
  const stem = word.split('-').at(-1) ?? '';
  return /^[a-z]{2,}ing$/.test(stem) && !NOUN.test(stem) && !LONG.test(stem);
}

function fourthOf(text: string): string {
  return text.split(/\s+/)[3] ?? '';
}
