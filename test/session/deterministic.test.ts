import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EMPTY_LEDGER, formatLedger, type MemoryLedger, parseLedger } from '../../src/session/memory/ledger/ledger.js';
import { mergeMessagesByRules } from '../../src/session/memory/rules.js';

type LedgerStep = ReturnType<typeof mergeMessagesByRules>;

import { updateByRules } from '../../src/session/memory/update.js';
import type { MessageDraft, MessagePart, SessionMessage } from '../../src/session/message.js';
import { estimateTokens } from '../../src/text/tokens.js';
import type { SectionName } from '../../src/wm/document.js';
import { contentItems, parseDocument } from '../../src/wm/document.js';
import { cases } from '../support/cases.js';
import { effort } from '../support/growth.js';
import { answers, calls, says } from './support.js';

function log(...drafts: readonly MessageDraft[]): readonly SessionMessage[] {
  return drafts.map((draft, index) => ({ ...draft, id: `m-${index}` }));
}

/** Makes several commits of some messages each. */
function commits(...rounds: readonly (readonly MessageDraft[])[]): LedgerStep {
  let step: LedgerStep | undefined;
  for (const round of rounds) {
    step = mergeMessagesByRules(step?.merge.document ?? null, step?.ledger ?? EMPTY_LEDGER, log(...round));
  }
  if (step === undefined) throw new Error('no commit');
  return step;
}

function items({ merge }: LedgerStep, name: SectionName): readonly string[] {
  return contentItems(parseDocument(merge.document).bodies[name]);
}

/** The items of a section after the messages. */
function section(name: SectionName, ...drafts: readonly MessageDraft[]): readonly string[] {
  return items(commits(drafts), name);
}

function merged(old: string | null, messages: readonly SessionMessage[], ledger: MemoryLedger = EMPTY_LEDGER): string {
  return mergeMessagesByRules(old, ledger, messages).merge.document;
}

function runs(id: string, name: string, input: unknown): MessageDraft {
  const part: MessagePart = { type: 'tool_call', id, name, input };
  return { role: 'assistant', parts: [part], timestamp: null };
}

function fails(id: string, output: string): MessageDraft {
  const part: MessagePart = { type: 'tool_result', id, name: 'bash', output, status: 'error' };
  return { role: 'tool', parts: [part], timestamp: null };
}

describe('a Working Memory without a model', () => {
  test('takes its title from the first request, in whole words', () => {
    const request = says('user', '# Move the cache of the shop to Redis before the sale begins, please.\nIt is slow.');
    expect(section('Session Title', request)).toEqual([
      'Move the cache of the shop to Redis before the sale begins, please',
    ]);
  });

  test('keeps an existing title', () => {
    const first = merged(null, log(says('user', 'Move the cache to Redis')));
    expect(merged(first, log(says('user', 'Paint the bike shed')))).toContain(
      '## Session Title\nMove the cache to Redis\n',
    );
  });

  test('takes its state from the last real request and answer, the agent’s task list, last command and commits', () => {
    const todos = [
      { content: 'wire it', status: 'completed' },
      { content: 'measure it', status: 'in_progress' },
      { content: 'write it down', status: 'pending' },
    ];
    const messages = [
      says('user', 'please look into the slow start'),
      runs('t0', 'TodoWrite', { todos }),
      answers('t0'),
      says('assistant', 'It is the cache. I changed it.'),
      says('user', '<system-reminder>be quick</system-reminder>\nnow the tests of it\n[Request interrupted by user]'),
      runs('t1', 'Bash', { command: 'npm test' }),
      fails('t1', 'running\n3 tests fail'),
      runs('t2', 'Bash', { command: 'git commit -m "Cache"' }),
      answers('t2', '[main abc1234] Cache\n 1 file changed'),
    ];
    expect(section('Current State', ...messages)).toEqual([
      'Last request: now the tests of it',
      'Last answer: It is the cache.',
      'Todo, 1 of 3 done; open: measure it (in progress); write it down',
      'Last command: `git commit -m Cache` – done: 1 file changed',
      'Commits: abc1234 Cache',
    ]);
    expect(section('Current State', ...messages.slice(0, 7))).toContain(
      'Last command: `npm test` – failed: 3 tests fail',
    );
  });

  test('keeps the last request in its state while only the agent continues', () => {
    const step = commits(
      [says('user', 'please move the cache'), says('assistant', 'I begin.')],
      [says('assistant', 'Done.')],
    );
    expect(items(step, 'Current State')).toEqual(['Last request: please move the cache', 'Last answer: Done.']);
  });

  test('records typed bullets, decisions and plain values as facts, newest first, and no questions', () => {
    const messages = [
      says('user', 'We use Redis port 9999 instead of 6380. Never deploy on Fridays.\nShould we always use it?\nhello'),
      says('assistant', 'Noted:\n- W @Redis: keeps sessions\nI always say hello.'),
      answers('t1', '- W @Tool: printed this'),
      says('user', 'db lives on hz-3, 我们决定改用 Redis'),
    ];
    expect(section('Key Facts & Decisions', ...messages)).toEqual([
      'db lives on hz-3, 我们决定改用 Redis',
      'W @Redis: keeps sessions',
      'Never deploy on Fridays.',
      'We use Redis port 9999 instead of 6380.',
    ]);
  });

  test('lists changed files with counts and the last action', () => {
    const done = (id: string, name: string, input: unknown) => [runs(id, name, input), answers(id)];
    const messages = [
      ...done('1', 'Edit', { file_path: '/srv/src/a.ts', old_string: 'x', new_string: 'y' }),
      ...done('2', 'write', { path: 'docs/b.md', content: 'see src/never.ts' }),
      ...done('3', 'str_replace_based_edit_tool', { command: 'str_replace', path: '/srv/src/a.ts' }),
      ...done('4', 'apply_patch', { input: '*** Begin Patch\n*** Add File: src/c.ts\n+x\n*** End Patch' }),
      ...done('5', 'exec', { command: 'git mv old.ts new.ts && rm -f gone.log' }),
      ...[6, 7, 8].flatMap((id) => done(`${id}`, 'Read', { file_path: 'README.md' })),
      ...done('9', 'Read', { file_path: 'once.ts' }),
      runs('10', 'Edit', { file_path: 'locked.ts' }),
      fails('10', 'permission denied'),
    ];
    expect(section('Files & Context', ...messages).toSorted()).toEqual([
      '`/srv/src/a.ts` changed 2×, last edited',
      '`docs/b.md` written',
      '`gone.log` deleted',
      '`new.ts` renamed',
      '`old.ts` renamed',
      '`src/c.ts` created',
    ]);
  });

  test('lists errors with their resolution and corrections by the user; a line of source code does not count', () => {
    const messages = [
      runs('t1', 'bash', { command: 'npm test' }),
      fails('t1', 'start\nTypeError: x is not a function\nat y'),
      runs('t2', 'Read', { file_path: 'src/a.ts' }),
      answers('t2', 'throw new Error("failed");\nError: this is documentation'),
      runs('t3', 'bash', { command: 'grep -rn Error src' }),
      answers('t3', 'src/a.ts:3: Error: no'),
      runs('t6', 'powershell', { command: 'Get-EventLog -List' }),
      answers(
        't6',
        'Status   Name            DisplayName\nError    W32Time         Windows Time\nFailed   Spooler         Print Spooler',
      ),
      runs('t7', 'powershell', { command: 'Get-Help run.ps1' }),
      answers('t7', 'description: repairs what was not found'),
      says('user', 'No, use the other one.'),
      says('user', 'No error, now!'),
    ];
    const step = commits(messages);
    expect(items(step, 'Errors & Corrections')).toEqual([
      'User: No, use the other one.',
      '`npm test`: TypeError: x is not a function',
    ]);
    const later = mergeMessagesByRules(
      step.merge.document,
      step.ledger,
      log(runs('t4', 'edit', { path: 'src/a.ts' }), answers('t4'), calls('t5'), answers('t5', '12 tests pass')),
    );
    expect(items(later, 'Errors & Corrections')[0]).toBe(
      '`npm test`: TypeError: x is not a function – resolved: it worked after a change of src/a.ts',
    );
  });

  test('keeps unanswered questions open across commits, and moves an answer to the facts with its question', () => {
    const step = commits(
      [says('user', 'Is it fast?'), says('assistant', 'Yes.')],
      [says('user', 'Who rotates the keys?'), says('assistant', 'I do not know, let me check later.')],
      [says('assistant', 'Which region should I use?'), says('user', 'not sure yet, 待定')],
    );
    expect(items(step, 'Open Issues').toSorted()).toEqual(['Which region should I use?', 'Who rotates the keys?']);
    const answered = mergeMessagesByRules(
      step.merge.document,
      step.ledger,
      log(says('user', 'eu-west-1'), says('assistant', 'Done.')),
    );
    expect(items(answered, 'Open Issues')).toEqual([]);
    expect(items(answered, 'Key Facts & Decisions')[0]).toBe('Which region should I use? – eu-west-1');
  });

  test.each([
    ['User has answered your questions: ', ". You can now continue with the user's answers in mind."],
    ['Your questions have been answered: ', '. You can now continue with these answers in mind.'],
    ['The user answered: ', '. Read the answers carefully.'],
  ])('records a choice in a form of the host as decided, whatever text comes before: %s', (before, after) => {
    const chosen =
      '"Which cache?"="Redis (Recommended)", "Who may see the tab "Past"?"="owners, "staff" too", "How long?"="what is usual?", "What next?"="Start /workflows:work", "Which quota?"="Not sure", "And new keys?"="pending, approved by me"';
    const form = runs('q', 'AskUserQuestion', { questions: [] });
    const step = commits([form, answers('q', `${before}${chosen}${after}`)]);
    expect(items(step, 'Key Facts & Decisions').toSorted()).toEqual([
      'And new keys? – pending, approved by me',
      'Which cache? – Redis (Recommended)',
      'Who may see the tab "Past"? – owners, "staff" too',
    ]);
    expect(items(step, 'Open Issues')).toEqual(['what is usual?']);
  });

  test('completes a short answer with the agent’s question', () => {
    const asked = says('assistant', 'Which of these, Redis (1) or Valkey (2)?');
    const state = (answer: string): string => section('Current State', asked, says('user', answer)).join('\n');
    expect(state('1')).toContain('Last request: 1 ("Which of these, Redis (1) or Valkey (2)?")');
    const offer = says('assistant', 'Shall I delete the old cache?');
    expect(section('Task & Goals', offer, says('user', 'yes, please do'))).toEqual([
      'yes, please do – to: Shall I delete the old cache?',
    ]);
    expect(section('Task & Goals', says('user', 'yes, please do'))).toEqual([]);
  });

  test('records an interrupted message that was changed and sent again once, across commits', () => {
    const start = 'please print a shorter warning where another session of the agent is still open in the same folder';
    const [first, second] = [says('user', `${start}, say yes`), says('user', `${start}, say no`)];
    const third = says('user', `${start}, and ask`);
    expect(section('Task & Goals', first, second, third)).toEqual([`${start}, and ask`]);
    const step = commits([first], [third]);
    expect(items(step, 'Task & Goals')).toEqual([`${start}, and ask`]);
    expect(step.merge.sections['Task & Goals'].removed).toEqual([
      { item: `${start}, say yes`, reason: 'sent again, changed' },
    ]);
  });

  test('records a whole message as a task, and a question only after a change was made for it', () => {
    const edit = runs('e', 'Edit', { file_path: '/srv/list.go' });
    const asked = says('user', 'Can you sort the branches by date?');
    const mixed = says('user', 'The list is too long for my screen. Could we cut it at 20 lines?');
    const question = says('user', 'How does the list know which branch is merged?');
    expect(section('Task & Goals', asked, says('assistant', 'Like this?'), says('user', 'yes please'), edit)).toEqual([
      'Can you sort the branches by date?',
    ]);
    expect(section('Task & Goals', asked, mixed, edit)).toEqual([
      'The list is too long for my screen. Could we cut it at 20 lines?',
    ]);
    expect(section('Task & Goals', asked, edit, mixed, question, says('assistant', 'By the merge base.'))).toEqual([
      'The list is too long for my screen. Could we cut it at 20 lines?',
      'Can you sort the branches by date?',
    ]);
  });

  test('records a choice or an agreement with its content', () => {
    const tasks = (offer: string, answer: string) =>
      section('Task & Goals', says('assistant', offer), says('user', answer)).join();
    const list = 'Two ways:\n\n1. **Keep** the old table\n2. Copy it to a new one\n\nWhich one?';
    const offer = 'Two ways: 1. Keep the old table; 2. Copy it to a new one Which one?';
    expect(tasks(list, '2')).toBe(`2 – to: ${offer}`);
    expect(tasks(list, '1 and 2')).toBe(`1 and 2 – to: ${offer}`);
    expect(tasks('Either (a) ask the team, or (b) leave it alone. Which?', 'b')).toBe(
      'b – to: Either (a) ask the team, or (b) leave it alone. Which?',
    );
    const both = 'Done.\n\nWant me to:\n- Add a test for the parser?\n- Link the page from the index?';
    expect(tasks(both, 'yes to both')).toBe(
      'yes to both – to: Want me to: Add a test for the parser?; Link the page from the index?',
    );
    const delay = 'How long should a step wait by default? (e.g. 50ms, 100ms)';
    expect(tasks(delay, '250ms')).toBe('250ms – to: How long should a step wait by default?');
    expect(tasks('Si tu valides la palette, je construis les pages.', 'je valide')).toBe(
      'je valide – to: Si tu valides la palette, je construis les pages.',
    );
    expect(tasks('The pages are built.', 'thanks')).toBe('');
    expect(tasks('What I changed:\n- The parser\n- The index page of the docs', 'ok')).toBe('');
  });

  test('uses a request with a link as title where files are edited, but not the line before a code fence', () => {
    const done = [says('assistant', 'Looking.'), runs('e', 'Edit', { file_path: '/srv/a.ts' })];
    const first = says('user', 'given this PR, check the comments https://github.com/a/b/pull/444');
    expect(section('Session Title', first, ...done, says('user', 'but does it need to be fixed?'))).toEqual([
      'given this PR, check the comments',
    ]);
    const led = says('user', 'Given this as a context: ```We are adding a login.\nWhere does it go?```');
    expect(section('Session Title', led, ...done)[0]).toContain('We are adding a login');
  });

  test('records an instruction with "always" or "never" as a rule, and a description as none', () => {
    const facts = (text: string) =>
      section('Key Facts & Decisions', runs('e', 'Edit', { file_path: 'a.go' }), says('user', text));
    expect(facts('The call returns early and never executes the default branch.')).toEqual([]);
    expect(facts('Return early and never pass the default branch.')).toHaveLength(1);
  });

  test('records "stop" as a correction when it stops something, not in the name of a hook', () => {
    const told = (text: string) => section('Errors & Corrections', says('user', text));
    expect(told('Stop hook says that it runs')).toEqual([]);
    for (const text of ['stop, that is wrong', 'stop doing that']) expect(told(text)).toEqual([`User: ${text}`]);
  });

  test('names the last command that ran and was not refused, without "cd"', () => {
    const run = (id: string, command: string) => runs(id, 'bash', { command });
    const refused = fails('b', "The user doesn't want to proceed with this tool use.");
    const state = section(
      'Current State',
      run('a', 'cd /srv/app\nnpm test'),
      answers('a'),
      run('b', 'rm x.ts'),
      refused,
    );
    expect(state).toEqual(['Last command: `npm test` – done: ok']);
  });

  test('closes a postponed question only with words about it', () => {
    const asked = [says('assistant', 'Which provider sends the text messages?'), says('user', 'Not sure yet.')];
    const other = [...asked, says('user', 'The cache port moved to 6390.'), says('assistant', 'Done.')];
    expect(section('Open Issues', ...other)).toEqual(['Which provider sends the text messages?']);
    const answered = [...other, says('user', 'Take Twilio as the provider of text messages.')];
    expect(section('Open Issues', ...answered)).toEqual([]);
  });

  test('records no decision from a postponed answer', () => {
    const putOff = [says('assistant', 'When do we release?'), says('user', 'later, I do not know yet')];
    expect(section('Key Facts & Decisions', ...putOff)).toEqual([]);
    expect(section('Open Issues', ...putOff)).toEqual(['When do we release?']);
  });

  test('records a bare yes with the offer that it accepts', () => {
    const messages = [says('assistant', 'I found it. Shall I delete the old cache?'), says('user', '👍')];
    expect(section('Task & Goals', ...messages)).toEqual(['👍 – to: Shall I delete the old cache?']);
  });

  test('records a statement of state as a fact, or as a request where files are edited', () => {
    const told = [says('user', 'The staging port is 6380. Never deploy on Fridays.')];
    const worked = [...told, runs('t1', 'Edit', { file_path: 'src/a.ts' }), answers('t1')];
    expect(section('Key Facts & Decisions', ...told)).toHaveLength(2);
    expect(section('Key Facts & Decisions', ...worked)).toEqual(['Never deploy on Fridays.']);
    expect(section('Task & Goals', ...worked)).toEqual(['The staging port is 6380.']);
  });

  test('records only lasting statements as facts where the agent shows code, runs commands or reads files', () => {
    const told = says(
      'user',
      'The list must be sorted by date. The staging port is 6380. From now on the project is named Beacon.',
    );
    const rule = 'From now on the project is named Beacon.';
    expect(section('Key Facts & Decisions', told)).toContain('The staging port is 6380.');
    const code = says('assistant', 'Like this:\n```ts\nlist.sort();\n```');
    expect(section('Key Facts & Decisions', told, code)).toEqual([rule]);
    expect(section('Key Facts & Decisions', told, calls('t1'), answers('t1'))).toEqual([rule]);
    const read = [runs('t1', 'Read', { file_path: 'src/a.ts' }), answers('t1')];
    expect(section('Key Facts & Decisions', told, ...read)).toEqual([rule]);
    // In later commits, too.
    expect(items(commits([...read, code], [told]), 'Key Facts & Decisions')).toEqual([rule]);
  });

  test.each([
    'Remember the admin page is for the web only.',
    'Also remember our text engine is limited in what it can show.',
    'Keep in mind that there will be orders without a price.',
    'Do not build the website on every run.',
    'Continue with the plan, but do not ask for a commit after each phase.',
    'I think we should raise the version of both each time we make changes',
    'Run the tests after each slice.',
    'Do not add new services without asking.',
    'Discuss with me any change before deleting it.',
    'I do not want more pages unless I ask for them.',
    'Every change must be traceable to an issue.',
    "I'm using podman on my machine.",
    'We should never be in demo mode in production.',
    'We do not need different kinds of lists.',
    'Do not restart ngrok as the address is known to others.',
    'Fix the form, but do not add extra packages.',
    'Every new file needs to have a comment with its ticket.',
    "I'd prefer to use classes over style objects.",
    'todo se debe manejar con migraciones.',
    '以后提交之前先跑一遍测试',
    '所有测试都要端到端',
    '日本語で答えて',
  ])('records rules for working where something is made: %s', (text) => {
    const code = says('assistant', '```\nx\n```');
    expect(section('Key Facts & Decisions', says('user', text), code)).toEqual([text]);
  });

  test('records the language to answer in, and things to remember, without the words before', () => {
    const code = says('assistant', '```\nx\n```');
    const facts = (text: string) => section('Key Facts & Decisions', says('user', text), code);
    expect(facts('更新说明文件，使用中文回答')).toEqual(['使用中文回答']);
    expect(facts('It seems that we have much code now - but still keep in mind the layers of the house.')).toEqual([
      'keep in mind the layers of the house.',
    ]);
  });

  test.each([
    'La carte ne s’affiche toujours pas dans la fenêtre.',
    'The error does not always occur on start.',
    'Plan a memory which the bot can also remember.',
    'If you must use the server, mind the paths.',
    'Possibly we need to always pass the layers in.',
    'Remember to also update src/index.ts.',
    '继续，写库的同时记得把 MainActivity 中的逻辑也改掉',
    '当前文件的颜色不要写死，改成主题色',
    'The option is defined for the command but never read anywhere.',
    'We must have missed a folder somewhere.',
    'We must grow bolder with every release.',
    'The tables are broken and do not seem to exist.',
    'Do not start step four yet.',
    'Do not change the width of the page.',
    'No we need to use the table of names here.',
    'The figures are not right, always == 0',
    'Add a legend to the page after every second chart',
    'I do not want the boxes on the page.',
    'The form is unable to remember and show facts.',
    'Please remember that for your next plan.',
    'Each time I open the window it adds another copy of the button.',
    'Can you update the build so that it pushes the bundle each time',
    'Work through the following list, committing after each item.',
    'We use the first four words as the name of the file.',
    '导入完了以后、页面没有更新，是不是查询不对呢',
    '进入编辑器以后没有正常显示文字。',
    '后台总是报错，日志里什么都没有',
    '这个应该由前端来决定，可以跟我讨论',
    '你都来决定',
    '所有的按钮都改成蓝色',
  ])('records no rule from a text that only sounds like one: %s', (text) => {
    const code = says('assistant', '```\nx\n```');
    expect(section('Key Facts & Decisions', says('user', text), code)).toEqual([]);
  });

  test('keeps long requests whole while there is room, with their decisions', () => {
    const long = (i: number) =>
      `Build part ${i} of the page. ${'It shows one more row of the list. '.repeat(10)}Part ${i} keeps its zone when it is off.`;
    const asked = (count: number) =>
      section('Task & Goals', ...Array.from({ length: count }, (_, i) => says('user', long(i))));
    expect(asked(3)).toEqual([long(2), long(1), long(0)]);
    const many = asked(25);
    expect(many).toHaveLength(25);
    expect(many[0]?.length).toBe(300);
  });

  test('records a requested list as requests, and no rule from a text with the layout of a given one', () => {
    const asked = (item: string) => `We’ve spent much time on the tests. Please propose how you’d address these.
- Is there anything we can do about races?
- the session name is not needed
- never use grep, but rather jq
- ${item}

${'The focus is on everything in that folder. '.repeat(9)}`;
    const typed = says('user', asked('the log comes last'));
    expect(section('Task & Goals', typed)[0]).toContain('Please propose how you’d address these.');
    expect(section('Key Facts & Decisions', typed)).toEqual(['never use grep, but rather jq']);
    const given = says('user', asked(`**Log**: ${'they keep a log of their work, and of that '.repeat(3)}the changes`));
    expect(section('Task & Goals', given)[0]).toContain('never use grep, but rather jq');
    expect(section('Key Facts & Decisions', given)).toEqual([]);
  });

  test('treats even one indented line of code as pasted', () => {
    const text =
      'This is our script:\n\n          You have write access, but you must never edit pull requests.\n\nFix it please';
    expect(section('Task & Goals', says('user', text))[0]).not.toContain('write access');
    expect(section('Key Facts & Decisions', says('user', text))).toEqual([]);
  });

  test('gives a title about the work: no image, log or address, and the purpose of a stored prompt', () => {
    const title = (...said: readonly string[]): string =>
      section('Session Title', ...said.map((text) => says('user', text))).join();
    expect(title('0:08:02 [state] disconnected\n0:09:11 [error] socket closed', 'the panel can not connect')).toBe(
      'the panel can not connect',
    );
    const persona = 'You must be this agent in all you say.\n\n<agent-activation>\n1. Load it.\n</agent-activation>';
    expect(title(persona, 'add git flow to my project')).toBe('add git flow to my project');
    expect(title('<subagent_notification>\n{"status":"the port of the server is 3"}\n</subagent_notification>')).toBe(
      '',
    );
    expect(title('<skill>\n<name>install</name>\nHelps to install skills.\n</skill>', 'add the skill of slides')).toBe(
      'add the skill of slides',
    );
    expect(title('エラーを解消して', '設定ファイルの場所をすべて移動してください')).toBe('エラーを解消して');
    expect(title('[Image #1] the badge stands too low')).toBe('the badge stands too low');
    expect(title('@"D:\\my files\\Deck of the meeting V15.pptx"', 'read and sum up the deck')).toBe(
      'read and sum up the deck',
    );
    const prompt = '---\ndescription: Write the plan of a feature\n---\n\nNever make a new template.';
    expect(title(prompt)).toBe('Write the plan of a feature');
    expect(section('Key Facts & Decisions', says('user', prompt))).toEqual([]);
    const typed = '## User Input\n\n```text\ngo on with phase 4\n```\n\nConsider it.\n\n## Outline\n\n1. Look.';
    expect(title(typed)).toBe('User Input: go on with phase 4');
  });

  test('takes no rule from tags of programs', () => {
    const facts = (...said: readonly string[]) =>
      section('Key Facts & Decisions', ...said.map((text) => says('user', text)));
    const tagged = (tag: string) => `Never break character.\n\n<${tag}>\n1. Load the file.\n</${tag}>`;
    expect(facts(tagged('agent-activation'))).toEqual([]);
    expect(facts('never break the header:\n\n<div>\n<b>a</b>\n</div>\nalways keep the old names')).toHaveLength(1);
  });

  test('takes no statement from text of a harness', () => {
    const messages = [
      says('user', '[Request interrupted by user for tool use]'),
      says('user', '<task-notification>We decided to use port 1.</task-notification>'),
      says('user', 'This session is being continued from a previous conversation. We always use port 2.'),
      says('user', '[Sat 2026-11-21 18:00 UTC] always use port 3\n[message_id: 17]'),
      says('user', '<command-name>/fix</command-name><command-args>never use port 4</command-args>'),
      says(
        'user',
        '# Context from my IDE setup:\n\n## Open tabs:\n- a.js: api/a.js\n\n## My request for Codex:\nnever use port 5',
      ),
    ];
    expect(section('Key Facts & Decisions', ...messages)).toEqual([
      'never use port 5',
      'never use port 4',
      'always use port 3',
    ]);
  });

  test('has a ledger without the words of the document, and still reads older ledgers with them', () => {
    const step = commits([
      says('user', 'Never deploy on Fridays. Which port is it?'),
      runs('t1', 'Edit', { file_path: 'src/a.ts' }),
      answers('t1'),
      runs('t2', 'bash', { command: 'npm test' }),
      fails('t2', 'TypeError: x is not a function'),
    ]);
    const { document } = step.merge;
    const written = formatLedger(step.ledger, document);
    expect(written).not.toMatch(/Fridays|TypeError/);
    expect(parseLedger(written, document)).toEqual(step.ledger);
    expect(parseLedger(JSON.stringify(step.ledger), document)).toEqual(step.ledger);
    const edited = document.replace('- Never deploy on Fridays.\n', '');
    expect(parseLedger(written, edited).entries).toHaveLength(step.ledger.entries.length - 1);
  });

  test('records nothing twice', () => {
    const messages = [says('user', 'We decided to use port 6380 in src/a.ts.'), answers('t', 'Error: no')];
    expect(commits(messages, messages).merge.document).toBe(commits(messages).merge.document);
  });

  test('drops and names the oldest items of a full section, and never refuses the newest', () => {
    const rule = (i: number) => `We must always keep rule number ${i} of ${'the long list '.repeat(8)}`.trim();
    const step = commits(...Array.from({ length: 200 }, (_, i) => [says('user', rule(i))]));
    const facts = items(step, 'Key Facts & Decisions');
    expect(facts[0]).toBe(rule(199));
    expect(facts.length).toBeGreaterThan(40);
    expect(estimateTokens(facts.join('\n'))).toBeLessThanOrEqual(2_000);
    const [removed] = step.merge.sections['Key Facts & Decisions'].removed;
    expect(removed?.item).toBe(rule(199 - facts.length));
    expect(removed?.reason).toContain('oldest');
  });

  test('keeps lines of others above the older lines of the rules', () => {
    const document = merged(null, log(says('user', 'The port is 8001.'))).replace(
      '- The port is 8001.',
      '- written by a model',
    );
    const step = mergeMessagesByRules(document, EMPTY_LEDGER, log(says('user', 'The host is hz-3.')));
    expect(items(step, 'Key Facts & Decisions')).toEqual(['The host is hz-3.', 'written by a model']);
  });

  test('stays valid and loses nothing of the old one, whatever the messages', () => {
    const said = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('## Open Issues', '```', '- W', '<!--', '# x\n---'),
    );
    const draft = fc.tuple(fc.constantFrom('user' as const, 'assistant' as const), fc.array(said, { maxLength: 5 }));
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 6 }), fc.array(draft, { maxLength: 6 }), (before, after) => {
        const messages = (list: typeof before) => log(...list.map(([role, lines]) => says(role, lines.join('\n'))));
        const old = merged(null, messages(before));
        const { ledger } = mergeMessagesByRules(null, EMPTY_LEDGER, messages(before));
        const { merge } = mergeMessagesByRules(old, ledger, messages(after));
        expect(merge.lost).toEqual([]);
        expect(merge.document).toMatch(/^# Working Memory\n/);
      }),
      { numRuns: cases(150) },
    );
  });

  const COUNT = cases(2_500, 1_500);

  test('reads thousands of messages in steps and can be stopped between them', async () => {
    const messages = log(
      ...Array.from({ length: COUNT }, (_, i) => says('user', `The port of unit-${i} is ${2_000 + i}.`)),
    );
    const input = { old: null, messages, ledger: EMPTY_LEDGER };
    const { document, merges, ledger } = await updateByRules(input, 'none');
    expect(document).toContain(`The port of unit-${COUNT - 1} is ${1_999 + COUNT}.`);
    expect(merges.flatMap(({ lost }) => lost)).toEqual([]);
    expect(ledger.messages).toBe(COUNT);
    const stop = new AbortController();
    const stopped = updateByRules({ ...input, signal: stop.signal }, 'none');
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ failure: { type: 'interrupted' } });
  });

  test('reads megabytes of output and of one line quickly', () => {
    const long = log(
      answers('t1', 'a/'.repeat(2_000_000)),
      says('user', `${'x'.repeat(2_000_000)}?`),
      answers('t2', '\n'.repeat(2_000_000)),
    );
    expect(effort(() => mergeMessagesByRules(null, EMPTY_LEDGER, long))).toBeLessThan(300);
  });
});
