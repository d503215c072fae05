import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { decideExperienceRecall, type GateInput } from '../../src/context/gate.js';
import { growthOfFour, LINEAR_LIMIT } from '../support/growth.js';

interface Messages {
  readonly tasks: readonly string[];
  readonly others: readonly string[];
}

const decide = (text: string, input: Partial<GateInput> = {}) => decideExperienceRecall({ text, ...input });

describe('rules apply in the documented order', () => {
  test('a bypassed session is skipped before any other rule', () => {
    expect(decide('fix the plugin test in src/a.ts', { isBypassed: true, isCron: true })).toEqual({
      decision: 'skip',
      score: 0,
      reason: 'session_bypassed',
      trigger: null,
      groups: [],
    });
  });

  test('the rule for short messages comes before those for injected and forced ones', () => {
    expect(decide('<openviking-context>a</openviking-context>').reason).toBe('query_too_short');
    expect(decide('short cron', { isCron: true }).reason).toBe('query_too_short');
    expect(decide('[tool: exec]').reason).toBe('query_too_short');
  });

  test('length counts columns: a Chinese character is two', () => {
    expect(decide('这是什么意思啊').reason).not.toBe('query_too_short');
    expect(decide('what is it').reason).toBe('query_too_short');
  });

  test('a plain order is never too short, unless a minimum length is set', () => {
    expect(decide('fix it').decision).toBe('recall');
    expect(decide('fix it', { minQueryChars: 12 }).reason).toBe('query_too_short');
  });

  test('a message with injected memory is skipped, even if it only mentions the tag', () => {
    expect(decide('<openviking-context>a</openviking-context>\n\nfix the deploy script').reason).toBe(
      'already_injected',
    );
    expect(decide('Explain what <OpenViking-Context version=1> means').reason).toBe('already_injected');
  });

  test.each<[string, Partial<GateInput>, string]>([
    ['a hint', { trigger: 'skill_load' }, 'skill_load'],
    ['a cron session by its key', { sessionKey: 'agent:cron:nightly' }, 'cron_start'],
    ['a cron session by its flag', { isCron: true }, 'cron_start'],
  ])('%s forces a recall', (_, input, trigger) => {
    expect(decide('tell me a joke please, a long one', input)).toMatchObject({
      decision: 'recall',
      score: 99,
      reason: 'forced_trigger',
      trigger,
    });
  });

  test('the hint task_start switches cron detection off, and the key is case-sensitive', () => {
    expect(decide('weekly digest of unread mail', { trigger: 'task_start', sessionKey: 'a:cron:b' }).decision).toBe(
      'skip',
    );
    expect(decide('weekly digest of unread mail', { sessionKey: 'a:CRON:b' }).decision).toBe('skip');
  });

  test('the score is the sum of the groups, each with its words', () => {
    const { score, groups, reason } = decide('Integrate the Stripe webhook into our checkout service');
    expect(reason).toBe('task_execution');
    expect(groups.reduce((sum, { points }) => sum + points, 0)).toBe(score);
    expect(groups).toContainEqual({ group: 'execution', points: 3, words: ['integrate'] });
    expect(groups).toContainEqual({ group: 'object', points: 2, words: ['service'] });
  });

  test('a score below 0 means talk, and below 3 too weak a signal', () => {
    expect(decide('hello there, how are you doing today?').reason).toBe('non_execution');
    expect(decide('explain the hook API in React').reason).toBe('below_threshold');
  });
});

// Section 11 of the notes on experience recall: mistakes of the reference, with our outcome.
describe.each<[string, 'recall' | 'skip', readonly string[]]>([
  [
    'one bare verb of the trade is an order',
    'recall',
    [
      'debug why the websocket reconnect loop never stops',
      'Implement pagination in the GET /orders endpoint',
      '排查一下为什么网关偶发 502',
    ],
  ],
  [
    'verbs that the table does not name',
    'recall',
    [
      'Add a --dry-run flag to the cleanup command',
      'Create a GitHub Actions workflow that lints PRs',
      'Upgrade React from 18 to 19 in the web app',
      'Install the CUDA drivers on the training box',
      'Set up a staging environment for the backend',
      'Rename getUser to fetchUser in the client module',
      'Revert the last commit and push again',
      'Roll back the last release',
      'Optimise the image pipeline',
      'Clean up the old docker volumes',
      'Convert the callback code to async functions',
      'Please review my PR and leave comments',
      'Restart the ingestion workers',
      '新增一个命令行参数 --dry-run',
      '升级 pnpm 到 10，然后重新安装依赖',
      '优化首页的加载速度',
      '回滚到上一个版本',
      '重启测试环境的网关',
      '清理没用的镜像',
      '定位内存泄漏的原因',
    ],
  ],
  [
    'inflections',
    'recall',
    [
      'Fixing the CI before the demo',
      'We are deploying tonight, prepare the rollback plan',
      'Tests are broken since noon',
    ],
  ],
  [
    'failures in other words',
    'recall',
    [
      "TypeError: cannot read properties of undefined (reading 'map')",
      'Traceback (most recent call last): KeyError',
      'the worker crashed twice last night',
      'segfault when loading the tokenizer, core dumped',
      'OOM in the ingest pods again',
      'the pipeline fails at the lint step',
      'main.cpp does not compile',
      '程序崩溃了，看一下日志',
      '页面加载超时',
    ],
  ],
  ['short Chinese orders', 'recall', ['修复登录接口的超时报错', '部署到生产环境', '修复一下这个问题']],
  [
    'polite requests are no questions',
    'recall',
    [
      'Could you deploy it to prod?',
      'Would you mind deleting the tmp folder?',
      'Can you edit the copy on the pricing page?',
      '能帮我部署到生产环境上去吗？',
    ],
  ],
  [
    'talk as part of a task',
    'recall',
    [
      'Deploy the Delhi region config',
      'Build the sushi-bot plugin',
      'Fix the bug in hello-world.ts where the port is hard-coded',
      'Hi team — the cron job failed, debug it',
      'Build a weather widget for the 天气 page',
      'Implement the translation memory module (翻译 cache) in i18n.ts',
    ],
  ],
  ['orders to go on', 'recall', ['go ahead with the migration', 'try again with more memory', '继续按刚才的方案执行']],
  [
    'other languages and disguises',
    'recall',
    [
      'Fíx the dëploy scrípt please',
      'ＦＩＸ the deploy ｓｃｒｉｐｔ',
      'f\u200bix the deploy script',
      '修復登入頁面的錯誤',
      'Bitte behebe den Fehler im Login',
      'Исправь ошибку в тестах на CI',
    ],
  ],
  [
    'questions for experience',
    'recall',
    ['what did we learn the last time we migrated postgres?', '之前是怎么修复这个问题的'],
  ],
  [
    'everyday senses',
    'skip',
    [
      '改天再聊吧，我今天有点累了想休息',
      '改签机票要多少钱',
      '这本小说的人物描写非常细腻动人',
      '区别在哪里，这两种写法我看不出来',
      '我要给妈妈写信',
      'I failed my driving test',
      'My marathon run failed',
      '大学的体能测试失败了，有点难过',
      'Write me a birthday poem for my mom please',
      'Fix me a sandwich',
      '天气异常炎热，不想出门',
    ],
  ],
  [
    'orders not to do something',
    'skip',
    [
      'Please do NOT deploy, only explain the plan',
      "Don't run or modify anything yet",
      'Do not edit, delete or move any of the files',
      'No need to deploy, thanks',
      'Tell me what it does without changing the config',
      '请不要修改任何文件，先说说你的思路',
      '先别部署，等我确认',
      '不用部署，只要解释一下流程',
    ],
  ],
  [
    'a prohibition ends with its clause',
    'recall',
    [
      "Don't touch the docs, only fix the parser in src/parse.ts",
      "don't forget to run the migrations on staging",
      '先不要部署，先修复测试',
      '别忘了部署之前跑测试',
    ],
  ],
  [
    'questions about what was done',
    'skip',
    ['Did you publish the package already?', 'Have you fixed the bug yet?', '部署好了吗？', '已经修好了，谢谢'],
  ],
  [
    'questions about what something is',
    'skip',
    ['What does `npm run build` do?', 'Explain how to deploy a React app', '为什么要写单元测试？', '什么是接口测试'],
  ],
  [
    'slashes that are no paths',
    'skip',
    ['and/or the either/or question keeps me awake', '24/7 support would be great to have here'],
  ],
])('%s: %s', (_, decision, texts) => {
  test.each(texts)('%s', (text) => {
    expect(decide(text)).toMatchObject({ decision });
  });
});

const { tasks, others }: Messages = parse(readFileSync(new URL('gate-messages.yaml', import.meta.url), 'utf8'));

test('nine of ten messages in many languages are judged as a person judges them', () => {
  const wrong = [
    ...tasks.filter((text) => decide(text).decision !== 'recall'),
    ...others.filter((text) => decide(text).decision !== 'skip'),
  ];
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual((tasks.length + others.length) / 10);
});

test('a message is read up to the maximum query length, in linear time', () => {
  expect(decide(`${'a '.repeat(4000)} fix the deploy script`).decision).toBe('skip');
  for (const part of ['fix the ', '把把把', 'a/', 'x.', '不要', '---', 'will you ', 'не ', '"a', 'we ']) {
    expect(growthOfFour((n) => part.repeat(n / part.length), decide)).toBeLessThan(LINEAR_LIMIT);
  }
});
