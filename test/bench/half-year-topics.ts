/** One value of an attribute in the words of people. */
export interface Wordings {
  /** As in a careful note. */
  readonly plain: string;
  /** The same in other ways: reported, implied, colloquial. */
  readonly varied: readonly [string, ...string[]];
}

/** The possible values of one attribute; the page of opinions starts with the first. */
export interface Topic {
  readonly entity: string;
  /** Opinions are taste or judgement, world facts can be looked up. */
  readonly kind: 'O' | 'W';
  readonly values: readonly [Wordings, Wordings, ...Wordings[]];
}

function value(plain: string, first: string, ...varied: readonly string[]): Wordings {
  return { plain, varied: [first, ...varied] };
}

function topic(entity: string, kind: 'O' | 'W', ...values: Topic['values']): Topic {
  return { entity, kind, values };
}

/** Thirty attributes: another value, a negation, an antonym, in English and Chinese. Every wording occurs once. */
export const TOPICS: readonly Topic[] = [
  topic(
    'Peter',
    'O',
    value('prefers tabs over spaces', 'set every editor to tabs again', 'would rather indent with tabs'),
    value('prefers spaces over tabs', 'gave up on tabs and indents with spaces now', 'asked for spaces in all repos'),
  ),
  topic(
    'Peter',
    'O',
    value('likes short replies on WhatsApp', 'thanked me for keeping the WhatsApp answer to two lines'),
    value(
      'does not like short replies on WhatsApp',
      'complained that the WhatsApp answers are too terse',
      'wants the whole story on WhatsApp',
    ),
  ),
  topic(
    'Peter',
    'O',
    value('drinks coffee in the morning', 'had his usual espresso before stand-up'),
    value(
      'drinks tea in the morning',
      'swapped the morning espresso for a pot of Assam',
      'brings a thermos of tea to stand-up',
    ),
  ),
  topic(
    'Billing',
    'W',
    value('uses Redis for the queue', 'pushes its jobs through Redis'),
    value('uses RabbitMQ for the queue', 'moved its jobs over to RabbitMQ', 'consumes jobs from a RabbitMQ exchange'),
    value('uses Kafka for the queue', 'reads its jobs from a Kafka topic'),
  ),
  topic(
    'Billing',
    'W',
    value('runs on PostgreSQL 15', 'still answers with PostgreSQL 15 as its version'),
    value('runs on PostgreSQL 17', 'came back up on PostgreSQL 17 after the maintenance window'),
  ),
  topic(
    'Ingrid',
    'O',
    value('likes cilantro', 'put extra cilantro on everything again'),
    value('does not like cilantro', 'picked all the cilantro out of the salad', "can't stand cilantro"),
  ),
  topic(
    'Ingrid',
    'O',
    value('works best in the morning', 'got the hard review done before nine, as always'),
    value('works best in the evening', 'did her best writing after dinner again', 'says mornings are lost on her'),
  ),
  topic(
    'Ingrid',
    'W',
    value('lives in Graz', 'opened the door of the flat in Graz for the movers'),
    value('lives in Vienna', 'gave Vienna as her new address', 'registered as a resident of Vienna'),
  ),
  topic(
    'Gateway',
    'W',
    value('deploys on Fridays', 'went out with the Friday train again'),
    value(
      'deploys on Tuesdays',
      'took the Tuesday release slot',
      'no longer ships at the end of the week but on Tuesday',
    ),
  ),
  topic(
    'Gateway',
    'W',
    value('logs in JSON', 'wrote one JSON object a line as ever'),
    value('logs in plain text', 'prints bare lines instead of JSON now'),
  ),
  topic(
    'Mateo',
    'O',
    value('enjoys pair programming', 'asked who would pair with him today'),
    value('avoids pair programming', 'found another excuse not to pair', 'asked to be left alone with the code'),
  ),
  topic(
    'Mateo',
    'O',
    value('trusts the new linter', 'merged on the word of the linter alone'),
    value(
      'distrusts the new linter',
      'checked every finding of the linter by hand',
      'called the linter a random number generator',
    ),
  ),
  topic(
    'Mateo',
    'O',
    value('prefers dark mode', 'turned the dashboard black for the demo'),
    value('prefers light mode', 'switched the dashboard to a white background', 'squints at dark themes these days'),
  ),
  topic(
    'Atlas',
    'W',
    value('is slow under load', 'took nine seconds a page when everybody came at once'),
    value('is fast under load', 'held 80 ms at peak traffic', 'did not even notice the Monday rush'),
  ),
  topic(
    'Atlas',
    'W',
    value('is owned by the platform team', 'got its new key from the platform team'),
    value('is owned by the data team', 'was handed over to the data team', 'pages the on-call of the data team'),
  ),
  topic(
    'Priya',
    'O',
    value('hates long meetings', 'left the two-hour meeting halfway through'),
    value('enjoys long meetings', 'stayed on after the two-hour meeting to talk some more'),
  ),
  topic(
    'Priya',
    'O',
    value('wants weekly reports', 'asked where the report of the week was'),
    value(
      'wants monthly reports',
      'said that one report a month is plenty',
      'cancelled the Friday report for a monthly one',
    ),
  ),
  topic(
    'Priya',
    'W',
    value('commutes by train', 'was late because the train stood still'),
    value('commutes by bike', 'came in with a wet helmet', 'has not used her rail pass since she got the bike'),
  ),
  topic(
    'Lars',
    'O',
    value('recommends TypeScript for scripts', 'answered every scripting question with TypeScript'),
    value(
      'recommends Python for scripts',
      'told the new one to write it in Python',
      'rewrote two helper scripts in Python',
    ),
    value('recommends Go for scripts', 'would do small scripts in Go'),
  ),
  topic(
    'Lars',
    'O',
    value('is a morning person', 'sent his first message at half past five'),
    value('is not a morning person', 'does not answer before eleven', 'asked to move the stand-up to noon'),
  ),
  topic(
    'Harbor',
    'W',
    value('stores images on S3', 'fetched the layers from the S3 bucket'),
    value(
      'stores images on local disks',
      'keeps its layers on the disks of the rack now',
      'ran out of disk in the rack because of the layers',
    ),
  ),
  topic(
    '张三',
    'O',
    value('喜欢喝咖啡', '每天都要来一杯拿铁'),
    value('不喜欢喝咖啡', '一闻到咖啡就摇头', '把咖啡机送人了'),
  ),
  topic(
    '张三',
    'O',
    value('喜欢简短的回答', '说两句话就够了'),
    value('喜欢详细的回答', '要求把每一步都讲清楚', '嫌回答太短'),
  ),
  topic(
    '张三',
    'W',
    value('住在上海', '周末在上海的家里休息'),
    value('住在北京', '上个月搬到了北京', '新地址在北京朝阳区'),
  ),
  topic(
    '李四',
    'O',
    value('喜欢开会', '又主动约了一个会'),
    value('不喜欢开会', '能不开会就不开会', '会议邀请全都拒绝了'),
  ),
  topic(
    '李四',
    'O',
    value('早上工作效率最高', '八点前就把难题解决了'),
    value('晚上工作效率最高', '夜里十点以后才进入状态'),
  ),
  topic(
    '支付服务',
    'W',
    value('使用MySQL存储订单', '订单都写进了MySQL'),
    value('使用PostgreSQL存储订单', '订单库已经迁移到PostgreSQL', '从PostgreSQL里查到了订单'),
  ),
  topic(
    '支付服务',
    'W',
    value('部署在阿里云', '在阿里云上扩了两台机器'),
    value('部署在腾讯云', '机器全部换到了腾讯云', '收到了腾讯云的账单'),
  ),
  topic(
    'Nadia',
    'O',
    value('supports the four-day week', 'signed the petition for the four-day week'),
    value(
      'opposes the four-day week',
      'argued against the four-day week',
      'thinks four days are not enough to get things done',
    ),
  ),
  topic(
    'Nadia',
    'O',
    value('considers the backup reliable', 'slept well because there is the backup'),
    value(
      'considers the backup unreliable',
      'makes her own copies since the backup failed her',
      'would not bet a cent on the backup',
    ),
  ),
];

/** Other facts about the same entities: about none of the attributes above. */
export const OTHER_FACTS: readonly [string, ...string[]] = [
  'W @Peter: flew to Lisbon for a conference',
  'B @Peter: I booked the train to Linz for him',
  'W @Ingrid: broke her left wrist while climbing',
  'B @Gateway: I raised the memory limit to 2 GB',
  'W @Billing: sent 1,204 invoices in one night',
  'W @Mateo: has a new desk by the window',
  'O(c=0.8) @Mateo: finds the office too loud',
  'B @Atlas: I restarted the import after a time-out',
  'W @Priya: speaks at the meetup in October',
  'O @Lars: thinks the roadmap is too full',
  'W @Harbor: got a new certificate for two years',
  'W @张三: 周五去医院检查',
  'B @支付服务: 我重启了对账任务',
  'W @李四: 买了一辆新车',
  'W @Nadia: adopted a second cat',
  'S @Peter: travelled a lot this month',
];

export const REMARKS: readonly [string, ...string[]] = [
  'Quiet day, mostly reviews.',
  'Long call about the budget, no decision yet.',
  'The coffee machine on the second floor is broken again.',
  'Rain all day.',
  '下午整理了文档。',
  'Tried the new restaurant near the river; nobody was convinced.',
  'Two candidates for the open position, second round next week.',
  '和团队一起吃了午饭。',
];
