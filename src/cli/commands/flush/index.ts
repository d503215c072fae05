import { fail } from '../../../base/failure.js';
import type { DefineCommand } from '../../command.js';
import { defineApply } from './apply.js';
import { defineCheck } from './check.js';
import { definePrompt } from './prompt.js';
import { defineRun } from './run.js';

export const define: DefineCommand = (command, run) => {
  command
    .addHelpText(
      'after',
      '\nExample:\n  openclaw memory flush check --tokens 178000 --context-window 200000\n' +
        '  openclaw memory flush run --session chat-1',
    )
    .allowExcessArguments()
    .action(() => run(() => noSuchCommand(command.args[0])));
  for (const step of [defineCheck, defineRun, definePrompt, defineApply]) {
    step(command, run).configureOutput({ writeErr: () => {} });
  }
};

function noSuchCommand(name: string | undefined): never {
  const message = name === undefined ? 'flush needs a command' : `unknown command "flush ${name}"`;
  return fail('usage', message, 'use flush check, run, prompt or apply; see openclaw memory flush --help');
}
