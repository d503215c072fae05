import type { PageWordings } from './half-year-wordings.js';

/** Each was written before the first look at its results; BENCHMARKS.md has its first and current figures. */
const FIRST_ENGLISH: PageWordings = {
  attributes: [
    {
      states: ['lodges with an aunt in {}', '{} is where she calls home'],
      changes: ['packed up and went to live in {}', '{} is home now', 'has found a place in {} and settled there'],
      values: ['Leeds', 'Ghent', 'Trieste', 'Cork'],
    },
    {
      states: ['banks with {}', 'her account is with {}'],
      changes: ['took her account to {}', 'banks with {} from now on'],
      values: ['Barclays', 'Monzo', 'Triodos'],
    },
    {
      states: ['sits at desk {}', 'the desk number is {}'],
      changes: ['sits at desk {} now', 'got desk {} in the reshuffle'],
      values: ['14', '22', '31', '8'],
    },
    {
      states: ['trains with coach {}', 'coach {} looks after the training'],
      changes: ['coach {} has taken over the training', 'trains with coach {} these days'],
      values: ['Abena', 'Hollis', 'Ferreira'],
    },
  ],
  stays: [
    'house-sitting in {} until {to}',
    'on a course in {} from {from} to {to}',
    'out in {} for work ({from} – {to})',
  ],
  passing: [
    'has a splitting headache',
    'hobbling around with a twisted ankle',
    'in high spirits',
    'fed up with the builders',
    'has lost her voice',
    'snowed under with invoices',
  ],
  plans: [
    'the surgeon operates on {to}',
    'driving test on {to}',
    'moves the boat into the water on {to}',
    'hosts the quiz on {to}',
    'is off to the dentist on {to}',
  ],
  events: [
    'tripped over the hose',
    'cleared out the attic',
    'bumped into an old schoolmate',
    'handed the keys to the caretaker',
    'wrote to the council',
    'burnt the lasagne',
    'had lunch with the twins',
  ],
  lasting: [
    'wears hearing aids',
    'is a twin',
    'fluent in Welsh',
    'hates coriander',
    'has a degree in botany',
    'votes in every election',
    'knits',
  ],
  compounds: [
    {
      text: 'a keen birdwatcher; lodges with an aunt in {}; takes no sugar',
      parts: ['a keen birdwatcher', 'lodges with an aunt in {}', 'takes no sugar'],
    },
  ],
  mentions: ['on jury duty from {from} to {to}; @{other} feeds the cat', 'went to school with @{other}'],
};

const FIRST_CHINESE: PageWordings = {
  attributes: [
    { states: ['家住{}', '现居{}'], changes: ['全家迁往{}', '已经在{}安家'], values: ['南京', '青岛', '昆明'] },
    { states: ['在{}当工程师', '供职于{}'], changes: ['去了{}上班', '现供职于{}'], values: ['华为', '字节', '小米'] },
    { states: ['房租每月{}元'], changes: ['房租涨到每月{}元', '房租现在是每月{}元'], values: ['3200', '3600', '4100'] },
  ],
  stays: ['{from}至{to}在{}培训', '人在{},待到{to}'],
  passing: ['牙疼得厉害', '这阵子很忙', '脚崴了,走路不便', '没什么精神'],
  plans: ['{to}参加驾照考试', '{to}要做手术', '{to}飞往成都'],
  events: ['修好了水管', '摔了一跤', '给房东打了电话', '把旧沙发卖了', '吃了顿火锅'],
  lasting: ['左撇子', '不吃香菜', '是独生子', '会拉二胡', '每天晨跑'],
  compounds: [{ text: '现居{};喜欢钓鱼;有驾照', parts: ['喜欢钓鱼', '现居{}', '有驾照'] }],
  mentions: ['{from}至{to}陪产,由@{other} 顶班', '和@{other} 是大学同学'],
};

const SECOND_ENGLISH: PageWordings = {
  attributes: [
    {
      states: ['calls {} home', 'has rooms in {}'],
      changes: ['traded the old place for rooms in {}', 'has made {} home', 'went to {} for good'],
      values: ['Utrecht', 'Derby', 'Bologna', 'Aarhus'],
    },
    {
      states: ['earns {} a month', 'the salary is {} a month'],
      changes: ['got a raise to {} a month', 'earns {} a month as of this month'],
      values: ['2900', '3100', '3450'],
    },
    {
      states: ['the family doctor is Dr. {}', 'goes to Dr. {} for check-ups'],
      changes: ['Dr. {} is the family doctor now', 'goes to Dr. {} for check-ups these days'],
      values: ['Weiss', 'Okafor', 'Lindqvist'],
    },
    {
      states: ['rides a {}', 'her bike is a {}'],
      changes: ['swapped the bike for a {}', 'rides a {} now'],
      values: ['Brompton', 'Cube', 'Gazelle'],
    },
    {
      states: ['studies {}'],
      changes: ['dropped that and studies {}', 'studies {} instead'],
      values: ['law', 'geology', 'Latin'],
    },
  ],
  stays: [
    'at her sister’s in {} till {to}',
    'from {from} to {to} on exchange in {}',
    'camping near {} ({from} – {to})',
  ],
  passing: [
    'has the sniffles',
    'arm in a sling',
    'itching all over',
    'on edge before the audit',
    'wrapped up in the tax return',
    'over the moon about the result',
  ],
  plans: [
    'has tickets for the ballet on {to}',
    'the removal van comes on {to}',
    'retires on {to}',
    'interview at the museum on {to}',
    'meets the notary on {to}',
  ],
  events: [
    'tore a muscle',
    'mended the gate',
    'paid off the loan',
    'argued with the plumber',
    'came third in the regatta',
    'cooked for twenty',
    'forgot the umbrella on the tram',
    'backed into a bollard',
  ],
  lasting: [
    'is tone-deaf',
    'has a pilot’s licence',
    'does not eat meat',
    'raised by grandparents',
    'goes sailing on Saturdays',
    'can touch-type',
    'an early riser',
    'the eldest of five',
  ],
  compounds: [
    {
      text: 'mother of twins, calls {} home; good with horses',
      parts: ['mother of twins', 'calls {} home', 'good with horses'],
    },
  ],
  mentions: ['walking in the Alps {from} to {to}, @{other} waters the plants', 'married to a cousin of @{other}'],
};

const SECOND_CHINESE: PageWordings = {
  attributes: [
    { states: ['租住在{}', '落户{}'], changes: ['把家安在了{}', '转到{}生活'], values: ['苏州', '大连', '西安'] },
    {
      states: ['导师是{}', '跟着{}做研究'],
      changes: ['导师换成{}', '现在跟着{}做研究'],
      values: ['周老师', '林教授', '韩博士'],
    },
    { states: ['开的是{}', '座驾是{}'], changes: ['新车是{}', '座驾换成了{}'], values: ['比亚迪', '特斯拉', '大众'] },
  ],
  stays: ['{from}到{to}住院观察', '回{}探亲,{to}返程'],
  passing: ['鼻子不通气', '情绪低落', '熬夜赶稿中', '手上打着石膏'],
  plans: ['{to}举行婚礼', '{to}交房', '{to}有个面试'],
  events: ['丢了钱包', '跑完了半程马拉松', '和邻居吵了一架', '给车换了轮胎', '看了场话剧'],
  lasting: ['色盲', '怕狗', '有两个孩子', '不喝酒', '写得一手好字'],
  compounds: [{ text: '租住在{};懂日语;爱下围棋', parts: ['懂日语', '租住在{}', '爱下围棋'] }],
  mentions: ['{from}到{to}外出考察,@{other} 代管', '跟@{other} 合租'],
};

const THIRD_ENGLISH: PageWordings = {
  attributes: [
    {
      states: ['the address is {} Mill Road', 'lives at {} Mill Road'],
      changes: ['new address: {} Mill Road', 'the address is {} Mill Road now'],
      values: ['12', '48', '97'],
    },
    {
      states: ['plays for {}', 'is on the team of {}'],
      changes: ['signed with {}', 'plays for {} since the transfer'],
      values: ['Ajax', 'Hearts', 'Genoa'],
    },
    {
      states: ['the landlady is Mrs. {}', 'rents from Mrs. {}'],
      changes: ['the landlady is Mrs. {} now', 'Mrs. {} bought the house and is the landlady'],
      values: ['Novak', 'Dietz', 'Haddad'],
    },
    {
      states: ['gets {} hours of help a week', 'the helper comes for {} hours a week'],
      changes: ['gets {} hours of help a week from this month', 'the help was cut to {} hours a week'],
      values: ['12', '8', '5'],
    },
    {
      states: ['teaches at {}'],
      changes: ['teaches at {} now', 'left and teaches at {}', 'was hired by {} to teach'],
      values: ['Elmwood', 'Northgate', 'St. Brigid'],
    },
  ],
  stays: [
    'on a retreat in {} until {to}',
    'guest at a farm near {} from {from} to {to}',
    'in {} for the trade show, {from} – {to}',
  ],
  passing: [
    'has pink eye',
    'short of breath after the flu',
    'her back is playing up',
    'in a sulk',
    'buried in exam papers',
    'looking forward to the weekend',
  ],
  plans: [
    'the scaffolding goes up on {to}',
    'gets the cast off on {to}',
    'concert on {to}',
    'sees the lawyer on {to}',
    'plans to hike the ridge on {to}',
  ],
  events: [
    'spilt coffee on the keyboard',
    'hung the new curtains',
    'missed the last bus',
    'thanked the nurses',
    'bit into a stone',
    'caught a pike',
    'returned the drill',
    'quarrelled over the fence',
  ],
  lasting: [
    'has perfect pitch',
    'is a widow',
    'cannot swim',
    'reads the paper at breakfast',
    'godmother of Ellis',
    'born in 1961',
    'always sits by the window',
  ],
  compounds: [
    {
      text: 'collects maps; lives at {} Mill Road, has a glass eye',
      parts: ['collects maps', 'lives at {} Mill Road', 'has a glass eye'],
    },
  ],
  mentions: ['on night shifts from {from} to {to}, @{other} walks the dog', 'sings duets with @{other}'],
};

const THIRD_CHINESE: PageWordings = {
  attributes: [
    { states: ['住址是{}', '住{}'], changes: ['新住址是{}', '改住{}'], values: ['和平路', '解放街', '人民路'] },
    {
      states: ['教练是{}', '由{}带训练'],
      changes: ['教练现在是{}', '训练交给{}带'],
      values: ['孙教练', '马教练', '何教练'],
    },
    { states: ['用{}记账'], changes: ['改用{}记账', '记账换成{}'], values: ['随手记', '表格', '挖财'] },
  ],
  stays: ['在{}疗养至{to}', '{from}到{to}在{}参展'],
  passing: ['头晕眼花', '嘴里起泡', '正忙着搬家', '心里烦'],
  plans: ['{to}拆石膏', '{to}带孩子打疫苗', '{to}上台演出'],
  events: ['烧糊了菜', '换了灯泡', '钓到一条大鱼', '误了末班车', '收拾了阁楼'],
  lasting: ['属虎', '听力不好', '从不迟到', '会游泳', '是素食者'],
  compounds: [{ text: '住{};爱养花;有高血压', parts: ['爱养花', '住{}', '有高血压'] }],
  mentions: ['{from}到{to}值夜班,@{other} 帮忙遛狗', '跟@{other} 一起练琴'],
};

const FOURTH_ENGLISH: PageWordings = {
  attributes: [
    {
      states: ['gets the vegetables from {}', '{} delivers the vegetables'],
      changes: ['{} delivers the vegetables from now on', 'changed over to {} for the vegetables'],
      values: ['Riverford', 'Abel & Cole', 'Oddbox'],
    },
    {
      states: ['practises {} minutes a day', 'sets aside {} minutes a day for the violin'],
      changes: ['upped the practice to {} minutes a day', 'practises {} minutes a day since the exam'],
      values: ['20', '35', '50'],
    },
    {
      states: ['the flatmate is {}', 'shares the flat with {}'],
      changes: ['{} took the second room', 'shares the flat with {} since the summer'],
      values: ['Milo', 'Katja', 'Rohan'],
    },
    {
      states: ['is in year {}', 'goes to class {}'],
      changes: ['went up into class {}', 'is in year {} as of this term'],
      values: ['7', '8', '9'],
    },
    {
      states: ['the password manager is {}', 'stores the passwords in {}'],
      changes: ['the passwords went into {}', 'stores the passwords in {} these days'],
      values: ['KeePass', 'Bitwarden', 'Proton Pass'],
    },
    {
      states: ['mass is at the church of {}', 'sings at {}'],
      changes: ['sings at {} these days', 'the choir was merged into {}'],
      values: ['St. Anne', 'Holy Cross'],
    },
  ],
  stays: [
    'pet-sitting in {} through {to}',
    'gone to {} for the harvest, {from} – {to}',
    'quartered in {} from {from} to {to}',
  ],
  passing: [
    'has hay fever',
    'sneezes all day',
    'jumpy about the results',
    'knee swollen like a melon',
    'up to her neck in moving boxes',
    'in mourning for the cat',
    'hardly eating',
  ],
  plans: [
    'the baby is due on {to}',
    'collects the passport on {to}',
    'vaccination on {to}',
    'starts the new job on {to}',
    'has to be in court on {to}',
  ],
  events: [
    'slipped on the ice',
    'swept the chimney',
    'sent the parcel back',
    'ran into the vicar',
    'has mended the kettle',
    'sewed a costume',
    'got stung by a wasp',
    'the dog ate the slippers',
  ],
  lasting: [
    'has freckles',
    'is deaf in one ear',
    'good at sums',
    'from a family of fishermen',
    'never learned to drive',
    'smokes a pipe',
    'takes part in the carnival every year',
    'a Quaker',
  ],
  compounds: [
    {
      text: 'scared of lifts, gets the vegetables from {}; writes poems',
      parts: ['scared of lifts', 'gets the vegetables from {}', 'writes poems'],
    },
  ],
  mentions: ['on a pilgrimage from {from} to {to}, @{other} has the dog', 'plays bridge with @{other}'],
};

const FOURTH_CHINESE: PageWordings = {
  attributes: [
    {
      states: ['在{}办的宽带', '宽带是{}的'],
      changes: ['宽带换成{}的', '宽带转到{}了'],
      values: ['电信', '移动', '联通'],
    },
    { states: ['体重{}公斤', '称重{}公斤'], changes: ['体重降到{}公斤', '现在体重{}公斤'], values: ['82', '78', '74'] },
    { states: ['孩子在{}上学'], changes: ['孩子转学到{}', '孩子现在在{}上学'], values: ['一小', '实验小学', '育才'] },
  ],
  stays: ['{from}起在{}挂职,{to}结束', '在{}陪护母亲直到{to}'],
  passing: ['失眠', '胃不舒服', '赶项目赶得焦头烂额', '高兴得不得了'],
  plans: ['{to}搬家公司上门', '{to}开庭', '{to}领证'],
  events: ['写完了论文', '打翻了墨水', '拜访了老师', '把钥匙弄丢了', '赢了一盘棋'],
  lasting: ['祖籍山东', '戴眼镜', '信佛', '字写得漂亮', '家里排行老二'],
  compounds: [{ text: '喜欢登山;宽带是{}的;有哮喘', parts: ['喜欢登山', '宽带是{}的', '有哮喘'] }],
  mentions: ['{from}到{to}封闭集训,@{other} 替班', '和@{other} 拼车'],
};

export const FIRST_FRESH: readonly PageWordings[] = [FIRST_ENGLISH, FIRST_CHINESE];
export const SECOND_FRESH: readonly PageWordings[] = [SECOND_ENGLISH, SECOND_CHINESE];
export const THIRD_FRESH: readonly PageWordings[] = [THIRD_ENGLISH, THIRD_CHINESE];
export const FOURTH_FRESH: readonly PageWordings[] = [FOURTH_ENGLISH, FOURTH_CHINESE];
