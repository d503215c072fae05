import type { TimeWords } from './words.js';

/** "Sonntagabend": a weekday and its part are one word. */
function weekdaysWith(part: string, names: string): string {
  return names.replace(/\S+/g, (name) => `(?:${name})${part}?`);
}

export const GERMAN: TimeWords = {
  days: `vorgestern gestern heute morgen ue?bermorgen / letzte_nacht vergangene_nacht heute_nacht / frue?h vormittag mittag nachmittag abend nacht am_morgen am_vormittag am_nachmittag am_abend / guten_morgen gute_morgen am_morgen jeden_morgen den_morgen der_morgen`,
  which: `vorletzte[nrms]? (?:letzte|vorige|vergangene)[nrms]? diese[nrms]? (?:nae?chste|kommende)[nrms]? ue?bernae?chste[nrms]? / letzten? vergangenen? /  / nae?chsten kommenden`,
  units: `stunde tag(?:es)? woche wochenendes? monats? halbe[ns]?_jahr(?:es)? quartals? jahr(?:es)? / stunden tagen? wochen wochenenden? monaten? halbe_jahre quartalen? jahren?`,
  numbers: `ein(?:e[mnrs]?)? zwei drei vier fue?nf sechs sieben acht neun zehn elf zwoe?lf dreizehn vierzehn fue?nfzehn sechzehn siebzehn achtzehn neunzehn zwanzig / ein_paar einigen? mehreren wenigen / erste[nrms]? zweite[nrms]? dritte[nrms]? vierte[nrms]? / erste[nr] / anderthalb|eineinhalb zweieinhalb dreieinhalb`,
  counted: 'vor /  /  / etwa ca circa rund ungefae?hr gut knapp /  / in',
  weekdays: weekdaysWith(
    '(?:vormittag|mittag|nachmittag|abend|nacht|morgen)',
    'montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag',
  ),
  months:
    'januars?|jae?nners? februars? maerz|marz|mrz aprils? mai junis? julis? augusts? septembers? oktobers? novembers? dezembers?',
  ofMonth: ['woche', 'hae?lfte'],
  seasons: 'frue?hling|frue?hjahr sommer herbst winter',
  feasts: `(?:(?:an|zu|ue?ber)_)?weihnachten (?:(?:an|zu|ue?ber)_)?silvester (?:an|zu)_neujahr (?:(?:an|zu|ue?ber)_)?ostern (?:(?:an|am)_)?heilig(?:e[rn]_)?_?abend (?:am_)?(?:1\\._|ersten?_)weihnachts(?:feier)?tag (?:am_)?(?:2\\._|zweiten?_)weihnachts(?:feier)?tag`,
  signs: `im im_laufe in fue?r zum jahre? wae?hrend / am ue?bers / des der im in vom / der die das den dem des / jede[nrms]? immer der die das ein(?:en)? schwarze[rn]? casual / jede[nrms]? alle`,
  dates: '\\. /  /  / am',
  ranges: 'vom von zwischen / bis bis_zum zum / und / zwischen',
  parts:
    '(?:zu_)?(?:anfang|beginn)|frue?hen? mitte (?:am_)?ende|spae?ten? /  / (?:erste[nr]?|1\\.)_hae?lfte zweite[nr]?_hae?lfte|2\\._hae?lfte|andere[nr]?_hae?lfte /  / halbjahr(?:es)?',
  bounds: `seit /  / ab / bis bis_zu[mr] bis_einschliesslich (?:bis_)?spae?testens / vor / nach / (?:rund_)?um ungefae?hr gegen`,
  tense: `werden? wird steht stehen ist sind habe haben hat muss mue?ssen soll sollen kommt geplant mache machen gibt / war(?:en)? wurden? hatten? ha(?:be|ben|bt|st|t)_.{0,60}geplant gab ging(?:en)? (?:auf|an|ab|aus|ein|vor|zu|mit)?ge(?!plant)[a-z]{2,}(?:t|en) (?:be|ent|er|ver|zer)[a-z]{3,}(?:t|en) [a-z]+iert`,
};

export const DUTCH: TimeWords = {
  days: `eergister(?:en)?(?:avond|ochtend|middag|morgen|nacht)? gister(?:en)?(?:avond|ochtend|middag|morgen)? vandaag|van(?:morgen|ochtend|middag|avond) morgen overmorgen / vannacht (?:afgelopen|vorige)_nacht gister(?:en)?nacht / ochtend vroeg middag avond nacht / goede_morgen goeie_morgen de_morgen elke_morgen iedere_morgen`,
  which: `voorvorige?|eervorige? vorige?|verleden|afgelopen|voorbije|laatste deze|dit volgende?|(?:aan)?komende?|aanstaande / afgelopen laatste voorbije / afgelopen laatste / komende volgende`,
  units: `uur dag week weekend|weekeinde maand half_jaar kwartaal jaar / uren dagen weken weekend(?:s|en)|weekeinden maanden (?!) kwartalen jaren`,
  numbers: `een twee drie vier vijf zes zeven acht negen tien|een_tiental elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig / een_paar paar enkele enige meerdere / eerste tweede derde vierde / eerste / anderhal[vf]e? tweeenhalve?`,
  counted: ' / geleden terug /  / ongeveer /  / over',
  weekdays: weekdaysWith(
    '(?:ochtend|morgen|middag|avond|nacht)',
    'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag',
  ),
  months: 'januari februari maart|mrt april mei juni juli augustus september oktober november december',
  seasons: 'lente|voorjaar zomer herfst|najaar winter',
  feasts:
    '(?:met|rond|voor)_(?:de_)?kerst(?:mis)?|kerstmis (?:met|op)_(?:oud_en_nieuw|oudejaarsavond)|oudejaarsavond (?:met|op)_nieuwjaar(?:sdag)? (?:met|rond)_(?:de_)?pasen (?:op_)?kerstavond (?:op_)?(?:1e_|eerste_)kerstdag (?:op_)?(?:2e_|tweede_)kerstdag',
  signs: 'in tijdens gedurende voor / op in / van in / de het / elke iedere de het een zwarte / elke? iedere?',
  dates: 'e ste de / - /  / op_de',
  ranges: 'van tussen / tot_en_met t/m tot / en / tussen',
  parts: 'begin|vroeg half|medio|midden eind|einde|laat /  / eerste_helft tweede_helft /  / halfjaar',
  bounds: 'sinds /  / vanaf / tot tot_en_met t/m uiterlijk / voor / na / rond omstreeks',
  tense: `zal zullen wordt worden gaat gaan ga is zijn staat moet moeten heeft hebben heb doen doe / was waren he(?:b|bt|bben|eft)_.{0,60}gepland werd(?:en)? had(?:den)? ging(?:en)? deed deden (?:aan|af|door|in|mee|na|om|op|over|toe|uit|voor|weg)?ge(?!pland)[a-z]{2,}(?:t|d|n) (?:be|ont|ver)[a-z]{3,}(?:t|d|n)`,
  spelled: { locale: 'nl', pattern: '[a-z]{4,}(?:de|ste)_(?:jan|feb|maart|apr|mei|jun|jul|aug|sep|okt|nov|dec)' },
};
