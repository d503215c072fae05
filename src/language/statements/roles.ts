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
const GERMAN =
  /^(?:\p{Ll}+e[rsn]? )?\p{Lu}\p{Ll}+(?:erin|er|istin|ist|ärztin|arzt|frau|mann|eurin|eur|orin|or|antin|ant|entin|ent|werkzeug|dienst|projekt|system|haus|verein|firma|schule|tante|onkel|schwester|bruder|mutter|vater|tochter|sohn|hund|katze)(?: (?:aus|in|bei|am|an|von|für|im) .{2,40})?$/u;
/** The start of a statement that describes an action and not a role: `drives a van`, `painted the house`. */
const BEGINS_AS_VERB = /^\p{Ll}+(?:s|ed) /u;
const ROMANCE =
  /^(?:responsab[il]le|titola[ir]e|propri[eé]tai?r[eio]a?|\p{Ll}+(?:ière|ier|iste|ista|eur|euse|rice|dora?|tora?|tore|aio|aia|ero|era|eiro|eira))(?: .{2,40})?(?: (?:à|de|en|di|da|em|chez|aus) .{2,40})?$/u;
const CYRILLIC =
  /^(?:\p{Ll}+(?:ый|ий|ая|ой) )?\p{Ll}+(?:тель(?:ница)?|ист(?:ка)?|ник|ница|арь|ер|ёр|ор|ог|врач|повар|юрист)(?: .{2,40})?$/u;
const UNSPACED =
  /^[\u3040-\u30ff\u4e00-\u9fff]{0,10}(?:工程师|负责人|组长|主管|主任|实习生|老师|医生|律师|经理|助理|总监|创始人|合伙人|设计师|护士|教授|学生|作家|画家|记者|司机|厨师|会计|顾问|系统|平台|工具|服务|项目|模块|エンジニア|デザイナー|教師|医師|先生|学生|会社員|看護師|ツール|サービス|[者員師家士])(?:です|である|だ)?。?$/u;

let english: RegExp | undefined;

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
  english ??= new RegExp(
    `^(?!(?:in|on|at|with|for|from|of|near|by|under|to|as) )(?:an? |the )?(?:\\p{L}[\\p{L}’'-]* ){0,4}?(?:${PERSON}|${THING})(?: (?:of|at|for|in|near|from|with|to) .{2,60})?$`,
    'iu',
  );
  return english.test(head) || GERMAN.test(head) || ROMANCE.test(head) || CYRILLIC.test(head) || UNSPACED.test(head);
}
