import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseModelSettings } from '../../src/workspace/model-settings.js';
import { readOpenClawConfig } from '../../src/workspace/openclaw-config.js';
import { DEFAULT_CHAT_MODEL, DEFAULT_SETTINGS } from '../../src/workspace/settings.js';
import { testWorkspace } from '../support/test-workspace.js';

const OWN = { ...DEFAULT_SETTINGS, ollamaHost: 'own:1', embedModel: 'own-embed' };
const ENV = { OLLAMA_HOST: 'env:2' };
const CONFIG = { ollama: { host: 'http://claw:3', embedModel: 'claw-embed' } };

test.each([
  [OWN, ENV, CONFIG, 'own:1', 'the setting ollamaHost', 'own-embed'],
  [DEFAULT_SETTINGS, ENV, CONFIG, 'env:2', '$OLLAMA_HOST', 'claw-embed'],
  [DEFAULT_SETTINGS, { OLLAMA_HOST: '' }, CONFIG, 'http://claw:3', 'openclaw.json', 'claw-embed'],
  [DEFAULT_SETTINGS, {}, undefined, undefined, 'the default', 'embeddinggemma'],
])(
  'our settings override the environment, and it overrides openclaw.json: %#',
  (settings, env, config, host, from, embed) => {
    const { numCtx, chatLevel } = DEFAULT_SETTINGS;
    const [chatModel, isChatModelNamed] = [DEFAULT_CHAT_MODEL, false];
    const folders = {
      home: '/h',
      config: '/h/.config/openclaw-memory',
      data: '/h/.local/share/openclaw-memory',
      cache: '/h/.cache/openclaw-memory',
    };
    expect(chooseModelSettings(settings, { env: { ...env, HOME: '/h' } }, config, () => true)).toEqual({
      host,
      hostFrom: from,
      embedModel: embed,
      meaning: embed === 'embeddinggemma' ? 'default' : 'named',
      chatModel,
      isChatModelNamed,
      numCtx,
      chatLevel,
      folders,
    });
  },
);

test('the embedding model "none" turns search by meaning off', () => {
  const settings = { ...DEFAULT_SETTINGS, embedModel: 'none' };
  expect(chooseModelSettings(settings, { env: { HOME: '/h' } }, CONFIG, () => true).meaning).toBe('none');
});

const search = {
  provider: 'ollama',
  model: 'nomic-embed-text',
  remote: { baseUrl: 'http://127.0.0.1:4711/v1/' },
};

test.each([
  ['memory.search', { memory: { search } }, { embedModel: 'nomic-embed-text', host: 'http://127.0.0.1:4711' }],
  [
    'agents.defaults.memorySearch',
    { agents: { defaults: { memorySearch: search } } },
    { embedModel: 'nomic-embed-text', host: 'http://127.0.0.1:4711' },
  ],
  ['no model and no address', { memory: { search: { provider: 'ollama' } } }, {}],
  ['another provider', { memory: { search: { ...search, provider: 'openai' } } }, undefined],
])('openclaw.json names the model with which the host searches its memory: %s', async (_, config, ollama) => {
  const { home } = testWorkspace();
  mkdirSync(join(home, '.openclaw'));
  writeFileSync(join(home, '.openclaw/openclaw.json'), JSON.stringify(config));
  const read = await readOpenClawConfig({ env: { HOME: home }, profile: undefined });
  expect(read?.ollama).toEqual(ollama);
});
