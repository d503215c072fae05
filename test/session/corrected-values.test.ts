import { expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/session/memory/ledger/ledger.js';
import { mergeMessagesByRules } from '../../src/session/memory/rules.js';
import { contentItems, parseDocument } from '../../src/wm/document.js';
import type { MissingItem } from '../../src/wm/merge.js';
import { says } from './support.js';

/** Returns the facts after commits of one statement each, and what the last commit removed, with reasons. */
function facts(...said: readonly string[]): {
  readonly items: readonly string[];
  readonly removed: readonly MissingItem[];
} {
  let old: string | null = null;
  let ledger = EMPTY_LEDGER;
  let removed: readonly MissingItem[] = [];
  for (const [at, text] of said.entries()) {
    const step = mergeMessagesByRules(old, ledger, [{ ...says('user', text), id: `m-${at}` }]);
    expect(step.merge.lost).toEqual([]);
    old = step.merge.document;
    ledger = step.ledger;
    removed = step.merge.sections['Key Facts & Decisions'].removed;
  }
  return { items: contentItems(parseDocument(old).bodies['Key Facts & Decisions']), removed };
}

/** The later one names what has ended, or another value of one kind for the same thing. */
test.each([
  ['The staging port is 6380.', 'The staging port is now 7001.'],
  ['The database is Postgres.', 'We switched from Postgres to MySQL.'],
  ['The upload limit is 10 MB.', 'The upload limit is 25 MB.'],
  ['Redis is on hz-2.', 'Redis moved from hz-2 to hz-9.'],
  ['We always deploy from main.', 'We always deploy from trunk instead of main.'],
  ['Die Tests laufen auf Node 18.', 'Die Tests laufen nicht mehr auf Node 18, sondern auf Node 20.'],
  ['报表库用 ClickHouse。', '报表库从 ClickHouse 换成 StarRocks。'],
])('%s is replaced by: %s', (earlier, later) => {
  expect(facts(earlier, later)).toEqual({
    items: [later],
    removed: [{ item: earlier, reason: `replaced: "${later}"` }],
  });
});

/** Both values may be current: the newer one comes first, and the older one is kept. */
test.each([
  ['数据库用 Postgres。', '不要用 MySQL。'],
  ['Always use npm here.', 'Never use pnpm instead of npm.'],
  ['The deadline is May 1.', 'The deadline moved to May 3.'],
  ['We decided to use Postgres for the orders service.', 'We decided to use MySQL for the orders service.'],
  ['The on-call engineer is Priya.', 'The on-call engineer is Marco.'],
  ['数据库端口是5432', '把数据库的端口改成6432'],
  ['We use hz-3 and never deploy on Fridays.', 'We no longer use hz-3.'],
  ['Der Dienst lauscht immer auf Port 4410.', 'Der Dienst lauscht künftig auf Port 4520.'],
])('%s is kept beside: %s', (earlier, later) => {
  expect(facts(earlier, later)).toEqual({ items: [later, earlier], removed: [] });
});

test('forty values of forty things stay as forty facts', () => {
  const said = Array.from({ length: 40 }, (_, i) => `the port of service ${i} is ${3_000 + i}`);
  expect(facts(...said)).toEqual({ items: said.toReversed(), removed: [] });
});

/** Parallel values: a port for each service, a day for each meeting. */
const SIDE_BY_SIDE: readonly (readonly string[])[] = [
  ['The orders port is 3001.', 'The billing port is 3002.', 'The metrics port is 9100.'],
  ['Postgres listens on 5433.', 'Redis listens on 6380.', 'The mailer listens on 2525.'],
  ['Anna owns the billing module.', 'Bob owns the search module.', 'Carla owns the mail module now.'],
  ['The server has 16 GB of RAM.', 'The server has 8 cores.', 'The server must have 2 TB of disk.'],
  ['The demo is on Tuesday.', 'The retro is on Friday.', 'The release must be on 3 April.'],
  ['Standup is at 9:30.', 'The demo is at 14:00.', 'Lunch must be at 12:30.'],
  ['Use Vitest for the unit tests.', 'Use Playwright for the browser tests.', 'Use k6 for the load tests.'],
  [
    'The staging URL is https://stg.acme.io',
    'The production URL is https://acme.io',
    'The docs URL must be https://docs.acme.io',
  ],
  ['The cache TTL is 300 seconds.', 'The session TTL is 900 seconds.', 'The lock TTL must be 20 seconds.'],
  ['Never deploy on Fridays.', 'Never deploy on Mondays.', 'Always deploy on Tuesdays.'],
  ['Remember that Anna likes green tea.', 'Remember that Bob likes green tea.', 'Remember that Carla likes black tea.'],
  ['We decided to drop IE11.', 'We decided to drop Node 16.', 'We decided to drop Python 3.8.'],
  ['Backups run every 6 hours.', 'Reports run every 2 hours.', 'Always run the linter every 2 commits.'],
  ['Always lint src/app.ts.', 'Always lint src/db.ts.', 'Always lint src/cli.ts.'],
  ['Remember: Anna has birthday on 3 April.', 'Remember: Bob has birthday on 9 May.'],
  [
    'The frontend must support Chrome 100.',
    'The frontend must support Firefox 98.',
    'The frontend must support Safari 15.',
  ],
  ['Peter needs access to repo-a.', 'Peter must have access to repo-b.', 'Peter must have access to repo-c.'],
  ['Remember to pay 20 EUR to Tom.', 'Remember to pay 35 EUR to Ann.'],
  ['The min password length is 8.', 'The max password length is 64.'],
  ['The read timeout is 3s.', 'The write timeout is 5s.', 'The connect timeout must be 1s.'],
  ['The dev database is db-dev-1.', 'The test database is db-test-1.', 'The prod database must be db-prod-1.'],
  ['Invoice 1001 must be paid.', 'Invoice 1002 must be paid.', 'Invoice 1003 must be paid.'],
  ['Ticket ABC-12 is decided: we fix it.', 'Ticket ABC-13 is decided: we fix it.'],
  ['Step 1 must be reviewed by Anna.', 'Step 2 must be reviewed by Anna.'],
  ['订单服务的端口是3001', '支付服务的端口是3002', '搜索服务的端口必须是3003'],
  ['测试环境数据库是db-1', '生产环境数据库是db-2', '开发环境数据库必须是db-3'],
  ['周一不要上线', '周五不要上线'],
  ['小王负责支付模块', '小李负责搜索模块', '以后老张负责邮件模块'],
  ['读超时是3秒', '写超时是5秒', '连接超时必须是1秒'],
  ['记住小王的生日是5月3号', '记住小李的生日是6月9号'],
  ['上线日期定在5月1号', '评审日期定在4月20号', '截止日期是4月30号'],
  ['前端用Vue', '后端用Go', '测试统一用Jest'],
  ['最小长度是8', '最大长度是64'],
  ['必须支持Chrome 100', '必须支持Firefox 98'],
  ['We always meet Anna on Mondays.', 'We always meet Bob on Tuesdays.'],
  ['Room B101 must be booked for the retro.', 'Room B102 must be booked for the demo.'],
  ['The AWS account is 1234-5678.', 'The GCP account must be acme-dev-1.'],
  ['The API key lives in vault/api.', 'The DB password lives in vault/db.'],
  [
    'The rate limit for free users is 10 req/s.',
    'The rate limit for paid users is 100 req/s.',
    'The rate limit for admins must be 500 req/s.',
  ],
  ['In 2024 the budget was 40k.', 'In 2025 the budget must be 60k.'],
  ['Deploy to eu-west-1 first, then always to us-east-1.', 'Always keep a copy in ap-south-1.'],
  ['Monday: always check the backups.', 'Friday: always check the logs.'],
  ['I decided to buy 3 chairs.', 'I decided to buy 2 tables.'],
  ['The staging Kibana answers on 5601.', 'The production Kibana answers on 5701.', 'The Grafana answers on 3000.'],
  ['Mirela signs off the contracts.', 'Tobias signs off the invoices.', 'Yuki signs off the expenses.'],
  ['Post incidents in #ops.', 'Post releases in #ship.', 'Post holidays in #team.'],
  ['A merge needs 2 approvals.', 'A release needs 3 approvals.', 'A hotfix needs 1 approval.'],
  ['The import job runs as svc-import.', 'The export job runs as svc-export.', 'The mail job runs as svc-mail.'],
  [
    'Uploaded media is kept under /srv/media1.',
    'Uploaded invoices are kept under /srv/inv2.',
    'Temporary files are kept under /srv/tmp3.',
  ],
  ['Webhooks are posted to hook.one.dev.', 'Metrics are posted to met.two.dev.', 'Alerts are posted to al.three.dev.'],
  ['Backups are copied to vault-1 every night.', 'Logs are copied to vault-2 every week.'],
  ['We host our code on Gitea.', 'We host our docs on GitBook.', 'We host our images on Harbor.'],
  ['The server is monitored by Zabbix.', 'The server is backed up by Restic.'],
  ['Anna leads the audit.', 'Anna leads the migration.'],
  [
    'Password rotation happens every 45 days.',
    'Key rotation happens every 90 days.',
    'Certificate rotation happens every 30 days.',
  ],
  ['Fix the typo in page-3.', 'Fix the typo in page-4.', 'Fix the typo in page-5.'],
  ['Upload the report to bucket-1.', 'Upload the photos to bucket-2.'],
  ['Send the offer to kim@a.example.', 'Send the offer to lee@b.example.'],
  ['The offsite takes place in Lisbon.', 'The summit takes place in Porto.', 'The party takes place in Faro.'],
  ['The pilot in Oslo is limited to 35 users.', 'The pilot in Bergen is limited to 60 users.'],
  ['Resellers get a discount of 12 %.', 'Schools get a discount of 30 %.', 'Staff get a discount of 50 %.'],
  ['The read model is built with Go.', 'The write model is built with Rust.', 'The frontend is built with Elm.'],
  ['Invite Anna on 3 May.', 'Invite Bob on 4 May.'],
  ['Tenant A has 250 GB of storage.', 'Tenant B has 400 GB of storage.'],
  ['The mobile team meets on Monday.', 'The web team meets on Tuesday.', 'The data team meets on Wednesday.'],
  ['告警发到飞书。', '日报发到钉钉。', '账单发到邮箱。'],
  ['合同由陈晓东审批。', '发票由周雅琴审批。', '请假由何志远审批。'],
  ['样品用顺丰寄。', '合同用京东寄。'],
  ['华东区的对接人是吴倩。', '华南区的对接人是孙鹏。', '华北区的对接人是林可。'],
  ['任务调度跑在 node-a1 上。', '日志采集跑在 node-b2 上。'],
  ['每台工作机内存是16GB。', '每台数据库机内存是64GB。'],
  ['上线要三个人审核。', '回滚要两个人审核。'],
  ['仓库在苏州。', '工厂在无锡。', '总部在上海。'],
  ['接口超时是5秒。', '连接超时是2秒。', '任务超时是60秒。'],
  ['日志保留30天。', '备份保留90天。'],
  ['订单库在 db-4。', '用户库在 db-5。', '商品库在 db-6。'],
  ['Agreed: Anna writes chapter 1.', 'Agreed: Bob writes chapter 2.', 'Agreed: Carla writes chapter 3.'],
];

test.each(SIDE_BY_SIDE)('%s stays beside the others', (...said) => {
  const messages = said
    .flatMap((text) => [says('user', text), says('assistant', 'Noted.')])
    .map((draft, i) => ({ ...draft, id: `m-${i}` }));
  const { document } = mergeMessagesByRules(null, EMPTY_LEDGER, messages).merge;
  for (const text of said) expect(document).toContain(text.replace(/\.$/u, ''));
});
