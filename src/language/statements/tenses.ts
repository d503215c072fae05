import { isPastForm } from '../time/english/tense.js';
import { Cued } from '../tokens.js';

/**
 * How statements tell by the form of their first verb that something happened: then no later value replaces theirs. Their
 * subject is named before them; English has its past forms elsewhere.
 */
let pattern: RegExp | undefined;

const HAPPENED = [
  // `Verkaufte das Klavier`, `traf Mona`; a subjunctive or an adjective has no object with an article behind it.
  '^(?:kaufte|verkaufte|reparierte|besuchte|feierte|kochte|holte|brachte|putzte|rief|traf|ging|fuhr|flog|kam|fand|verlor|gewann|schrieb|las|sah|aß|trank|gab|nahm|bekam|stritt|stürzte|fiel|brach|schloss|warf|half|bestand|backte|strich|malte|pflanzte|baute|schickte|meldete|bezahlte|unterschrieb|verpasste|vergaß|räumte|tauschte)(?!\\p{L})',
  '^(?!(?:heute|bitte|alte|letzte|erste|zweite|rechte|möchte|sollte|könnte|müsste|hätte|dürfte|porte|déteste|visite|suite) )(?:\\p{Ll}+te) (?:de[rnm]|die|das|eine?[nmrs]?|sich|sein|ihr|mein|mit|zum|zur|im|am|beim)',
  '^(?:hebben|heeft) (?!.*(?:niet meer|nooit)).*(?<!\\p{L})(?:ge\\p{Ll}{2,}(?:d|t|en)|(?:ver|be|ont|her)\\p{Ll}{2,}(?:d|t|en))$',
  '^(?:is|zijn) .*(?<!\\p{L})ge(?:vallen|gaan|komen|reden|vlogen|fietst|lopen)$',
  '^(?:kocht|verkocht|ging|kwam|vond|verloor|schreef|zag|at|dronk|gaf|nam|brak|viel|belde|repareerde|bezocht|won) (?:de|het|een|haar|zijn|met|naar|op|in|aan)(?!\\p{L})',
  '^(?:se |le |lo |la |les )?\\p{Ll}{2,}(?:ó|ieron|aron)(?!\\p{L})',
  '^(?:fue|hizo|tuvo|dio|vio|trajo|puso|dijo|vino|perdió|leyó|cayó|ha \\p{Ll}+[ai]do|ha (?:hecho|visto|roto|escrito|puesto|vuelto))(?!\\p{L})',
  '^(?:se |não )?\\p{Ll}{2,}(?:ou|eu|iu)(?:-se)?(?!\\p{L})(?<!^(?:seu|meu|teu|eu|deu?s|sou|estou|vou|dou|ou))',
  '^(?:foi|fez|teve|trouxe|pôs|disse|veio|viu)(?!\\p{L})',
  "^(?:si |ci |l'|gli |le )?(?:ha|hanno) (?:già |appena )?(?:\\p{Ll}{2,}[aiu]to|fatto|visto|preso|perso|scritto|letto|rotto|messo|detto|vinto|speso|chiuso|aperto)(?!\\p{L})",
  '^(?:è|sono|si è) (?:andat|tornat|partit|arrivat|cadut|uscit|venut|stat|rott|slogat|tagliat|iscritt)[oaie](?!\\p{L})',
  '^(?:не |уже |вчера |сегодня |только что )?\\p{Ll}{2,}(?:[аеиоуыяё]л(?:а|о|и)?|[аеиоуыяё]л(?:ся|ась|ись)|шёл|шла|шли|вёз|везла)(?!\\p{L})',
].join('|');
const HAPPENED_JAPANESE = '(?<![てで]い)(?:った|した|んだ|いた|きた|けた|えた|べた|めた|れた|ました)(?=$|[。、!?])';
/** What has made something so, though its verb stands in the past. */
const LASTING =
  /^(?:se mud[óo]u?|mudou-se|si è trasferit[oa]|(?:si è|è) (?:sposat|laureat|diventat|nat)[oa]|se casó|se jubiló|casou-se|aposentou-se|nació|nasceu|empezó a|comenzó a|começou a|ha iniziato a|переехал[аи]?|женился|вышла замуж|родил(?:ся|ась)|устроил(?:ся|ась)|перешёл|перешла|начал[аи]?|стал[аи]?|был[аои]? (?:назначен|переведен)|zog (?:nach|in|zu)|wechselte|verhuisde|begon|heiratete|wurde)|引っ越し|転職|結婚|就職|入社|転勤|なった|始めた|辞めた|やめた/u;

/** Whether a statement tells by the form of its first verb of what happened: `bought a bike`, `hat Brot gebacken`. Pure. */
export function tellsOfHappening(text: string): boolean {
  const first = /^[a-z]+(?=\s)/.exec(text)?.[0];
  if (first !== undefined && isPastForm(first)) return true;
  if (PERFECT.test(text)) return true;
  if (!MAYBE.test(text) || LASTING.test(text)) return false;
  pattern ??= new RegExp(`${HAPPENED}|${HAPPENED_JAPANESE}`, 'u');
  return pattern.test(text);
}

/** `Hat den Zaun repariert`, `ist nach Kiel gefahren`. */
const PERFECT = /^(?:hat|haben|ist|sind) .{0,200}(?<!\p{L})\p{Ll}*ge\p{Ll}{2,}(?:t|en)(?=$|[.,;])/u;

/** One of these is in every such form. */
const MAYBE = /^[\p{Ll}'-]+(?:te|ó|ou|eu|iu|ron)(?!\p{L})|^\p{Ll}+ |[\u0400-\u04ff]|[たっ]/u;

const PAST = new Cued(
  'used to|former|previously|back then|lived|resided|dwelt|worked|studied|stayed|taught|served|was living|was working|was based|was employed|was studying|ehemals|damals|wohnte|lebte|arbeitete|studierte|gewohnt|gelebt|gearbeitet|studiert|autrefois|ait|aient|früher|a habité|a vécu|a travaillé|a étudié|vivía|vivió|trabaj|abitava|viveva|lavorava|morava|trabalhava|woonde|werkte|vroeger|жил|работал|раньше|以前|曾|过去|当年|那时|住过|待过|工作过|いた|时',
  /\b(?:used to|formerly|previously|former(?!ly)|back then|(?<!\b(?:has|have|had|'s|'ve) )(?:lived|resided|dwelt|worked|studied|stayed|taught|served)|was (?:living|working|based|employed|studying)|ehemals|damals|wohnte|lebte|arbeitete|studierte|(?:hat|hatte) .{1,60}\b(?:gewohnt|gelebt|gearbeitet|studiert)|autrefois|viv(?:ía|ió|eva)|trabaj(?:aba|ó)|abitava|lavorava|morava|trabalhava|woonde|werkte|vroeger)(?![\w\u00c0-\u1fff])|früher|\ba (?:habité|vécu|travaillé|étudié)|^(?!fait|sait|plaît|connaît|paraît|naît)[a-zà-ÿ]{2,}(?<![eid]r)ai(?:en)?t(?=\s)|(?<![\u0400-\u04ff])(?:жил[аи]?|работал[аи]?|раньше)(?![\u0400-\u04ff])|以前|曾|过去|当年|那时|[住待]过|工作过|[てで]いた|(?:大学|[中小上]学|高中|读书|年轻|学生)的?时候?|小时候/i,
);

/** Whether a statement tells by its words of what was once and is no more: `used to live in Porto`, 以前住在波尔图. Pure. */
export function tellsOfFormerState(text: string): boolean {
  return PAST.isIn(text);
}
