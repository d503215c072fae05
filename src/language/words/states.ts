import { tellsOfBecoming, tellsOfHappening } from '../statements/tenses.js';
import { IRREGULAR_FORMS } from './forms.js';
import { wordSet } from './word-set.js';

/**
 * Words by which a statement shows how long what it says may hold: in passing, as a plan, as a wish, as something that
 * happened. English, German, French and Chinese. Built when they are first asked for.
 */
let patterns: Readonly<Record<Sign, RegExp>> | undefined;

type Sign = 'passing' | 'plan' | 'wish' | 'change' | 'chineseEvent' | 'unfinished' | 'habit';

const NOT_LETTER = '(?<![\\w\\u00c0-\\u1fff-])';
const NO_LETTER = '(?![\\w\\u00c0-\\u1fff-])';

function spaced(words: string): string {
  return `${NOT_LETTER}(?:${words
    .trim()
    .split(/\s*\n\s*|\|/)
    .join('|')})${NO_LETTER}`;
}

/** Illness, mood, weather, whereabouts, and what says of itself that it is for now. */
const PASSING = `currently|right now|at the moment|at present|presently|for now|for the (?:time being|moment)|temporar(?:y|ily)|as of now|all (?:day|night|morning|afternoon|week)(?: long)?
(?<!(?:since|as of|from) )this (?:week|weekend|month|morning|afternoon|evening)|today|tonight|for a (?:few|couple of) (?:hours|days|weeks)|about to|on the (?:verge|point) of
(?:is|feels?|felt|fell|feeling|been|still|got|getting) (?:very |really |quite |a bit |a little )?(?:sick|ill|unwell|dizzy|nauseous|feverish|tired|exhausted|sleepy|stressed|low|down|upset|angry|annoyed|grumpy|cranky|irritated|sad|gloomy|bored|nervous|anxious|worried sick|excited|cheerful|elated|in a (?:good|bad|foul|great|terrible) mood)|ill|unwell|in bed|off sick|sick leave|under the weather|in (?:a )?(?:very )?(?:good|bad|foul|great|terrible|low) (?:mood|spirits)
dizzy|nauseous|feverish|exhausted|hung ?over|grumpy|cheerful|gloomy|homesick|sleepless|swamped|limping|hoarse
fever|flu|influenza|(?:pink|black) eye|a cold|bad cold|head cold|headaches?|migraine|hangover|jet[- ]?lag(?:ged)?|sore throat|stomach (?:bug|ache)|food poisoning|cough(?:s|ing)?|running (?:a|nose)|sneezing|covid|quarantined?|crutches|sprained|limping|lost (?:his|her|my|their) voice|black eye|bruised?|rash|blisters?|swollen|(?:does not|doesn't) feel like|hardly (?:eats|sleeps)|no appetite|sleeps? badly|slept badly
out of (?:the )?office|on (?:holiday|vacation|leave|a trip|the road|call)|on (?:parental|maternity|paternity|sick) leave|away from|travell?ing|visiting|stuck (?:in|at|on)|snowed in|waiting (?:for|on)
until (?:the|further|then|they|he|she|we|i|it)
raining|rains|snowing|snows|sunny|stormy|foggy|cloudy|heat ?wave|drizzl(?:es|ing)|freezing outside
derzeit|zurzeit|zur zeit|momentan|im moment|gerade|vorübergehend|vorerst|einstweilen|heute|diese woche|krank|erkältet|fieber|grippe|kopfschmerzen|im urlaub|im bett|müde|gestresst|schlecht gelaunt|gut gelaunt|verreist|unterwegs
en ce moment|actuellement|pour l'instant|pour le moment|provisoirement|temporairement|aujourd'hui|cette semaine|malade|fièvre|grippe|rhume|enrhumée?|migraine|en vacances|en congé|fatiguée?|au lit|de mauvaise humeur|de bonne humeur|en voyage|en déplacement|toux|mal (?:de|à la|au|aux)
erkältung|schnupfen|husten|migräne|durchfall|[a-zäöü]+schmerzen|heiser|schwinde?lig|verstaucht|krankgeschrieben|erschöpft|nervös|aufgeregt|traurig|wütend|genervt|sauer|gereizt|besorgt|frustriert|enttäuscht|überlastet|überarbeitet|verärgert|aufgewühlt|im [a-zäöü]*stress|dieses wochenende|diesen monat|auf [a-z]*reise|in kur|in quarantäne|im krankenhaus|in der klinik|wieder (?:zu hause|da|zurück)|bis .{2,30} (?:ist|sind|hat|kommt)|back (?:home )?from|back home|de retour de
enferm[oa]|gripe|resfriad[oa]|fiebre|tos|cansad[oa]|dolor de|de vacaciones|de baja|de viaje|de (?:mal|buen) humor|por ahora|de momento|hoy|esta semana|este mes
malat[oa]|influenza|raffreddat[oa]|raffreddore|febbre|tosse|stanc[oa]|mal di|in vacanza|in ferie|in viaggio|di (?:mal|buon) ?umore|per ora|al momento|oggi|questa settimana|questo mese
doente|gripad[oa]|constipad[oa]|febre|dor de|de férias|em viagem|de licença|mal[- ]humorad[oa]|por enquanto|por agora|hoje|esta semana|este mês
ziek|griep|verkouden|koorts|hoest|moe|[a-z]+pijn|op vakantie|met verlof|op reis|voorlopig|vandaag|deze week|deze maand
бол(?:ен|ьна|еет|ит)|грипп(?:ом)?|простуд(?:а|ился|илась)|температура|кашель|кашляет|устал[аи]?|в отпуске|в командировке|на больничном|в отъезде|пока что|сегодня|на этой неделе|в этом месяце`;
const PASSING_CHINESE =
  '目前|暂时|暫時|眼下|此刻|这几天|这两天|最近|近来|这(?:个)?(?:周|星期|礼拜|月)|本周|本月|今天|今晚|今早|临时|感冒|发烧|发高烧|生病|病了|卧床|[头牙胃肚腰背腿]子?[疼痛]|[疼痛]得|发炎|红肿|胃口|咳嗽|嗓子|拉肚子|流感|心情|情绪|生气|难过|郁闷|疲惫|很累|累了|兴奋|烦躁|焦虑|出差|度假|休假|请假|旅行中|住院|隔离|下雨|下雪|刮风|晴天|阴天|即将|快要|忙|阵子|没(?=什么|[^有]{0,2}(?:精神|胃口|力气|睡))|得(?:很|厉害|要命|不行)|中$|着(?=石膏|拐|绷带|急|凉)|头晕|眼花|失眠|中暑|扭伤|骨折|(?:赶|累|疼|忙|急|气|困|烦|高兴|兴奋)得|胃不|^[左右]?(?:头|眼|耳|鼻|嘴|牙|嗓|喉咙|脖|肩|手|胳膊|腰|背|腿|脚|膝|胃|肚|皮肤)(?!机|表|工|术|下|头有)|情绪|心里|浑身|全身|有(?:点|些)儿?(?!(?:钱|名|经验))|得(?:够呛|不行|不轻|慌|要死|团团转|喘不过气)|[腰脚手肩脖背][^,，]{0,2}(?:扭|拉|闪|崴|麻|酸|僵)|闹肚子|上火|落枕|复发|睡不着|睡不好|紧张|沮丧|马上就?要|就要|正在|風邪|インフルエンザ|[発微高]熱|熱[がを]|病気|入院中|[頭腹腰歯]痛|疲れ|休暇中|出張|旅行中|今日|今週|今月|しばらく|当分|落ち込んで|機嫌';
const PLAN = `will|won't|shall|'ll|is going to|are going to|going to|plans? to|plans? on|planning to|planned (?:for|on|to)|intends? to|scheduled (?:for|to|on)|is due|due (?:on|in|to)|set to|booked for|fixed for|arranged for|is to|are to
(?:wird|(?<!(?:darf|dürfen|muss|müssen|kann|können|soll|sollen) .{0,60})werden)(?!.{1,80}(?:ge\\S{2,}(?:t|en)|(?:be|ver|er|ent|zer)\\S{2,}t|iert)\\s*(?:[.,;!]|$))|plant|geplant|vorgesehen|vorhat|hat vor
va|vont|prévoit|prévue?|compte|a l'intention de|planifiée?
planea|tiene previsto|piensa ir|intende|ha in programma|pretende|planeja|planeia|is van plan|zal|собирается|планирует|намерен[аы]?|будет`;
const PLAN_CHINESE =
  '打算|计划(?!是)|準備|准备(?!好)|将(?:要|会|于|在)?|預計|预计|预定|定于|约了|安排在|要去|要在|会在|予定|つもり|する計画';
const WISH = `considers? (?:moving|buying|leaving|going|switching|taking|selling|changing|getting|a|an|the)|considering|thinking (?:about|of)|might|maybe|perhaps|toying with|dreams of|hopes? to|hoping to|would like to|wonders?
überlegt|vielleicht|möchte|erwägt
envisage|peut-être|pourrait|aimerait
quizás|tal vez|le gustaría|está pensando|forse|vorrebbe|sta pensando|talvez|gostaria|misschien|overweegt|может быть|возможно|думает о|хотел[аи]? бы`;
const WISH_CHINESE = '考虑|可能|也许|或许|希望|想去|想要去|犹豫|かもしれない|検討中|たいと';
/** What happened and has made something so since. */
const CHANGE = `(?:went (?:up|down)|rose|fell|dropped|grew) to|(?:moved|relocated|switched|changed|upgraded|updated|migrated|raised|lowered|increased|reduced|cut|extended|shortened|renamed|promoted|transferred|downgraded|converted)(?= .*\\b(?:to|into|with|as|from)\\b|$)|became|took over|(?:was )?put in charge|traded\\b.*\\bfor|got an? .{1,30} instead|left for\\b.*\\blives?|joined|back (?:in|at|from|to|home|on)|is back|are back|came back|returned(?! (?:the|an?|his|her|my|their|it|all|some)\\b)|no longer|any ?more|stopped|quit|gave up|retired|got (?:married|engaged|divorced)|was (?:appointed|elected|hired|promoted|replaced|renamed|moved|updated|upgraded|changed|raised|lowered|switched|migrated)|were (?:moved|replaced|updated|upgraded)|started|began|since|decided|agreed|chose|signed up
umgezogen|gezogen|gewechselt|umgestiegen|geworden|wechselte|zurück|seit
déménagé|passée? (?:à|au)|devenue?|de retour|depuis|desde|sinds|de vuelta|de volta|terug in`;
const CHANGE_CHINESE =
  '搬(?:到|去|至|进|回)|换(?:成|到)|换了?(?=.{0,4}(?:工作|单位|公司|岗|职|手机|号|住|房|家|老板|医生|学校|专业))|改(?:成|到|用|为|由|名)|升级|升到|降到|调到|提高到|迁移?到|转到|成为|当上|加入|离开了|回来|回到|结婚|离婚|退休|不再|开始|起(?=在|住|用|是|由|任|担)|以来|自从|决定|戒(?:了|掉)';
const EVENT_CHINESE =
  '[看钓抓捡买赶]到|看见|遇到|遇见|碰到|听到|收到|当晚|当天|当时|(?<![养有当成住])了|过(?![期敏滤程度于])|出生|完成|结束|举行|发布|参加|毕业|去世|倒闭';
const UNFINISHED = `not\\b[^,;.]{0,40}\\byet|nothing\\b[^,;.]{0,40}\\byet|yet to|noch nicht|pas encore`;
const HABIT = `every|each|always|usually|never|birthday|anniversary|yearly|annual(?:ly)?|monthly|weekly|daily|jede[nrs]?|täglich|immer|geburtstag|chaque|toujours|anniversaire|cada|todos (?:los|os)|siempre|nunca|cumpleaños|ogni|sempre|compleanno|aniversário|elke?|iedere|altijd|nooit|verjaardag|кажд(?:ый|ую|ое|ые)|всегда|никогда|день рождения|first (?:mon|tues|wednes|thurs|fri|satur|sun)day`;

function built(): Readonly<Record<Sign, RegExp>> {
  const made = (words: string, chinese: string) => new RegExp(`${spaced(words)}|${chinese}`, 'i');
  patterns ??= {
    passing: made(PASSING, PASSING_CHINESE),
    plan: made(PLAN, PLAN_CHINESE),
    wish: made(WISH, WISH_CHINESE),
    change: made(CHANGE, CHANGE_CHINESE),
    chineseEvent: new RegExp(EVENT_CHINESE),
    unfinished: made(UNFINISHED, '还没|尚未|還沒'),
    habit: made(HABIT, '每|毎|誕生日|いつも|必ず|生日|总是|从不|一直'),
  };
  return patterns;
}

/** Whether a statement has a sign of that kind. */
export function hasSign(sign: Sign, text: string): boolean {
  return built()[sign].test(text);
}

/** How the first finite verb of an English statement stands. */
export type Tense = 'past' | 'present' | 'none';

let past: ReadonlySet<string> | undefined;
/** Simple pasts that are more often something else, and the third persons among the forms. */
const NO_PAST = wordSet('has left lead saw ground wound bore lay felt found light hung spoke');

/** With an object they are pasts all the same: `saw a fox`. */
const SAW = wordSet('saw left felt found led lit hung');

function isPastForm(word: string): boolean {
  past ??= new Set(
    IRREGULAR_FORMS.slice(
      0,
      IRREGULAR_FORMS.findIndex((group) => group.startsWith('analysis')),
    )
      .flatMap((group) => group.split(' ')[1] ?? [])
      .filter((form) => !NO_PAST.has(form)),
  );
  return past.has(word);
}

const FINITE = wordSet(
  `is are am isn't aren't 's has have hasn't haven't can can't cannot may must should will won't would could might do does don't doesn't
  prefers likes loves hates wants needs uses lives works owns runs drives speaks plays studies stays sleeps sits stands keeps holds costs weighs takes
  gets gives goes comes starts begins ends opens closes leads manages leads heads maintains reports belongs reads writes drinks eats wears teaches learns
  commutes rents shares knows thinks believes considers avoids refuses supports trusts distrusts recommends handles covers serves stores logs deploys
  listens accepts requires allows forbids expires means says asks calls owes pays earns spends collects carries contains includes provides returns
  sends receives shows tracks measures stands hosts answers meets travels trains practises practices sings cooks bakes smokes enjoys fears follows
  turns becomes remains makes helps hopes plans intends misses rides walks swims climbs cycles volunteers raises breeds grows keeps
  ist sind hat haben wohnt lebt arbeitet heißt liegt steht fährt spielt spricht mag isst trinkt trägt braucht kostet besitzt leitet führt gehört beginnt endet
  vive trabaja habla tiene es está juega toca abita lavora parla suona gioca vive mora trabalha fala tem joga toca woont werkt spreekt speelt heeft
  schläft lernt studiert bekommt nimmt nutzt verwendet darf muss kann will läuft fühlt sitzt plant
  est sont habite vit travaille parle joue aime possède dirige coûte porte boit mange dort étudie apprend utilise doit peut veut tient appartient`,
);
const NO_PARTICIPLE = wordSet(
  'bed red shed need speed indeed hundred feed seed weed sacred naked wicked embed bleed breed',
);
/** Verbs whose past is as their base. */
const SAME_PAST = wordSet('put cut set hit hurt quit shut split spread burst beat');
const GREW_UP = /^(?:grew up|was born|born|has (?:always|never)|never \w+ed) /i;
const PAST_BE = wordSet("was were wasn't weren't had hadn't did didn't");
const BEFORE_PARTICIPLE =
  /^(?:the|an?|his|her|their|its|my|our|of|by|with|and|no|to|be|been|being|get|gets|very|is|are|has|have|newly|still|both|all)$/;
/** Participles that say how something is when nothing stands before them. */
const STATIVE = wordSet(
  `based located married engaged named called owned hosted deployed written pinned known used kept stored connected registered insured scheduled planned
  allergic divorced retired employed enrolled interested licensed certified trained born raised built made led required supported banned blocked closed
  restricted limited installed configured encrypted protected mounted parked painted numbered tagged assigned attached hidden locked split`,
);

/** `Hat den Zaun repariert`, `ist nach Kiel gefahren`, `a réparé la clôture`: what happened in languages that tell it by a perfect. */
const PERFECT =
  /(?<!\p{L})(?:hat|haben) (?!.*(?:mehr|nie)(?!\p{L})).*(?<!\p{L})(?:\p{Ll}*ge\p{Ll}{2,}(?:t|en)|(?:be|ver|er|ent|zer)\p{Ll}{2,}(?:t|en)|\p{Ll}{2,}iert)(?=$|[.,;])|(?<!\p{L})(?:ist|sind) .*(?<!\p{L})\p{Ll}*ge(?:laufen|fahren|gangen|flogen|kommen|fallen|reist|wandert|schwommen|klettert|stiegen|sprungen)(?=$|[.,;])|^(?:a|ont) (?!du )\p{Ll}*(?:[éiu]|ée?s?|i[st])(?!\p{L})|^(?:est|sont) (?:allé|venu|revenu|parti|arrivé|rentré|sorti|monté|descendu|tombé)/u;
const FRENCH_HAS = /^a (?:une?|des?|du|deux|trois|quatre|cinq|les?|la|toujours|peur|besoin)(?!\p{L})/u;
/** `Has repaired the fence`: it happened, though its verb stands in the present. */
const DONE = /^(?:has|have|'s) (?:just |already |also )?(?!been\b)(\p{Ll}+) (?!.*\b(?:for|since)\b)\p{L}/u;

/** The tense of a statement's first finite verb, as far as forms tell. Pure. */
export function tenseOf(text: string): Tense {
  const told = compoundTense(text);
  if (told !== undefined) return told;
  const words = text.replace(/[’]/g, "'").match(/[\p{L}\p{N}'-]+/gu) ?? [];
  const [first = '', second = ''] = words;
  if (isThirdPerson(first, second)) return 'present';
  // `Led by Mona`, `scared of lifts`
  return second === 'of' || (second === 'by' && STATIVE.has(first)) ? 'none' : firstTense(words);
}

function firstTense(words: readonly string[]): Tense {
  for (const [index, written] of words.slice(0, 24).entries()) {
    const word = written.toLowerCase();
    if (PAST_BE.has(word)) return 'past';
    if (FINITE.has(word)) return 'present';
    // A name, or a participle that says of what kind something is.
    if (index > 0 && (written !== word || BEFORE_PARTICIPLE.test((words[index - 1] ?? '').toLowerCase()))) continue;
    const next = (words[index + 1] ?? '').toLowerCase();
    // `A farmhouse heated by oil`, but `dropped by the office`
    if (index > 0 && next === 'by' && /ed$/.test(word) && !/^(?:dropped|stopped|passed|walked)$/.test(word)) continue;
    if (index === 0 && SAW.has(word) && DETERMINER.test(next)) return 'past';
    if (isPastForm(word) || isRegularPast(word, next, index)) return 'past';
  }
  return 'none';
}

function compoundTense(text: string): Tense | undefined {
  if (GREW_UP.test(text) || tellsOfBecoming(text)) return 'present';
  if (PERFECT.test(text) || tellsOfHappening(text)) return 'past';
  if (FRENCH_HAS.test(text)) return 'present';
  const done = DONE.exec(text)?.[1];
  return done !== undefined && !STATIVE.has(done) && (isPastForm(done) || isParticiple(done)) ? 'past' : undefined;
}

const DETERMINER = /^(?:the|an?|his|her|my|our|their|its|this|that|these|those|all|some|two|three)$/;

function isParticiple(word: string): boolean {
  return PARTICIPLES.has(word) || (/[a-z]{2}ed$/.test(word) && !NO_PARTICIPLE.has(word));
}

const PARTICIPLES = wordSet(
  'lost done seen left found made written broken taken given gone eaten bought sold put cut read',
);

/** A verb that nobody has listed: a statement whose subject is named before it begins with `lodges`, `collects`, `knits`. */
function isThirdPerson(word: string, next: string): boolean {
  if (!/^[a-z]{2,}[^aious'’-]s$/.test(word) || NO_VERBS.has(word)) return false;
  const second = next.toLowerCase();
  return !FINITE.has(second) && !PAST_BE.has(second) && !/^(?:of|since|until|are|were)$/.test(second);
}

const NO_VERBS = wordSet(
  'always sometimes perhaps besides nowadays afterwards towards headaches nerves spirits twins glasses',
);

function isRegularPast(word: string, next: string, index: number): boolean {
  if (SAME_PAST.has(word)) return index > 0 || !/^(?:put|cut|set)$/.test(word);
  if (!/[a-z]{2}ed$/.test(word) || word.includes('-') || NO_PARTICIPLE.has(word)) return false;
  // `Called the landlord` happened, `called Mo` is a name.
  return index > 0 || !STATIVE.has(word) || DETERMINER.test(next);
}

/** Whether a piece of a statement begins with what is said of the statement's subject: a verb that follows it. */
export function beginsAsPredicate(text: string): boolean {
  const [first = '', second = ''] = (text.match(/[\p{L}\p{N}'’-]+/gu) ?? []).map((word) => word.toLowerCase());
  if (first === 'no' && second === 'longer') return true;
  if (/^(?:never|always|usually|often|now|still|also|currently|recently)$/.test(first)) {
    return FINITE.has(second) || PAST_BE.has(second) || isPastForm(second) || second.endsWith('ed');
  }
  if (FINITE.has(first) || PAST_BE.has(first) || isPastForm(first) || FRENCH_HAS.test(text)) return true;
  if (/^[a-z]/.test(text) && isThirdPerson(first, second)) return true;
  if (/^(?:moved|worked|lived|started|joined|switched|finished|stopped|visited|adopted|changed|retired)$/.test(first))
    return true;
  return CHINESE_PREDICATE.test(text);
}

const CHINESE_PREDICATE =
  /^(?:也|还|现在|目前|已经?|一直|每[天周月年]|从.{1,12}起)?(?:住|在|用|使用|喜欢|讨厌|爱|是|有|没有|会|负责|担任|就职|工作|养|想|打算|计划|搬|换|开始|改|需要|偏好|习惯|说|学|教|开|骑|喝|吃|不)/;

/** Whether a text has Chinese characters. */
export function isHan(text: string): boolean {
  return /[\u4e00-\u9fff]/.test(text);
}

/** Says how somebody is, without a verb. */
const BARE_ADJECTIVE =
  /^(?:afraid|scared|allergic|fond|keen|good|bad|married|engaged|single|divorced|retired|vegetarian|vegan|(?:left|right)-handed|colou?r-?blind|short-sighted|born|based|open|closed|available)\b/i;

/** Whether a piece has a verb of its own, by the forms of English or any Chinese. */
export function hasVerb(text: string): boolean {
  return (
    /[\u4e00-\u9fff]{3}/.test(text) ||
    tenseOf(text) !== 'none' ||
    BARE_ADJECTIVE.test(text.trim()) ||
    /^\p{Ll}+(?:ed|n|d|t) (?:by|von|par) /u.test(text.trim()) ||
    /^(?:ask|call|use|keep|do|don't|never|always|check|see|avoid|send|write|put|take|bring|tell|let|make)\b/i.test(
      text.trim(),
    )
  );
}
