/** How people write down a state of somebody. `{…}` stands for a value or a day. */
export interface PageWordings {
  /** Single values: how one is stated, and how a change of it is reported. */
  readonly attributes: readonly {
    readonly states: readonly string[];
    readonly changes: readonly string[];
    readonly values: readonly string[];
  }[];
  /** Valid from one written day to another. */
  readonly stays: readonly string[];
  /** Temporary by nature. */
  readonly passing: readonly string[];
  /** Planned for one future day. */
  readonly plans: readonly string[];
  /** Past events. */
  readonly events: readonly string[];
  /** Permanent states. */
  readonly lasting: readonly string[];
  /** Two permanent states and a value of the first attribute, in one fact. */
  readonly compounds: readonly { readonly text: string; readonly parts: readonly [string, string, string] }[];
  /** About somebody, mentioning another person. */
  readonly mentions: readonly string[];
}

const ENGLISH: PageWordings = {
  attributes: [
    {
      states: ['lives in {}'],
      changes: ['moved to {}', 'has moved to {}'],
      values: ['Graz', 'Linz', 'Porto', 'Oslo', 'Bern'],
    },
    {
      states: ['the manager is {}', 'reports to {}'],
      changes: ['the manager is now {}', 'reports to {} now'],
      values: ['Dan', 'Cleo', 'Mira', 'Jonas'],
    },
    {
      states: ['runs on version {}'],
      changes: ['was updated to version {}', 'runs on version {} now'],
      values: ['6.2', '7.0', '7.4', '8.1'],
    },
  ],
  stays: ['Currently in {} ({from} – {to})', 'in {} from {from} to {to}', 'works from {} until {to}'],
  passing: [
    'in bed with the flu',
    'has a bad cold',
    'is in a foul mood',
    'for now without a laptop',
    'is about to run out of patience',
  ],
  plans: ['dentist on {to}', 'will give a talk on {to}', 'has a check-up on {to}', 'speaks at the meetup on {to}'],
  events: [
    'ran ten kilometres',
    'met the auditors',
    'lost the keys of the van',
    'finished the report',
    'ate with the neighbours',
  ],
  lasting: [
    'is allergic to walnuts',
    'speaks Estonian',
    'plays the cello',
    'never works on Sundays',
    'has two sisters',
  ],
  compounds: [
    {
      text: 'has a dog and lives in {}; drives a green van',
      parts: ['has a dog', 'lives in {}', 'drives a green van'],
    },
    {
      text: 'Founder of the bakery, lives in {}; keeps bees',
      parts: ['Founder of the bakery', 'lives in {}', 'keeps bees'],
    },
  ],
  mentions: ['on leave from {from} to {to}; @{other} stands in', 'shares the office with @{other}'],
};

const CHINESE: PageWordings = {
  attributes: [
    { states: ['住在{}'], changes: ['搬到{}了', '从上个月起住在{}'], values: ['上海', '杭州', '成都', '厦门'] },
    { states: ['由{}负责'], changes: ['改由{}负责'], values: ['小谢', '老郑', '阿敏'] },
  ],
  stays: ['目前在{}({from}到{to})', '{from}到{to}在{}出差'],
  passing: ['感冒了', '这几天心情不好', '发烧在家休息'],
  plans: ['{to}去体检', '打算{to}去拜访客户'],
  events: ['跑了十公里', '完成了报告', '买了一辆自行车'],
  lasting: ['对花生过敏', '会说法语', '有两个妹妹'],
  compounds: [{ text: '住在{};养了一只猫;会修电脑', parts: ['养了一只猫', '住在{}', '会修电脑'] }],
  mentions: ['{from}到{to}休假,@{other} 代班'],
};

/** Read once the rules existed; some of the rules come from it. */
const OTHERS: PageWordings = {
  attributes: [
    {
      states: ['rents a flat in {}', 'has her home in {}'],
      changes: ['relocated to {}', 'gave up the old flat and rents one in {}'],
      values: ['Dover', 'Turin', 'Basel', 'Lyon'],
    },
    {
      states: ['takes {} mg of the tablets a day', 'the dose is {} mg'],
      changes: ['takes {} mg of the tablets a day now', 'the dose was raised to {} mg'],
      values: ['20', '30', '40', '60'],
    },
  ],
  stays: ['away in {} until {to}', 'spends {from} to {to} in {}', 'visiting {} ({from} to {to})'],
  passing: ['down with a stomach bug', 'limping after the match', 'swamped this week', 'cannot speak, sore throat'],
  plans: ['hands in the thesis on {to}', 'flies out on {to}', 'appointment at the bank on {to}'],
  events: ['repaired the fence', 'won the raffle', 'dropped the camera', 'sold the old piano', 'called the landlord'],
  lasting: ['left-handed', 'sings in the choir', 'cannot stand cucumbers', 'knows the code of the safe'],
  compounds: [
    {
      text: 'owns a boat, rents a flat in {}; collects stamps',
      parts: ['owns a boat', 'rents a flat in {}', 'collects stamps'],
    },
  ],
  mentions: ['looks after the dog of @{other}', 'off from {from} to {to}, @{other} covers'],
};

/** Written before the first look at its results; BENCHMARKS.md has its first figures. Some rules come from it. */
const STRANGERS: PageWordings = {
  attributes: [
    {
      states: ['works for {}', 'has a job at {}'],
      changes: ['works for {} now', 'switched to a job at {}', 'started at {}'],
      values: ['Siemens', 'Lufthansa', 'the city library', 'Ikea'],
    },
    {
      states: ['the rent is {} euros', 'pays {} euros of rent'],
      changes: ['the rent went up to {} euros', 'the rent is {} euros now', 'pays {} euros of rent since this month'],
      values: ['640', '690', '750', '810'],
    },
    {
      states: ['keeps the spare key at {}'],
      changes: ['keeps the spare key at {} instead', 'the spare key is at {} now'],
      values: ["the neighbour's", 'the bakery', "her mother's"],
    },
  ],
  stays: [
    'staying with friends in {} until {to}',
    'at a fair in {}, {from} to {to}',
    'has gone to {} ({from} to {to})',
  ],
  passing: [
    'dizzy since breakfast',
    'on crutches',
    'cheerful again',
    'snowed in up at the hut',
    'not sleeping well these days',
  ],
  plans: [
    'exam on {to}',
    'picks up the new car on {to}',
    'wedding of a cousin on {to}',
    'is going to paint the hall on {to}',
  ],
  events: [
    'baked a cake',
    'fixed the tap',
    'went to the opera',
    'got a parking ticket',
    'planted three trees',
    'beat everybody at chess',
  ],
  lasting: [
    'colour-blind',
    'grew up on a farm',
    'keeps a diary',
    'must not eat gluten',
    'swims every morning',
    'is the youngest of four',
  ],
  compounds: [
    {
      text: 'plays the tuba, works for {}; afraid of spiders',
      parts: ['plays the tuba', 'works for {}', 'afraid of spiders'],
    },
  ],
  mentions: ['lent the ladder to @{other}', 'at a spa from {from} to {to}, @{other} has the keys'],
};

export const TUNED: readonly PageWordings[] = [ENGLISH, CHINESE];
export const SEEN: readonly PageWordings[] = [OTHERS];
export const UNSEEN: readonly PageWordings[] = [STRANGERS];
