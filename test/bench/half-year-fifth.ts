import type { PageWordings } from './half-year-wordings.js';

/**
 * Written after the rules from the third and fourth file and before the first look at its results; no rule comes from it.
 */
const FIFTH_ENGLISH: PageWordings = {
  attributes: [
    {
      states: ['keeps the boat at {}', 'the boat is moored in {}'],
      changes: ['the boat is moored in {} now', 'took the boat over to {}', 'found a berth in {}'],
      values: ['Fowey', 'Salcombe', 'Dartmouth'],
    },
    {
      states: ['takes piano lessons from {}', 'the piano teacher is {}'],
      changes: [
        'takes piano lessons from {} since Easter',
        '{} is the piano teacher now',
        'went on to {} for piano lessons',
      ],
      values: ['Mr. Abel', 'Ms. Costa', 'Mr. Lund'],
    },
    {
      states: ['sees clients {} days a week', 'is in the practice {} days a week'],
      changes: ['cut down to {} days a week', 'sees clients {} days a week from this month'],
      values: ['5', '4', '3'],
    },
    {
      states: ['the car is parked on level {}', 'has a parking space on level {}'],
      changes: ['the parking space is on level {} now', 'was given a parking space on level {}'],
      values: ['2', '4', '1'],
    },
    {
      states: ['chairs the {} committee'],
      changes: ['chairs the {} committee instead', 'handed that over and chairs the {} committee'],
      values: ['Garden', 'Finance', 'Heritage'],
    },
    {
      states: ['phones with {}', 'has a contract with {}'],
      changes: ['took out a contract with {}', 'phones with {} these days'],
      values: ['Vodafone', 'Giffgaff', 'Lebara'],
    },
  ],
  stays: [
    'minding the shop in {} until {to}',
    'in hospital in {}, {from} to {to}',
    'lent to the branch in {} from {from} until {to}',
    'off to {}, back on {to}',
  ],
  passing: [
    'has a stiff neck',
    'laid up with lumbago',
    'cross with the neighbours',
    'on antibiotics',
    'run off her feet at work',
    'in the middle of the tax audit',
    'feeling a bit low',
  ],
  plans: [
    'the boiler gets serviced on {to}',
    'sits the theory test on {to}',
    'sings at the town hall on {to}',
    'the in-laws arrive on {to}',
    'has an eye test on {to}',
  ],
  events: [
    'patched the roof',
    'won at darts',
    'left the oven on',
    'drove into a ditch',
    'lent the tent to a friend',
    'pulled a tooth',
    'took the cat to be weighed',
    'had words with the postman',
    'found a purse in the park',
  ],
  lasting: [
    'bites his nails',
    'is left-footed',
    'a vicar’s daughter',
    'good with engines',
    'cannot whistle',
    'collects fossils',
    'keeps kosher',
    'has a scar on the chin',
    'an only child',
  ],
  compounds: [
    {
      text: 'snores; keeps the boat at {}, a fan of jazz',
      parts: ['snores', 'keeps the boat at {}', 'a fan of jazz'],
    },
  ],
  mentions: ['on a cruise from {from} to {to}, @{other} has the cat', 'went through training with @{other}'],
};

const FIFTH_CHINESE: PageWordings = {
  attributes: [
    {
      states: ['工位在{}', '坐在{}办公'],
      changes: ['工位挪到{}', '现在坐在{}办公'],
      values: ['三楼东侧', '五楼西侧', '一楼大厅'],
    },
    { states: ['月供{}元'], changes: ['月供降到{}元', '月供变成{}元'], values: ['5200', '4900', '4600'] },
    {
      states: ['主治医生是{}', '在{}那里复诊'],
      changes: ['主治医生换成了{}', '转给{}复诊'],
      values: ['冯大夫', '邓大夫', '曹大夫'],
    },
    {
      states: ['通勤坐{}', '每天坐{}上下班'],
      changes: ['通勤改坐{}', '现在坐{}上下班'],
      values: ['地铁', '班车', '轮渡'],
    },
  ],
  stays: ['{from}到{to}在{}集训', '在{}照顾老人,{to}回来', '{to}之前都在{}'],
  passing: ['咽喉发炎', '腰扭了', '有点上火', '被装修折腾得够呛', '胃口不好'],
  plans: ['{to}复查', '{to}办护照', '{to}和客户签约', '{to}孩子家长会'],
  events: ['摘了一筐杨梅', '打碎了花瓶', '给阳台刷了漆', '和同事吃了火锅', '捡到一只手套', '参观了博物馆'],
  lasting: ['怕坐飞机', '单眼皮', '酒精过敏', '写毛笔字', '家里有三姐妹', '从不吃夜宵'],
  compounds: [{ text: '会做木工;工位在{};不能吃海鲜', parts: ['会做木工', '工位在{}', '不能吃海鲜'] }],
  mentions: ['{from}到{to}休年假,@{other} 代管仓库', '和@{other} 是老乡'],
};

const FIFTH_GERMAN: PageWordings = {
  attributes: [
    {
      states: ['wohnt zur Miete in {}', 'hat eine Wohnung in {}'],
      changes: ['ist nach {} gezogen', 'wohnt jetzt in {}'],
      values: ['Erfurt', 'Passau', 'Husum'],
    },
    {
      states: ['der Hausarzt ist {}', 'geht zu {} in die Praxis'],
      changes: ['der Hausarzt ist jetzt {}', 'hat zu {} gewechselt'],
      values: ['Dr. Brandt', 'Dr. Yilmaz', 'Dr. Kern'],
    },
    {
      states: ['zahlt {} Euro für den Hort', 'der Hort kostet {} Euro'],
      changes: ['der Hort kostet jetzt {} Euro', 'zahlt seit diesem Monat {} Euro für den Hort'],
      values: ['120', '145', '170'],
    },
  ],
  stays: ['vom {from} bis {to} in {}', 'bis {to} zur Kur in {}', 'auf Montage in {} bis {to}'],
  passing: ['hat Halsschmerzen', 'liegt mit Grippe flach', 'ist schlecht gelaunt', 'steckt im Umzugsstress'],
  plans: ['Elternabend am {to}', 'wird am {to} operiert', 'fährt am {to} zur Messe'],
  events: [
    'hat den Keller aufgeräumt',
    'backte einen Kuchen',
    'ist vom Rad gefallen',
    'traf einen alten Freund',
    'hat das Fahrrad geflickt',
  ],
  lasting: ['ist Linkshänderin', 'spricht Polnisch', 'hat zwei Söhne', 'singt im Chor', 'verträgt keine Milch'],
  compounds: [
    {
      text: 'liebt Krimis; wohnt zur Miete in {}; hat einen Hund',
      parts: ['liebt Krimis', 'wohnt zur Miete in {}', 'hat einen Hund'],
    },
  ],
  mentions: ['vom {from} bis {to} im Urlaub, @{other} gießt die Blumen', 'teilt sich das Büro mit @{other}'],
};

export const FIFTH_FRESH: readonly PageWordings[] = [FIFTH_ENGLISH, FIFTH_CHINESE];
export const FIFTH_IN_GERMAN: readonly PageWordings[] = [FIFTH_GERMAN];
