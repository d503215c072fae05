import { lazy } from '../../base/cache.js';
import { isAscii } from '../scripts.js';
import { wholeWordPattern } from '../tokens.js';

/** How the statements of one language say that somebody is in a temporary state. All are patterns. */
interface StateForms {
  /** Forms of "to be" and "to lie", after which the state follows. */
  readonly joins: string;
  /** Words between these forms and the state that change nothing. */
  readonly adverbs: string;
  readonly states: string;
  /** Words after which the rest of the clause says only how, where, why or since when. */
  readonly after: string;
}

/**
 * States that end by themselves within days or weeks: illness, travel, holidays. A word of the list counts only as the
 * whole predicate at the start of a clause: "Ill since Monday" does, "ill-tempered" and "sick of meetings" do not.
 */
const FORMS: readonly StateForms[] = [
  {
    joins: "is|are|am|['’](?:s|m|re)",
    adverbs: 'still|again|currently|now|also|both|quite|really|very|all|back|at home|home|just',
    states: `ill(?! at ease)|sick|unwell|poorly|feverish|jet-?lagged|travell?ing|out of office|off (?:sick|ill|work)|(?:home|at home) (?:sick|ill)|(?:home |at home )?in bed(?! at| by| before)|in (?:the )?hospital|on (?:a |her |his |their )?(?:short )?(?:holidays?|vacation|sick leave|business trip|trip|plane|the (?:train|plane|ferry|road|way))|down with (?:the |an? )?(?:\\p{L}+ )?(?:flu|cold|fever|bug|virus|covid|infection)|(?:away )?on (?:the|a) (?:train|plane|ferry|bus)|(?:has|have|got|has got) (?:the flu|flu|a (?:bad |heavy |nasty |slight )?(?:cold|fever|migraine|stomach bug|sore throat|cough)|a temperature|covid|food poisoning|bronchitis|tonsillitis)`,
    after:
      'herself|himself|with|since|this|these|today|tonight|because|after|in|at|from|to|for|and|for now|near|by|between|all|until|till|when|where|so|while',
  },
  {
    joins: 'ist|sind|bin|liegt|liege|liegen|sitzt|sitze|sitzen',
    adverbs:
      'noch|noch immer|immer noch|wieder|gerade|derzeit|zurzeit|momentan|jetzt|auch|leider|seit \\p{L}+(?: \\p{L}+)?|heute|beide|ziemlich|stark|schwer|zu Hause|daheim',
    states: `krank(?:geschrieben)?|erkältet|verreist|unterwegs|auf (?:Reisen|Dienstreise|Geschäftsreise|Urlaub)|im (?:Urlaub|Krankenhaus|Spital|Bett|Zug|Flugzeug|Flieger)|in den Ferien|(?:zu Hause )?mit (?:\\p{L}+ )?(?:Grippe|Fieber|Erkältung|Corona|Angina|Migräne|Bandscheibe|Lungenentzündung|\\p{L}*entzündung|\\p{L}*infekt)(?: (?:zu Hause|daheim))?(?: im (?:Bett|Krankenhaus|Spital))?|hat (?:die |eine |starke |leichte |hohes )?(?:Grippe|Fieber|Erkältung|Corona|Migräne|Schnupfen|Magen-Darm)`,
    after: 'mit|seit|diese|diesen|heute|weil|nach|in|im|am|an|auf|bei|wegen|und|bis|zwischen|für|zu',
  },
  {
    joins: 'est|sont|suis',
    adverbs: 'encore|toujours|de nouveau|actuellement|aussi|très|un peu|bien',
    states: `malades?|enrhumée?s?|grippée?s?|souffrante?s?|alitée?s?|au lit|en vacances|en (?:congé|arrêt)(?: maladie)?|en voyage|en déplacement|dans (?:le train|l['’]avion)|à l['’]hôpital|hospitalisée?s?|a (?:la grippe|de la fièvre|une? (?:gros |petit |forte )?(?:rhume|grippe|angine|bronchite|gastro|migraine)|le covid)|partie?s? en (?:vacances|voyage)`,
    after: "avec|depuis|cette|aujourd['’]hui|parce|après|à|au|aux|en|chez|pour|et|jusqu['’]\\p{L}+|dans|sur|vers|entre",
  },
  {
    joins: 'está|están|estoy|es|sigue',
    adverbs: 'aún|todavía|otra vez|de nuevo|ahora|también|muy|en casa',
    states: `enferm[oa]s?|resfriad[oa]s?|acatarrad[oa]s?|griposo?a?|con (?:la )?(?:gripe|fiebre|covid|migraña|anginas|gastroenteritis|bronquitis)|de vacaciones|de viaje|de baja|en cama|en el (?:hospital|tren|avión)|ingresad[oa]|hospitalizad[oa]|tiene (?:la )?(?:gripe|fiebre|covid|un resfriado|migraña)`,
    after: 'con|desde|esta|este|hoy|porque|después|en|a|al|por|y|hasta|hacia|entre|tras',
  },
  {
    joins: 'è|sono',
    adverbs: 'ancora|di nuovo|ora|adesso|anche|molto|a casa',
    states: `malat[oaie]|raffreddat[oaie]|influenzat[oaie]|in (?:vacanza|ferie|viaggio|trasferta|malattia|treno|aereo|ospedale)|a letto|sul treno|ricoverat[oa]|(?:ha|ho) (?:la febbre|la febbre alta|l['’]influenza|il raffreddore|la bronchite|il covid|mal di gola)|(?:a casa )?con (?:la febbre|l['’]influenza|il raffreddore)`,
    after: 'con|da|dal|dalla|questa|oggi|perché|dopo|in|a|al|per|e|fino|verso|tra|sul|sulla',
  },
  {
    joins: 'está|estão|estou|é',
    adverbs: 'ainda|outra vez|de novo|agora|também|muito|em casa',
    states: `doentes?|resfriad[oa]s?|constipad[oa]s?|gripad[oa]s?|engripad[oa]s?|com (?:gripe|febre|covid|enxaqueca|uma constipação|dor de garganta)|de férias|em viagem|de baixa|de cama|acamad[oa]|no (?:hospital|comboio|trem|avião)|internad[oa]|tem (?:gripe|febre|covid)`,
    after: 'com|desde|esta|este|hoje|porque|depois|em|no|na|a|ao|por|e|até|para|entre',
  },
  {
    joins: 'is|zijn|ben|ligt|zit',
    adverbs: 'nog|weer|nu|ook|erg|thuis|nog steeds',
    states: `ziek|verkouden|grieperig|op vakantie|met (?:vakantie|verlof)|op (?:reis|zakenreis)|in (?:het ziekenhuis|bed|de trein)|(?:thuis )?met (?:griep|koorts)|heeft (?:de )?(?:griep|koorts)|heeft een (?:verkoudheid|migraine)`,
    after: 'met|sinds|deze|vandaag|omdat|na|in|op|bij|naar|voor|en|tot|tussen|wegens',
  },
  {
    joins: '',
    adverbs: 'ещё|еще|снова|опять|сейчас|тоже|всё|все|очень|дома|сильно',
    states: `болеет|заболел[аи]?|приболел[аи]?|простужен[аы]?|простудил(?:ся|ась|ись)|в (?:отпуске|отъезде|командировке|больнице|дороге|поезде|поездке)|на больничном|лежит (?:дома )?(?:в больнице|в постели|с температурой|с гриппом)|с температурой|с гриппом`,
    after: 'с|со|после|из-за|на|в|у|и|до|потому|из|от|по|третий|второй|уже|эту|эти',
  },
];

/** The same in Chinese and Japanese, which write no spaces. A short subject may come first. */
const UNSPACED = [
  `^[^不没常总每，,。；]{0,4}?(?:现在|目前|这几天|这周|本周|最近|今天|又|还|仍|正|因){0,3}(?:${[
    '得了?(?:重感冒|感冒|流感|肺炎|新冠)',
    '(?:重?感冒|病倒|生病|发高?[烧燒])(?=了|在家|[到，,。；]|$)',
    '住院(?=了|中|观察|治疗|[，,。；]|$)',
    '在?[^，,。；不没常总每]{0,6}?(?:出差|度假|休假|旅游|旅行)(?=了|中|[，,。；]|$)',
    '请病?假(?=了|中|在家|[，,。；]|$)',
    '在(?:去?[^，,。；]{0,6}的)?(?:火车|高铁|飞机)上',
  ].join('|')})`,
  `^(?:[^、。]{1,6}[はが])?(?:まだ|今は?|現在|今週は?)*(?:${[
    '風邪(?:を?引|をひ|で)',
    'インフルエンザ(?:で|に|だ)',
    '熱(?:が出|があ|で)',
    '(?:[^、。]{1,8}[にへでと])?(?:入院|出張|旅行|休暇|帰省|療養)中',
    '病気で(?:寝|休)|寝込んで',
  ].join('|')})`,
];

/** Negations, which are no subject. */
const NOT = '(?:not|never|nicht|nie|kein|keine|pas|no|nunca|não|non|niet|не)';

const inSpaced = lazy(() => {
  const all = FORMS.map(({ joins, adverbs, states, after }) => {
    const subject = joins === '' ? '' : `(?:(?:(?!${NOT} )\\p{L}[\\p{L}.'’-]* ){0,3}(?:${joins}) )?`;
    return `${subject}(?:(?:${adverbs}) ){0,3}(?:${states})(?=\\s*(?:$|[,.;:!?()–—])|\\s+(?:${after})(?![\\p{L}'’-])|\\s+\\d)`;
  });
  return new RegExp(`^(?:${all.join('|')})`, 'iu');
});
const inUnspaced = lazy(() => new RegExp(UNSPACED.join('|'), 'u'));

/** Words that say that things are as they were before: `back at work`, `sitzt wieder am Tisch`. */
const RESTORED = wholeWordPattern(
  `again back resumed recovered wieder zurück genesen entlassen auskuriert
  de_nouveau à_nouveau de_retour rétablie? guérie? de_vuelta de_nuevo otra_vez recuperad[oa] di_nuovo tornat[oa] guarit[oa]
  de_volta de_novo weer terug hersteld снова опять вернул(?:ся|ась) выздоровел[аи]?`,
  '恢复|康复|痊愈|回来|出院|退院|復帰|戻っ|治っ',
);

/** Whether a statement may say that a state is over because things are as they were before. Pure. */
export function mayBeRestored(text: string): boolean {
  return RESTORED.test(text);
}

/**
 * Whether a statement says that somebody is in a state that is over within days or weeks: ill, travelling, on holiday. The
 * statement is given without its subject, or with one of up to three words. Pure.
 */
export function describesTemporaryState(text: string): boolean {
  const said = text.trim();
  return inSpaced().test(said) || (!isAscii(said) && inUnspaced().test(said));
}
