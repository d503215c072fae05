import { cpSync } from 'node:fs';
import ts from '@typescript/typescript6';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as library from '../../src/app/index.js';
import { publicNames } from '../support/examples.js';
import { git } from '../support/git.js';
import { FakeOllama } from '../support/ollama/server.js';
import { testWorkspace } from '../support/test-workspace.js';
import { NOW, TemporaryWorkspace } from '../support/workspace.js';

const FILES = {
  'MEMORY.md': '# Memory\n\n- Anna likes cats.\n',
  'memory/2026-03-12.md':
    '# 2026-03-12\n\n## Retain\n- W @Peter: lives in Vienna\n- O(c=0.9) @Peter: prefers short replies\n',
  'memory/2026-03-14.md': '## Retain\n- W @Anna: works at the library in Graz\n',
  'bank/opinions.md':
    '# Opinions\n\n- O(c=0.80) @Peter: Prefers tea in the morning. ^o-7k3m2q9x1a4bc\n  - prior: 0.80 (2026-01-02)\n',
  'bank/proposals/2026-03-13.md': '- [ ] add to the core: Peter lives in Vienna. (said on 3 days)\n',
  'WhatsApp Chat with Bo.txt': '12.03.26, 09:20 - Bo: The spare key is in the blue pot\n',
  '.gitignore': '.memory/\nsessions/\n',
};

const said = (role: 'user' | 'assistant', text: string) => ({
  role,
  parts: [{ type: 'text' as const, text }],
  timestamp: null,
});
const CHAT = [said('user', 'where is the cache?'), said('assistant', 'on port 6380'), said('user', 'and the tests?')];

let server: FakeOllama;
/** A committed workspace of which each example gets a copy. */
let template: TemporaryWorkspace;

beforeAll(async () => {
  server = await new FakeOllama().start();
  template = new TemporaryWorkspace(FILES);
  const { root } = template;
  template.write('memory.config.json5', JSON.stringify({ ollamaHost: server.url }));
  await git(root, 'init', '--quiet');
  await git(root, 'config', 'user.name', 'Anna');
  await git(root, 'config', 'user.email', 'anna@example.org');
  await git(root, 'add', '.');
  const day = '2026-03-13T00:00:00Z';
  const committer = ['env', `GIT_COMMITTER_DATE=${day}`, 'git', 'commit'];
  await git(root, '-c', `alias.begin=!${committer.join(' ')}`, 'begin', '--quiet', '--message', 'begin', '--date', day);
});
afterAll(async () => {
  template.dispose();
  await server.stop();
});

/** Every name that an example may use. */
async function surroundings() {
  const { root, env } = testWorkspace();
  cpSync(template.root, root, { recursive: true, preserveTimestamps: true });
  const memory = await library.openWorkspace({ workspace: root, now: NOW, timezone: 'UTC', env });
  const sessions = await memory.sessions();
  await sessions.add('chat', { messages: CHAT });
  const more = {
    reflection: await memory.reflection(),
    extraction: await memory.extraction(),
    embeddingModels: await memory.embeddingModels(),
    chatModels: await memory.chatModels(),
    proposals: await memory.proposals(),
  };
  return { ...library, folder: root, memory, sessions, ...more, history: await memory.history() };
}

test.each(publicNames())('the docstring example of $name does what it says', async ({ name, example = '' }) => {
  const checked = example.replace(/^(.+); \/\/ => (.+)$/gm, 'expect($1).toEqual($2);');
  expect(checked, `${name} has an example that says what comes out`).toContain('expect(');
  const { outputText } = ts.transpileModule(checked, { compilerOptions: { target: ts.ScriptTarget.ES2023 } });
  const given = { ...(await surroundings()), expect };
  const run = new Function(...Object.keys(given), `return (async () => {${outputText}\n})();`);
  await run(...Object.values(given));
});
