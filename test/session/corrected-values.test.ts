import { expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/session/memory/ledger/ledger.js';
import { ledgerStep } from '../../src/session/memory/rules.js';
import { says } from './support.js';

/** What was said first, what was said later, a text of the old value, and one of the new. */
const CORRECTED: readonly (readonly [first: string, later: string, old: string, value: string])[] = [
  ['The Grafana dashboard runs on port 3000.', 'Grafana dashboard now runs on port 3300.', '3000', '3300'],
  ['Our release date is March 14.', 'We pushed the release date to March 21.', 'March 14', 'March 21'],
  ['The launch is scheduled for 12 May.', 'The launch got postponed to 19 May.', '12 May', '19 May'],
  ['The on-call engineer is Priya.', 'Marco is the on-call engineer now.', 'Priya', 'Marco'],
  [
    'Use Postgres 14 for the orders database.',
    'We upgraded the orders database to Postgres 16.',
    'Postgres 14',
    'Postgres 16',
  ],
  [
    'The API base URL is https://api.old.example.com.',
    'The API base URL is now https://api.new.example.com.',
    'api.old',
    'api.new',
  ],
  ['Timeout for the webhook is 30 seconds.', 'Set the webhook timeout to 45 seconds.', '30 seconds', '45 seconds'],
  ['The max upload size is 10 MB.', 'Max upload size should be 25 MB.', '10 MB', '25 MB'],
  ['The main branch is called master.', 'The main branch was renamed to trunk.', 'master', 'trunk'],
  ['The deadline for the audit is Friday.', 'The audit deadline moved to Tuesday.', 'Friday', 'Tuesday'],
  ['Backups live in s3://acme-backups.', 'Backups now live in s3://acme-vault.', 'acme-backups', 'acme-vault'],
  ['The bastion host is 10.1.2.3.', 'Bastion host is 10.1.9.9 as of today.', '10.1.2.3', '10.1.9.9'],
  ['Node version: 18.19', 'Node version: 22.4', '18.19', '22.4'],
  ['The retry limit is 3.', 'Make the retry limit 5.', 'limit is 3', '5'],
  ['We deploy on Thursdays.', 'From now on we deploy on Mondays.', 'Thursdays', 'Mondays'],
  ['The cron runs at 02:00.', 'The cron runs at 04:30 instead.', '02:00', '04:30'],
  ['The staging database is db-stg-1.', 'Staging database: db-stg-7', 'db-stg-1', 'db-stg-7'],
  ['The theme colour is #ff0000.', 'Change the theme colour to #00aa00.', '#ff0000', '#00aa00'],
  ["Let's go with RabbitMQ as the queue.", "Let's use Kafka as the queue instead.", 'RabbitMQ', 'Kafka'],
  ['The rate limit is 100 requests per minute.', 'The rate limit is 250 requests per minute.', '100', '250'],
  ['Budget for ads is 5,000 euros.', 'The budget for ads was raised to 8,000 euros.', '5,000', '8,000'],
  ['The meeting with Vega is at 3pm.', 'The Vega meeting is at 5pm, not 3pm.', 'at 3pm.', '5pm'],
  ['The domain is shop.example.org.', 'Actually the domain is store.example.org.', 'shop.example', 'store.example'],
  ['Log level is INFO.', 'Log level is DEBUG for now.', 'INFO', 'DEBUG'],
  ['Redis is on hz-2.', 'Redis moved from hz-2 to hz-9.', 'is on hz-2', 'hz-9'],
  ['Tax rate is 19%.', 'Tax rate is 20%, sorry.', '19%', '20%'],
  ['Invoices are due in 14 days.', 'Invoices are due in 30 days now.', '14 days', '30 days'],
  ['the test user is alice@example.com', 'the test user is bob@example.com', 'alice@', 'bob@'],
  ['网关的超时时间是30秒。', '网关超时时间调整为45秒。', '30秒', '45秒'],
  ['发布日期是3月14日。', '发布日期推迟到3月21日。', '3月14日', '3月21日'],
  ['负责人是王磊。', '负责人换成了李娜。', '王磊', '李娜'],
  ['数据库用 MySQL 5.7。', '数据库升级到 MySQL 8.0 了。', '5.7', '8.0'],
  ['生产服务器地址是 10.2.0.4。', '生产服务器地址现在是 10.2.0.9。', '10.2.0.4', '10.2.0.9'],
  ['前端端口设为 5173。', '前端端口改到 5200。', '5173', '5200'],
  ['消息队列采用 RabbitMQ。', '消息队列换成 Kafka。', 'RabbitMQ', 'Kafka'],
  ['周会定在周三下午三点。', '周会改到周五上午十点。', '周三', '周五'],
  ['最大上传大小为 10MB。', '最大上传大小改为 25MB。', '10MB', '25MB'],
  ['截止日期是5月1日。', '截止日期提前到4月28日。', '5月1日', '4月28日'],
  ['默认分支是 master。', '默认分支改名为 main。', 'master', 'main'],
  ['限流是每分钟100次。', '限流改成每分钟300次。', '100次', '300次'],
  ['预算是五万元。', '预算增加到八万元。', '五万', '八万'],
  ['测试账号是 alice。', '测试账号不用 alice 了，改用 bob。', '是 alice', 'bob'],
  ['镜像仓库在 hub.a.com。', '镜像仓库迁到 hub.b.com。', 'hub.a', 'hub.b'],
  ['缓存过期时间：10分钟', '缓存过期时间：20分钟', '10分钟', '20分钟'],
  ['主题色用 #ff0000。', '把主题色改成 #00aa00。', '#ff0000', '#00aa00'],
  ['客户联系人是张三。', '客户联系人变更为赵六。', '张三', '赵六'],
  ['备份放在 nas-1。', '备份现在放在 nas-3。', 'nas-1', 'nas-3'],
];

test.each(CORRECTED)('%s %s', (first, later, old, value) => {
  const said = [first, 'Please look at the tests.', later].flatMap((text) => [
    says('user', text),
    says('assistant', 'Done.'),
  ]);
  const messages = said.map((draft, i) => ({ ...draft, id: `m-${i}` }));
  const { document } = ledgerStep(null, EMPTY_LEDGER, messages).merge;
  expect(document).toContain(value);
  // A correction may name what it replaces.
  expect(document.replaceAll(later.replace(/[.。]$/u, ''), '')).not.toContain(old);
});
