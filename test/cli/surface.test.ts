import { expect, test } from 'vitest';
import * as library from '../../src/app/index.js';
import { isRecord } from '../../src/base/json.js';
import { MCP_TOOLS } from '../../src/mcp/server.js';
import { commandNamed, globalFlags, knownCommands } from '../support/commands.js';
import { publicNames } from '../support/examples.js';

/** The public interface. A change here is visible to users and must be intended. */
test('the recorded list has every command with its options, every tool with its arguments and every method', async () => {
  const commands = await Promise.all(
    (await knownCommands()).map(async ({ name, usage }) => {
      const { options } = await commandNamed(name);
      return [usage, ...options.filter(({ hidden }) => !hidden).map(({ flags }) => `  ${flags}`)].join('\n');
    }),
  );
  const tools = MCP_TOOLS.map(({ name, inputSchema }) => {
    const { properties, required } = inputSchema;
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    return [
      name,
      ...Object.keys(isRecord(properties) ? properties : {}).map((key) => `  ${key}${needed.includes(key) ? '' : '?'}`),
    ].join('\n');
  });
  const list = [
    '# Options of every command',
    ...(await globalFlags()),
    '',
    '# Commands',
    ...commands,
    '',
    '# Tools',
    ...tools,
    '',
    '# Library',
    ...Object.keys(library).sort(),
    '',
    ...publicNames()
      .map(({ name }) => name)
      .sort(),
  ];
  await expect(`${list.join('\n')}\n`).toMatchFileSnapshot('surface.txt');
});
