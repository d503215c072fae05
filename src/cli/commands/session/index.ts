import type { DefineCommand } from '../../command.js';
import { defineAdd } from './add.js';
import { defineAfterTurn } from './after-turn.js';
import { defineCommit } from './commit.js';
import { defineCompact } from './compact.js';
import { defineContext } from './context.js';
import { defineExpand } from './expand.js';
import { defineImport } from './import.js';
import { defineList } from './list.js';
import { defineResume } from './resume.js';
import { defineSearch } from './search.js';
import { defineShow } from './show.js';
import { defineStatus } from './status.js';

const STEPS = [
  defineAdd,
  defineImport,
  defineAfterTurn,
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
