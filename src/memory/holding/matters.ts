import { COMMON_HAN, HAN } from '../../language/scripts.js';

/** A matter of life of which one thing holds at a time, in whatever words: how it is told, and how another one begins. */
export interface Matter {
  readonly told: RegExp;
  readonly turn: RegExp;
  /** How another one begins, where the words are of this matter alone. */
  readonly own: RegExp | undefined;
  /** What is only stated so has come in the place of another, too. */
  readonly single: RegExp | undefined;
}

const SINCE_NOW = `\\bfrom (?:this|next) (?:week|month|year)\\b|\\bfrom now on\\b|\\b(?:assigned|transferred) to\\b|^joined\\b|^(?:has )?(?:got|took|dropped|swapped|switched|traded|signed)\\b|^(?:has|got) a new\\b|调到|\\bnow\\b|\\bthese days\\b|\\binstead\\b|\\b(?:as of|since)\\b|^new |taken over|^(?:left|quit|resigned)\\b.{0,40} and (?:\\w+ )?\\w+s\\b|\\b(?:was|been|got) (?:given|assigned|allotted|allocated|granted|offered|placed|put)\\b|\\band is (?:the|his|her|their)\\b|[转换改升调搬迁移跳降涨变][${COMMON_HAN}]{0,2}(?:到|至|成|为|入|由|给|用|住)|交[给由]|现[在居住任供由为是]|如今|已经|换成|换了|改[为由成用]|新|涨到|降到|erhöht|gesenkt|gestiegen|gesunken|reduziert|angehoben|\\b(?:jetzt|nun|inzwischen|seit diesem|désormais|maintenant)\\b`;

let matters: readonly Matter[] | undefined;

function allMatters(): readonly Matter[] {
  const matter = (told: string, turn: string, single?: RegExp): Matter => ({
    told: new RegExp(told, 'iu'),
    turn: new RegExp(turn === '' ? SINCE_NOW : `${SINCE_NOW}|${turn}`, 'i'),
    own: turn === '' ? undefined : new RegExp(turn, 'i'),
    single,
  });
  const FLAT = '(?:flat|house|apartment|room|home|place|studio)';
  const AUTO = '(?:car|van|truck|motorbike|motorcycle|bike|auto|wagen)';
  matters ??= [
    matter(
      `\\b(?:lives?|living|resides?|based|moved|relocated|settled|lodges|lodging|went to live)\\s(?:in|at|near|to|into|there|with)\\b|\\brents? (?:one|(?:an? )?(?:\\w+ )?${FLAT})\\b|\\b(?:has|have) (?:her|his|their|an?) (?:\\w+ )?${FLAT}\\b|\\b(?:has|for) rooms in\\b|\\bfound a place in\\b|\\b(?:calls?|called|made|makes) \\S+ (?:(?:her|his|their) )?home\\b|\\bis (?:her |his |their |where .{1,12} )?home\\b|\\bwent to \\S+ for good\\b|(?<!吃|借)住(?!院)[在到去进至]?|(?:^|全家|家|已经?|从.{1,8}|[年月日底初末天]|[要又刚]|,)[搬迁](?!家公司)(?:[到去进至往回]|家)|常驻|居|(?<!\\p{L})(?:wohnt|lebt (?:in|bei)|Wohnung in|habite|vit à|vive en|piso en|abita|vive a|mora em|woont|gezogen|déménagé|se mudó|si è trasferit[oa]|mudou-se|verhuisd)|живёт|переехал|住んで|引っ越し|住址|[改现]住|^住(?!院)|家在|[安落]家|安在|落户|定居|生活`,
      `\\bgave up (?:the|his|her|their|my) (?:old )?${FLAT}\\b|\\b(?:moved|relocated|settled)\\b.*\\b(?:to|in|into)\\s|\\bfound a place in\\b|\\bleft for\\b.*\\blives?\\b|\\bwent to live\\b|\\bfor good\\b|\\bhas made\\b|gezogen|déménagé|se mudó|si è trasferit[oa]|mudou-se|verhuisd|переехал|引っ越し|搬|迁|[安落]家|安在|落户|定居|转到`,
      /\b(?:lives?|moved|relocated|resides?|lodges|rents|home|rooms)\b.*\b(?:in|to|at|near) \p{Lu}|\bcalls \p{Lu}\S+ home\b|\p{Lu}\S+ is (?:where .{1,12} )?home\b/u,
    ),
    matter(
      '\\bworks? (?:for|at)\\b|\\bjob (?:at|with|as)\\b|\\bemployed (?:at|by)\\b|\\b(?:hired by|joined|started at)\\b|arbeitet (?:bei|für|als)|(?:hat|fängt) bei .{1,30} an(?:gefangen)?$|Stelle bei|travaille (?:chez|pour)|trabaja (?:en|para)|lavora (?:per|presso)|工作|上班|[就任供]职|跳槽|入职|在.{1,8}当.{0,4}[师员工生]',
      '\\b(?:switched|started) (?:to a job )?at\\b|\\bnew job\\b|\\bhired by\\b|\\bchanged jobs\\b|angefangen$|neue Stelle|跳槽|换(?:了)?工作|入职|去了?.{1,8}(?:上班|工作|任职)',
    ),
    matter(
      '\\b(?:head|lead|leader|director|manager|chief|chair|captain) of\\b|\\b(?:leads|heads|took over|in charge of|responsible for)\\b|负责|担任|主管|接手|升任',
      '\\b(?:took over|(?:was |is )?put in charge|promoted|appointed)\\b|接手|升任|改任|改由',
    ),
    matter(
      `\\bdrives an?\\b|\\brides an? |\\b(?:has|got|bought|traded|swapped|sold)\\b[^,;.]{0,30}\\b${AUTO}\\b|^(?:the |his |her |their |my )?${AUTO} is an?\\b|\\bgot an? .{1,20}\\binstead\\b|一辆|开着|现在开|开的是|座驾|新车`,
      `\\btraded\\b|\\b(?:sold|replaced) (?:the|his|her|their|my) (?:old )?${AUTO}\\b|换了一?辆|现在开`,
    ),
    matter(
      '\\b(?:earns?|salary|wages?|pay is|paid .{1,20} a (?:month|year))\\b|\\ba raise\\b|工资|月薪|薪水|verdient|Gehalt|gagne',
      '\\braise\\b|涨',
      /./,
    ),
    matter('\\bthe rent\\b|\\bof rent\\b|房租|租金|Miete|loyer', '涨|降', /./),
    matter('\\bbanks? (?:with|at)\\b|\\baccount (?:is )?(?:with|at|to)\\b|开户|Konto bei|compte (?:chez|à)', '', /./),
    matter('\\b(?:studies|studying|majors in|enrolled in)\\b|主修|攻读|studiert', ''),
    matter('\\b(?:coach|trainer|trains with|trains under)\\b|教练|Trainer', ''),
    matter('\\b(?:mentor|supervisor|tutor)\\b|导师|跟着.{1,8}(?:研究|读博|实习)', ''),
    matter('\\b(?:landlord|landlady|rents from)\\b|房东|Vermieter|logeuse', '', /./),
    matter(
      '\\b(?:flat|room|house)mate\\b|\\bshares the (?:flat|house|apartment)\\b|\\bthe .{0,12}\\broom$|室友|合租|Mitbewohner',
      '\\b(?:took|moved into) the .{0,12}\\broom$',
    ),
    matter(
      '\\bplays for\\b|\\bon the team of\\b|\\b(?:signed|transferred|moved) (?:with|for|to)\\b|效力于|加盟|spielt (?:bei|für)',
      '\\b(?:signed|transferred)\\b|加盟',
      /\b(?:plays|signed|transferred) (?:for|with|to) |on the team of /,
    ),
    matter(
      '\\b(?:year|grade|class|form|Klasse) \\d|\\b(?:in|en) (?:der |die |the )?\\d{1,2}[a-e]\\b|年级',
      '\\b(?:went|moved) up\\b|升',
      /./,
    ),
    matter('\\b(?:insured (?:with|by|at)|insurer)\\b|versichert (?:bei|über)|assurée? (?:chez|par)', '', /./),
    matter('\\b(?:family doctor|GP|check-ups)\\b|家庭医生|Haus[aä]rzt', ''),
  ];
  return matters;
}

/** The matters that a statement tells of. */
export function mattersOf(text: string): readonly Matter[] {
  return allMatters().filter(({ told }) => told.test(text));
}

/** Whether a statement tells of a turn in a matter: what it says holds since, and nothing of before. */
export function tellsOfTurn(text: string): boolean {
  return allMatters().some(({ turn }) => turn.test(text));
}

/** Whether a statement may end an earlier one as it is: it tells of what is one at a time. */
export function tellsOfOne(text: string): boolean {
  return allMatters().some(({ told, single }) => single?.test(text) === true && told.test(text));
}

const NAMED_NOUN = new RegExp(
  [
    "\\b(?:the|a|an) (?<value>\\p{Lu}[\\p{L}\\p{N}'-]*|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|ground|top|\\d+(?:st|nd|rd|th)?) (?<noun>\\p{Ll}{3,})\\b",
    '\\b(?:the|an?|his|her|their|my|our) (?:new )?(?<name>\\p{Ll}{3,})(?:,| is| called| named)? (?<own>(?:Dr|Mr|Mrs|Ms|Prof)\\. \\p{Lu}\\p{L}+|\\p{Lu}\\p{L}+)',
    `(?<han>[${HAN}]{2,3})(?<kind>项目|医生|部门|小组|公司)`,
  ].join('|'),
  'gu',
);

/** Nouns that a name or a number stands beside, each with it: `the Falcon project`, `the dentist is Dr. Ott`, 北斗项目. */
export function namedNouns(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(NAMED_NOUN)].map(({ groups: { value, noun, name, own, han, kind } = {} }): [string, string] => [
      noun ?? name ?? kind ?? '',
      value ?? own ?? han ?? '',
    ]),
  );
}
