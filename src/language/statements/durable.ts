import { lazy } from '../../base/cache.js';

/** Words of facts that say who somebody is: work, home, birthday, family, health. One line for each language. */
const IDENTITY = [
  'owner|founder|founded|works (?:at|for|as)|employed|engineer|doctor|lives? (?:in|at|near)|resides|based in|moved (?:back |from .{1,40}? )?(?:to|into)|relocated|born|birthday|allergic|married|time ?zone',
  'wohnt|arbeitet (?:bei|für|als)|gründer(?:in)?|angestellt|ist (?:nach )?.{1,30}gezogen|geboren|geburtstag|allerg\\p{Ll}+|verheiratet|zeitzone',
  'habite|travaille (?:chez|pour|comme)|employée?|née?|anniversaire|allergique|mariée?|fuseau',
  'vive en|trabaja (?:en|para|como)|fundador[a]?|emplead[oa]|nació|cumpleaños|alérgic[oa]|casad[oa]',
  'abita|lavora (?:per|presso|come|in)|nat[oa]|compleanno|allergic[oa]|sposat[oa]',
  'mora|trabalha (?:na|no|em|para|como)|nasceu|aniversário|alérgic[oa]|casad[oa]',
  'woont|werkt (?:bij|voor|als)|geboren|verjaardag|allergisch|getrouwd',
  'жив[её]т|работает|родил(?:ся|ась)|день рождения|аллерги\\p{Ll}+|женат|замужем',
].join('|');
const UNSPACED_IDENTITY = '住在|搬到|过敏|生日|に住|住んで|勤めて|誕生日|アレルギー';
/**
 * English words of other facts that will probably still matter in half a year. They are about roles, addresses, owners,
 * obligations, prohibitions, decisions and procedures. The tables below have the same words of other languages. The
 * patterns are built from the words on first use.
 */
const ENGLISH =
  "owns?|leads?|maintains?|maintainer|manages?|manager|head of|responsible|in charge|reports to|contact|address|located|office at|must|may not|can ?not|can't|never|always|only|required|requires|forbidden|not allowed|at most|at least|no more than|limit|decided|decision|agreed|policy|rule|standard|instead of|stored (?:in|at)|hosted|runs on|pinned|procedure|steps?|before (?:any|every|each|you)|every time|password|code is|port|deadline|contract|price|costs";
const GERMAN =
  'gehört|besitzt|inhaber(?:in)?|leitet|leiterin|leiter (?:de[rs]|von)|chef(?:in)?|zuständig|verantwortlich|ansprechpartner(?:in)?|anschrift|adresse|liegt (?:in|am|an|im)|muss|müssen|darf (?:nicht|kein|nur)|dürfen|nie(?:mals)?|immer|verboten|pflicht|höchstens|mindestens|beschlossen|entschieden|vereinbart|regel|vorgabe|statt|läuft auf|ablauf|schritte?|vor jede[rm]|jedes mal|passwort|kennwort|frist|vertrag|preis|kostet';
const FRENCH =
  'appartient|possède|propriétaire|fondat(?:eur|rice)|dirige|responsable|chargée? de|adresse|située?|doit|doivent|ne doit|interdit|obligatoire|jamais|toujours|au plus|au moins|décidé|convenu|règle|procédure|étapes?|avant (?:chaque|tout)|mot de passe|échéance|contrat|prix|coûte';
const SPANISH =
  'pertenece|dueñ[oa]|dirige|responsable|encargad[oa]|dirección|domicilio|debe|deben|hay que|prohibido|obligatorio|nunca|siempre|como máximo|al menos|se decidió|acordado|regla|procedimiento|pasos?|antes de cada|contraseña|plazo|contrato|precio|cuesta';
const ITALIAN =
  'appartiene|proprietari[oa]|fondat(?:ore|rice)|dirige|responsabile|incaricat[oa]|indirizzo|situat[oa]|deve|devono|bisogna|vietato|obbligatorio|mai|sempre|al massimo|almeno|deciso|concordato|regola|procedura|passaggi|prima di ogni|scadenza|contratto|prezzo|costa';
const PORTUGUESE =
  'pertence|don[oa]|proprietári[oa]|fundador[a]?|dirige|responsável|encarregad[oa]|endereço|morada|deve|devem|proibido|obrigatório|nunca|sempre|no máximo|pelo menos|decidid[oa]|combinado|regra|procedimento|passos?|antes de cada|senha|prazo|preço|custa';
const DUTCH =
  'eigenaar|eigenares|oprichter|leidt|verantwoordelijk|contactpersoon|adres|moet|moeten|mag (?:niet|alleen)|mogen|verboden|verplicht|nooit|altijd|hoogstens|minstens|besloten|afgesproken|regel|stappen|voor elke|wachtwoord|deadline|contract|prijs|kost';
const RUSSIAN =
  'владелец|владелица|принадлежит|основател[ья]|основательница|руководит|руководитель|отвечает за|ответственн\\p{Ll}+|адрес|должен|должна|должно|должны|нельзя|запрещено|обязательно|никогда|всегда|не более|не менее|решили|решено|договорились|правило|порядок|пароль|срок|договор|цена|стоит';
const UNSPACED =
  '负责|所有者|创始人|地址|位于|必须|不得|不能|禁止|总是|从不|每次|决定|规定|流程|步骤|密码|端口|上限|价格|合同|勤務|担当|責任者|所有|創業者|住所|必ず|しなければ|てはいけない|禁止|決定|決めた|ルール|手順|パスワード|期限|契約|価格';

const identity = lazy(() => patternOf(IDENTITY, UNSPACED_IDENTITY));
const durable = lazy(() =>
  patternOf([ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH, RUSSIAN].join('|'), UNSPACED),
);

const BEFORE_ROLE =
  /^(?:(?:is|ist|est|es|è|é) (?:an?|the|one of the|eine?|der|die|das|une?|l[ea]|un[ao]?|el|il|lo|uma?|o|a|een|de|het) |是(?:一[个名位])?)/u;

/** Whether a statement will probably still matter in half a year. Pure. */
export function isDurableFact(text: string): boolean {
  const role = text.replace(BEFORE_ROLE, '');
  return namesIdentity(text) || durable().test(text) || (role !== text && isRoleName(role));
}

/** Whether a statement says who somebody is: where they live or work, when they were born. Pure. */
export function namesIdentity(text: string): boolean {
  return identity().test(text);
}

const OBLIGATIONS =
  "must|mustn't|not allowed|every time|before (?:any|every|each)|muss|müssen|darf (?:nicht|kein|nur)|verboten|vor jede[rm]|jedes mal|doit|doivent|interdit|avant (?:chaque|tout)|debe|deben|hay que|prohibido|antes de cada|deve|devono|bisogna|vietato|prima di ogni|devem|proibido|moet|moeten|verboden|voor elke|должен|должна|должны|нельзя|запрещено";
const HABITS =
  'never(?! (?:\\w+ed|was|were|had|did|got|saw|found|went|came|knew)(?![\\p{L}]))|(?<!was |were )always(?! (?:\\w+ed|was|were|had|did)(?![\\p{L}]))|nie(?:mals)?|immer|jamais|toujours|nunca|siempre|non(?: \\S+){1,4} mai|sempre|nooit|altijd|никогда|всегда';
const DECISIONS =
  'decided|agreed|beschlossen|entschieden|vereinbart|décidé|convenu|decidi[óo]|decidimos|acordado|deciso|concordato|decidid[oa]|combinado|besloten|afgesproken|решили|решено|договорились';
const UNSPACED_DECISIONS = '决定|決めた|決定';

const obligations = lazy(() => patternOf(OBLIGATIONS, '必须|不得|禁止|务必|必ず|しなければ|てはいけない'));
const habits = lazy(() => patternOf(HABITS, '每次|总是|从不'));
const decisions = lazy(() => patternOf(DECISIONS, UNSPACED_DECISIONS));

function patternOf(spaced: string, unspaced: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${spaced})(?![\\p{L}\\p{N}_])|${unspaced}`, 'iu');
}

/** Whether a statement states a rule for the future: always, never, must. Pure. */
export function statesStandingRule(text: string): boolean {
  return statesCommand(text) || habits().test(text);
}

/** Whether a statement says what must be done, or is forbidden. Pure. */
export function statesCommand(text: string): boolean {
  return obligations().test(text);
}

const BEGINS_AS_ORDER =
  /^(?:(?:never|always|don't|do not|nie(?:mals)?|immer|jamais|toujours|nunca|siempre|mai(?= [^\d\s])|sempre|nooit|altijd|никогда|всегда)(?![\p{L}])|不要|别(?![人的处])|从不|总是)/iu;
const BEGINS_AS_RULE = /^(?:no|only|please|keine?n?|nur|pas d[e’']|geen|никаких)(?![\p{L}])/iu;

/** Whether a clause begins with the word of an order: always, never, don't. Pure. */
export function beginsAsOrder(text: string): boolean {
  return BEGINS_AS_ORDER.test(text);
}

/** Whether a preference is in the form of a rule: `No meetings before ten`. Pure. */
export function beginsAsRule(text: string): boolean {
  return BEGINS_AS_RULE.test(text) || beginsAsOrder(text) || statesStandingRule(text);
}

/** Whether a statement also states a rule for the future or a decision. Pure. */
export function statesLastingRule(text: string): boolean {
  return statesStandingRule(text) || decisions().test(text);
}

const RULE_NAME =
  /\b(?:rules?|decisions?|decided|lessons?|polic(?:y|ies)|principles?|conventions?|guidelines?|regeln?|beschl(?:uss|üsse)|entscheidung(?:en)?|entschieden|vorgaben?|r[èe]gles?|d[ée]cisions?|le[çc]ons?|reglas?|decisi[óo]n(?:es)?|lecci[óo]n(?:es)?|regras?|decis(?:ão|ões)|lições|regol[ae]|decision[ei]|lezion[ei]|regels?|besluit(?:en)?)\b|(?:^|\P{L})(?:правил[оа]|решени[ея]|урок)|规则|规定|决定|决策|教训|原则|约定|ルール|決定|決まり|教訓|方針/iu;

/** Whether a heading or a label names rules, decisions or lessons. Pure. */
export function namesRule(name: string): boolean {
  return RULE_NAME.test(name);
}

/**
 * A role after a form of "to be": `is an architect`, `est architecte`, 是老师. The patterns below this one are for a role
 * without a verb: `potter`, `Keramikerin aus Jena`, 后端工程师.
 */
const JOINS =
  /^(?:is|ist|est|es|è|é) (?:an?|the|one of|eine?|der|die|das|une?|l[ea]|un[ao]?|el|il|lo|uma?|o|a|een|de|het)\s|^(?:is|ist) \p{L}+(?:in|er|ist|ant|ent|eur|or)(?: (?:aus|in|bei|am|an|von|für|im|op|van|voor) .{2,40})?$|^(?:est|es|è|é|is) \p{Ll}+(?:eur|euse|rice|ière?|iste|ista|ore|era?|ero|or|ora|eira?|er|ster)$|^是(?!.*(?:的|时|否)$)/u;
const PERSON =
  '(?:\\p{L}+(?:smith|wright|ologist|grapher|maker|keeper|worker|driver|owner|player|hunter|watcher|teacher|writer)|potter|baker|farmer|painter|carpenter|plumber|builder|gardener|lawyer|dancer|singer|drummer|butcher|barber|miller|designer|developer|engineer|manager|founder|partner|owner|doctor|teacher|nurse|cook|chef|pilot|student|pupil|actor|author|editor|professor|architect|accountant|assistant|consultant|dentist|artist|pianist|guitarist|cellist|violinist|chemist|physicist|scientist|journalist|therapist|librarian|musician|electrician|physician|technician|politician|historian|translator|contractor|director|tailor|tutor|coach|trainer|vet|judge|clerk|priest|vicar|widow(?:er)?|grandmother|grandfather|mother|father|sister|brother|son|daughter|wife|husband|aunt|uncle|cousin|friend|neighbou?r|colleague|cat|dog)';
const THING =
  '(?:company|project|service|server|library|tool|house|clinic|team|app|application|website|database|platform|system|framework|package|plugin|script|bot|pipeline|cluster|repository|farmhouse|cottage|boat|car|van|shop|restaurant|café|school|club|newsletter|podcast|conference|product|startup|agency|bakery)s?';
/** In German a role is a noun with a capital: `Lehrer`, `Keramikerin aus Jena`. */
const GERMAN_ROLE =
  /^(?:\p{Ll}+e[rsn]? )?\p{Lu}\p{Ll}+(?:erin|er|istin|ist|ärztin|arzt|frau|mann|eurin|eur|orin|or|antin|ant|entin|ent|werkzeug|dienst|projekt|system|haus|verein|firma|schule|tante|onkel|schwester|bruder|mutter|vater|tochter|sohn|hund|katze)(?: (?:aus|in|bei|am|an|von|für|im) .{2,40})?$/u;
/** The start of a statement that describes an action and not a role: `drives a van`, `painted the house`. */
const BEGINS_AS_VERB = /^\p{Ll}+(?:s|ed) /u;
const ROMANCE =
  /^(?:responsab[il]le|titola[ir]e|propri[eé]tai?r[eio]a?|\p{Ll}+(?:ière|ier|iste|ista|eur|euse|rice|dora?|tora?|tore|aio|aia|ero|era|eiro|eira))(?: .{2,40})?(?: (?:à|de|en|di|da|em|chez|aus) .{2,40})?$/u;
const CYRILLIC =
  /^(?:\p{Ll}+(?:ый|ий|ая|ой) )?\p{Ll}+(?:тель(?:ница)?|ист(?:ка)?|ник|ница|арь|ер|ёр|ор|ог|врач|повар|юрист)(?: .{2,40})?$/u;
const UNSPACED_ROLE =
  /^[\u3040-\u30ff\u4e00-\u9fff]{0,10}(?:工程师|负责人|组长|主管|主任|实习生|老师|医生|律师|经理|助理|总监|创始人|合伙人|设计师|护士|教授|学生|作家|画家|记者|司机|厨师|会计|顾问|系统|平台|工具|服务|项目|模块|エンジニア|デザイナー|教師|医師|先生|学生|会社員|看護師|ツール|サービス|[者員師家士])(?:です|である|だ)?。?$/u;

const englishRole = lazy(
  () =>
    new RegExp(
      `^(?!(?:in|on|at|with|for|from|of|near|by|under|to|as) )(?:an? |the )?(?:\\p{L}[\\p{L}’'-]* ){0,4}?(?:${PERSON}|${THING})(?: (?:of|at|for|in|near|from|with|to) .{2,60})?$`,
      'iu',
    ),
);

/**
 * Whether a statement says with a form of "to be" what somebody or something is: `is an architect`, 是小学老师. The statement is
 * given without its subject. Pure.
 */
export function isRoleSentence(text: string): boolean {
  return JOINS.test(text) || JOINS.test((text.split(/[,，;；(（]/)[0] ?? '').trim());
}

/** Whether a statement without a verb names a role or a sort of thing: `potter`, `a small company`. Pure. */
export function isRoleName(text: string): boolean {
  const head = text.trim();
  if (BEGINS_AS_VERB.test(head)) return false;
  const roles = [englishRole(), GERMAN_ROLE, ROMANCE, CYRILLIC, UNSPACED_ROLE];
  return roles.some((role) => role.test(head));
}
