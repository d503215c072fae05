import { foldText } from '../language/scripts.js';
import { ENGLISH_STOP_WORDS } from '../language/words/stop.js';
import { toSimplified } from '../language/words/traditional.js';
import * as words from './gate-words.js';

/** One sign for or against a task: the words that counted, and their points. */
export type GateSignal = { readonly group: string; readonly points: number; readonly words: readonly string[] };

/** A verb of work in a text. `isOrder`: whether the text orders the action. `isSure`: whether the verb has no everyday sense. */
type Action = { group: string; points: number; isOrder: boolean; isSure: boolean; word: string };

/** All signals in a user's text for or against a task, with their points. */
export function findGateSignals(text: string): readonly GateSignal[] {
  const code: string[] = [];
  const plain = plainText(text, code);
  const meant = plain.replace(words.IDIOMS, ' ');
  const [hard, soft] = [find(meant, words.SURE_FAILURES), find(meant, words.FAILURES)];
  const actions = actionsIn(meant, hard.length + soft.length > 0);
  const ordered = actions.flatMap(({ isOrder, word }) => (isOrder ? word : []));
  const nouns = (of: RegExp) => find(plain, of).filter((noun) => !ordered.includes(noun));
  const objects = [...code, ...find(meant, words.OBJECTS)];
  const technical = [...nouns(words.TECHNICAL), ...find(text, IDENTIFIER)];
  const everyday = ordered.length > 0 ? nouns(words.EVERYDAY_TECHNICAL) : [];
  const isTechnical = objects.length + technical.length + hard.length > 0 || actions.some(({ isSure }) => isSure);
  const work = [...workSignals(actions), ...signal('failure', hard.length > 0 ? 3 : 2, hard.length > 0 ? hard : soft)];
  // Technical nouns count only beside an action or a failure: a noun alone does not show that there is work.
  const cue = work.length > 0 ? signal('cue', 1, [...technical, ...everyday]) : [];
  const past = isTechnical || actions.length > 0 ? signal('experience', 5, find(plain, words.PAST_WORK)) : [];
  const lessons = signal('experience', 1, find(plain, words.EXPERIENCE));
  const signals = [...work, ...(objects.length > 0 ? signal('object', 2, objects) : cue), ...past, ...lessons];
  const isWorth = signals.reduce((sum, { points }) => sum + points, 0) >= 3;
  const life = find(plain, words.EVERYDAY);
  const isAsked = ordered.length === 0 && /[?？]$/.test(plain);
  return [
    ...signals,
    ...signal('casual', -3, isTechnical && isWorth ? [] : find(plain, words.SMALL_TALK)),
    ...signal('everyday', -3, isTechnical || everyday.length > life.length ? [] : life),
    ...signal('question', -2, isAsked && signals.every(({ group }) => /effect|cue|continue/.test(group)) ? ['?'] : []),
  ];
}

function signal(group: string, points: number, found: readonly string[]): readonly GateSignal[] {
  return found.length > 0 ? [{ group, points, words: [...new Set(found)] }] : [];
}

function workSignals(actions: readonly Action[]): readonly GateSignal[] {
  const [general = [], ...strong] = ['general', 'effect', 'execution', 'continue'].map((group) => {
    const hits = actions.filter((action) => action.group === group && action.points > 0);
    const [points, verbs] = [hits.map((hit) => hit.points), hits.map(({ word }) => word)];
    return signal(group, Math.max(...points), verbs);
  });
  return general.some(({ points }) => strong.flat().every((one) => one.points < points)) ? general : strong.flat();
}

function find(text: string, pattern: RegExp): readonly string[] {
  return text.match(pattern)?.map((found) => found.trim()) ?? [];
}

/** The text in lower case without accents, with `§` in place of code and paths, which are added to `code`. */
function plainText(text: string, code: string[]): string {
  const seen = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '').replace(/[’‘]/g, "'");
  const plain = toSimplified(foldText(seen)).replace(/\bhttps?:\/\/\S+/g, ' ');
  const marked = plain.replace(CODE, (chunk) => {
    const name = chunk.replace(/[./-]+$/, '');
    return IS_CODE.test(name) ? ` § ${code.push(name) > 0 ? chunk.slice(name.length) : ''}` : chunk;
  });
  return marked.replace(/[^\S\n]+/g, ' ').trim();
}
/** Inline code, the placeholder that hosts write for pasted text, a path of Windows, and what may be another path. */
const CODE =
  /`[^`]+`|\[pasted text[^\]\n]{0,40}\]|(?<!\w)[a-z]:\\(?:[^\s，。；、]{1,200}?\.[a-z]{1,5}(?![a-z])|[\w.\\~@-]+)|(?<![\w~@-])[\w~@-]*[./][\w.~@/-]*/g;
const IS_CODE =
  /^(?:[`[]|[a-z]:\\|\.[a-z]{2,}[\w.-]*$|(?:src|libs?|tests?|docs?|scripts?|config|conf|bin|apps?|packages|dist|build|etc|usr|var|tmp|home|opt|components?|modules?|feature|(?:hot)?fix|release|origin|chore|public|assets|server|client|web|api|cmd|pkg|internal|infra|deploy|\.\.?|~|\.\w+)\/|(?=[^/]+\/).{0,99}(?:[a-z][_.]|[_.][a-z]))|[a-z].*\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|swift|rb|php|cs|cc|cpp|[ch]|hpp|mdx?|json5?|ya?ml|toml|ini|env|lock|(?:ba|z)?sh|sql|html|s?css|vue|svelte|xml|csv|proto|tf|gradle|ipynb|log|conf)$/;
/** Names that occur only in programs (`bookYear`, `Billing::Create`, `book_year`, `ABC-12`), and addresses. */
const IDENTIFIER =
  /(?<![\w@./-])(?:[a-z]{2,}(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]{2,}){2,}|\w+(?:::\w+)+|[a-z]{2,}(?:_[a-z0-9]{2,})+|[A-Z]{2,}-\d+)(?![\w/])|\bhttps?:\/\/\S+/g;
/** Quoted text: words of another person or of a screen. Its verbs are no orders. */
const QUOTED = /(?<![\w"])"[^"\n]{2,200}"|“[^”\n]{2,200}”/g;

/** The actions that a text orders or names. */
function actionsIn(text: string, isFailing: boolean): readonly Action[] {
  const sentences = text.replace(QUOTED, ' § ').split(/(?<=[!?。！？；;\n])|(?<=\.)(?= )/);
  const kinds = sentences.map((sentence) => kindOf(sentence.trim(), isFailing));
  const ofKind = (wanted: RegExp) => {
    const found = sentences.filter((_, i) => wanted.test(kinds[i] ?? ''));
    return found.join('\n').replace(words.FORBIDDEN, ' , ');
  };
  const told = ofKind(/statement|polite|how-to/);
  const parts = ofKind(/statement|polite/).split(words.CLAUSE_ENDS);
  // A wish in a question is a wish to know something.
  const verbs = words.VERBS.filter(({ isWish }) => !isWish || !/[?？]$/.test(text));
  const named = verbs.flatMap(({ group, mention, isOrder, isSure, named }) => {
    return find(told, named).map((word) => ({ group, points: mention, isOrder, isSure, word }));
  });
  return [...named, ...parts.flatMap((part, i) => (i % 2 === 0 ? ordersAt(part, parts[i - 1] ?? '', kinds) : []))];
}

function kindOf(sentence: string, isFailing: boolean): string {
  const clause = sentence.replace(words.FILLERS, '');
  const kind = Object.entries(words.KINDS).find(([, pattern]) => pattern.test(sentence))?.[0] ?? 'statement';
  // A question about a failure counts as `why`: the user wants a solution, not only an explanation.
  if (kind === 'explain' && isFailing) return 'why';
  const isHanOrder = /^[^a-z]/.test(clause) && words.VERBS.some(({ head }) => clause.search(head) >= 0);
  return isHanOrder && kind !== 'done' ? 'statement' : kind;
}

/** The orders at the beginning of a clause, behind words such as `please`. `lead`: what ended the clause before. */
function ordersAt(part: string, lead: string, kinds: readonly string[]): readonly Action[] {
  const clause = part.replace(words.FILLERS, '');
  const [, first = '', next = ''] = /^([a-z]{3,})(?: ([a-z']+|§))?/.exec(clause) ?? [];
  const isPolite = kinds.includes('polite');
  const isBare = isPolite ? AT_HAND.test(next) : !/\w/.test(lead);
  const isAsked = words.HAN_ASKS.test(part.trim()) || words.HAN_ASKS.test(clause);
  const known = words.VERBS.flatMap(({ group, isSure, order, head, han }) => {
    const points = group === 'general' && isBare ? 3 : order;
    const found = [...find(clause, head), ...(isAsked ? find(clause, han) : [])];
    return found.map((word) => ({ group, points, isOrder: true, isSure, word }));
  });
  const isVerb = first !== '' && AT_HAND.test(next) && !NO_VERB.test(first) && !ENGLISH_STOP_WORDS.has(first);
  if (known.length > 0 || !isVerb || (isPolite && next.startsWith('a'))) return known;
  return [{ group: 'general', points: isPolite && isBare ? 3 : 2, isOrder: true, isSure: false, word: first }];
}
/** Words that show that the word before them is a verb, also if no list has that verb. */
const AT_HAND = /^(?:an?|the|all|these|those|this|that|my|our|your|its|each|every|both|it|them|§)$/;
const NO_VERB =
  /ing$|[^e]ed$|ly$|[^s]s$|^(?:explain|describe|define|tell|give|recommend|suggest|imagine|translate|summari[sz]e|discuss|compare|name|call|meet|say|ask|know|think|see|like|love|hate|mean|keep|want|need|wish|hope|guess|feel|remind|wake|book|enjoy|buy|eat|have|had|read|went|did|got|made|was|yeah|yep|nope|now|nvm|bro|btw|fyi|dude|man|great|nice|good|cool|sorry|sure|maybe|wow|thank|happy|lovely|congrats|perhaps)$/;
