import type { DefineCommand } from '../../command.js';
import { defineAdd, defineList, defineStatus } from './add.js';
import { defineCommit, defineCompact, defineResume } from './commit.js';
import { defineContext, defineExpand, defineImport, defineSearch, defineShow } from './show.js';

const STEPS = [
  defineAdd,
  defineImport,
  defineList,
  defineStatus,
  defineShow,
  defineCommit,
  defineCompact,
  defineResume,
  defineContext,
  defineExpand,
  defineSearch,
];

export const define: DefineCommand = (command, run) => {
  command.addHelpText(
    'after',
    '\nExample:\n  openclaw memory session add chat-1 --role user --text "use Redis, port 6380"\n' +
      '  openclaw memory session status chat-1\n  openclaw memory session commit chat-1',
  );
  for (const step of STEPS) step(command, run);
};
