/**
 * Words by which statements about one thing are compared: what has one value at a time, what one may have several of,
 * and what a value looks like. English, German, French; Chinese ones are looked for as they stand in a text.
 */

import { wordSet } from './word-set.js';

/** Of these one may have several: another one replaces none. Beginnings of words; short ones are whole words. */
export const MANY_BEGINNINGS: readonly string[] =
  `spoke speak language sister brother sibling son sons daughter child kid kids pet pets dog dogs cat cats friend hobb allerg intoleran visit travel
  been know knows like likes love enjoy learn stud play read watch buy bought own owns one some another also too
  plant tenant colleague cousin aunt uncle niece nephew skill interest award instrument supports follow subscrib alias guest
  sprach spricht sprech schwester bruder geschwister sohn söhne tochter töchter kind haustier hund katze freund befreund nuss allergi unverträg besucht
  kennt mag liebt lernt studiert spielt liest kauf besitzt auch zudem ebenfalls gesammelt nichte neffe cousin tante onkel kolleg
  parle langue sœur soeur frère fils fille enfant animal chien chat chats ami amis amie amies loisir visité connaît aime adore apprend étudie joue lit achet possède
  aussi également collègue cousin tante oncle neveu nièce`.split(/\s+/);
export const MANY_CHINESE =
  /会说|会讲|语言|姐|妹|兄|弟|儿子|女儿|孩子|宠物|[猫狗鸟鱼]|朋友|爱好|兴趣|过敏|去过|到过|喜欢|热爱|认识|学习|正在学|买了|养了|养着|会员|之一|也是|还是|还有|另外|同事|游览|参观/;

/** What has one value at a time, by its name. */
export const ATTRIBUTE_NOUNS = wordSet(
  `port phone telephone mobile number version deadline age boss manager supervisor lead owner maintainer dose dosage address colour color hint plan tariff
  subscription size rate rent price cost salary budget target goal quota status state phase stage name nickname title role job profession occupation employer diet
  email mail e-mail url host hostname domain region timezone zone birthday type code pin password passphrase key network language branch model provider doctor
  dentist vet landlord therapist teacher coach capital height weight temperature limit threshold timeout interval frequency retention duration location
  place room seat floor desk gate platform day date time hour schedule slot start end level grade rank score balance default theme font format
  engine database editor framework bank insurance insurer contact spouse wife husband partner fiancé fiancee residence home hometown headquarters office
  contract licence license nationality citizenship religion policy rule strategy priority severity leader chair president ceo cto captain
  telefonnummer handynummer nummer version frist abgabefrist alter chef chefin vorgesetzte dosis adresse anschrift farbe hinweis tarif handytarif
  größe schuhgröße miete preis gehalt ziel stand name titel rolle beruf ernährung passwort kennwort sprache anbieter arzt hausarzt hausärztin ärztin zahnarzt vermieter
  höhe gewicht temperatur grenze ort raum platz tag datum uhrzeit zeit zimmer besitzer eigentümer leiter leiterin mann frau partnerin wohnort büro
  téléphone numéro version échéance délai âge directeur directrice patron patronne responsable adresse couleur indice forfait abonnement pointure
  taille loyer prix salaire objectif statut état nom titre rôle métier régime courriel mot langue fournisseur médecin dentiste propriétaire
  hauteur poids température limite lieu salle place jour date heure code mari femme domicile bureau`,
);
/** Persons and rooms: an adjective says how they are, and not who or which one it is. German ones also end longer words. */
export const DESCRIBED_NOUNS = wordSet(
  `boss manager supervisor doctor dentist vet landlord therapist teacher coach spouse wife husband partner fiancé fiancee captain president leader
  room seat desk gate platform place home office residence hometown
  chef chefin vorgesetzte vorgesetzter arzt ärztin vermieter vermieterin trainer trainerin lehrer lehrerin leiter leiterin mann frau partnerin raum platz zimmer büro ort
  directeur directrice patron patronne médecin dentiste propriétaire mari femme bureau salle lieu domicile`,
);
/** Attributes whose values may read like places: `on hold`, `in progress`. */
export const STATUS_NOUNS = wordSet('status state phase stage condition stand zustand statut état stade');
export const ATTRIBUTE_CHINESE =
  /(?:端口|电话|手机|手机号|号码|版本|截止日期|期限|年龄|老板|上司|经理|领导|负责人|剂量|地址|颜色|提示|套餐|计划|尺码|鞋码|房租|租金|价格|工资|预算|目标|状态|名字|职位|职业|邮箱|密码|时间|日期|地点|位置|房间|座位|医生|房东|身高|体重|温度|上限|语言|框架|数据库)$/;

/** Verbs of which a subject has one object at a time, with their prepositions; the longest stand first. */
export const SINGLE_VERBS: readonly string[] =
  `lives in|lives at|lives on|live in|resides in|is based in|is located in|works at|works for|works as|works from|work at|work for|is employed at|is employed by|studies at|sleeps in|sleeps on|sits in|sits at
is called|is named|is married to|is engaged to|reports to|is led by|is owned by|is run by|is maintained by|costs|weighs|is written in|belongs to|is insured with|banks with|is headed by|commutes by
wohnt in|wohnt auf|lebt in|arbeitet bei|arbeitet als|arbeitet für|heißt|ist verheiratet mit|ist verlobt mit|berichtet an|gehört|kostet|wiegt|studiert an|schläft in|schläft im|sitzt in|sitzt im
habite à|habite au|habite en|habite|vit à|vit en|travaille chez|travaille pour|travaille comme|s'appelle|est marié à|est mariée à|est marié avec|est assuré chez|est assurée chez|est hébergé chez|est hébergée chez|coûte|pèse|appartient à|dort dans|dort au|dort à|se tient à|se tient au
vive en|trabaja en|trabaja para|trabaja como|se llama|cuesta|pesa|живёт в|живет в|работает в|работает на`.split(
    /[|\n]/,
  );
export const SINGLE_CHINESE =
  /(?:住在|住|担任|家在|在|名叫|姓|改名|就职于|任职于|供职于|嫁给|身高|体重|由|今年|现年|价格|每月|每天吃)$/;
/** What follows a place where something is: the end of its name, and what one does in one place at a time. */
export const SINGLE_AT_CHINESE =
  /^(?:.|.{0,3}(?:大学|学院|医院|公司|银行|集团|科技|[中小]学|[路街区市县省室楼层店厂所局村镇]))?(?:工作|上班|任职|办公|上学|读书|念书|就读|住|居住|生活|实习|[读上].{1,2}学)?$/;

/** Verbs that say how things are, and so what follows them may be a value. */
export const STATE_VERBS = wordSet(
  `is are costs weighs measures starts begins opens closes ends finishes expires meets runs listens takes gets earns pays has needs lasts leaves departs arrives
  lies stands hangs turned turns wears happen happens stored kept hosted deployed located based lives sits sleeps parked hidden works uses drives charges consumes
  ist sind beträgt kostet wiegt misst beginnt startet öffnet schließt endet läuft nimmt bekommt erhält hat braucht dauert trifft findet liegt liegen steht stehen hängt parkt verdient zahlt
  est sont coûte pèse mesure commence ouvre ferme finit expire tourne prend reçoit a dure se-trouve gagne paie faut`,
);
export const COPULAS = wordSet('is are ist sind est sont = : lautet');
export const PLACE_WORDS = wordSet(
  'in on at under behind beside near by im am auf unter hinter neben bei an beim dans sur à au sous chez en',
);
export const PAST_WORDS = wordSet(
  `was were had did went ran came took flew paid bought saw met read wrote got gave found lost won left made sent told ate drank drove spent held
  sold swam rode slept sang threw wore grew drew spoke taught thought lent fed fell felt heard
  war waren hatte hatten ging fuhr lief kam nahm kaufte zahlte fand gab trank aß schlief schrieb las sah flog traf
  était étaient avait fut`,
);

/** Whom one is the only one of: `Anneli leads the data team`. */
export const ROLE_VERBS = wordSet('leads owns heads runs manages chairs leitet führt besitzt dirige gère');

export const COLOURS = wordSet(
  `red blue green yellow black white grey gray brown orange purple pink silver golden beige turquoise teal navy maroon
  rot blau grün gelb schwarz weiß grau braun lila rosa silbern türkis anthrazit bordeaux
  rouge bleu bleue vert verte jaune noir noire blanc blanche gris grise brun marron violet rose`,
);
export const DAY_NAMES =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|sonnabends?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)$/;
export const MONTH_NAMES =
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december|januar|jänner|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre)$/;

/** What says nothing of what a statement is about. */
export const SMALL_WORDS = wordSet(
  `a an the this that his her hers their its my our your he she it they we i new current own just already again
  der die das den dem des ein eine einen einem einer eines sein seine seinen seiner ihr ihre ihren ihrer unser unsere er sie es neue neuer neues neuen schon bereits nun
  le la les l' un une des du de son sa ses leur leurs mon ma mes notre nos il elle nouveau nouvelle nouvel déjà d'`,
);
