import { HAN } from '../../language/scripts.js';

/** A matter of life of which one thing holds at a time, in whatever words: how it is told, and how another one begins. */
export interface Matter {
  readonly told: RegExp;
  readonly turn: RegExp;
}

const SINCE_NOW =
  '\\bfrom this (?:week|month|year)\\b|\\b(?:assigned|transferred) to\\b|^joined\\b|^got an?\\b|^(?:has|got) a new\\b|调到|\\bnow\\b|\\bthese days\\b|\\binstead\\b|\\bas of (?:this|today|last|next)\\b|\\bsince (?:this|last)\\b';

let matters: readonly Matter[] | undefined;

function allMatters(): readonly Matter[] {
  const matter = (told: string, turn: string): Matter => ({
    told: new RegExp(told, 'i'),
    turn: new RegExp(`${SINCE_NOW}|${turn}`, 'i'),
  });
  const FLAT = '(?:flat|house|apartment|room|home|place|studio)';
  const AUTO = '(?:car|van|truck|motorbike|motorcycle|bike|auto|wagen)';
  matters ??= [
    matter(
      `\\b(?:lives?|living|resides?|based|moved|relocated|settled)\\s(?:in|at|near|to|into|there)\\b|\\brents? (?:one|(?:an? )?(?:\\w+ )?${FLAT})\\b|\\b(?:has|have) (?:her|his|their|an?) (?:\\w+ )?${FLAT}\\b|[住搬][在到去进]|家在`,
      `\\bgave up (?:the|his|her|their|my) (?:old )?${FLAT}\\b|\\b(?:moved|relocated|settled)\\b.*\\b(?:to|in|into)\\s|\\bleft for\\b.*\\blives?\\b|搬[到去进至]|迁居`,
    ),
    matter(
      '\\bworks? (?:for|at)\\b|\\bjob (?:at|with|as)\\b|\\bemployed (?:at|by)\\b|\\b(?:hired by|joined|started at)\\b|工作|上班|就职|任职|跳槽|入职',
      '\\b(?:switched|started) (?:to a job )?at\\b|\\bnew job\\b|\\bhired by\\b|\\bchanged jobs\\b|跳槽|换(?:了)?工作|入职',
    ),
    matter(
      '\\b(?:head|lead|leader|director|manager|chief|chair|captain) of\\b|\\b(?:leads|heads|took over|in charge of|responsible for)\\b|负责|担任|主管|接手|升任',
      '\\b(?:took over|(?:was |is )?put in charge|promoted|appointed)\\b|接手|升任|改任|改由',
    ),
    matter(
      `\\bdrives an?\\b|\\b(?:has|got|bought|traded|sold)\\b[^,;.]{0,30}\\b${AUTO}\\b|\\bgot an? .{1,20}\\binstead\\b|一辆|开着|现在开`,
      `\\btraded\\b|\\b(?:sold|replaced) (?:the|his|her|their|my) (?:old )?${AUTO}\\b|换了一?辆|现在开`,
    ),
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
