import type { DefineCommand } from '../../command.js';
import { defineAppend } from './append.js';
import { defineInsert } from './insert.js';
import { defineProposals } from './proposals.js';
import { defineReplace } from './replace.js';
import { defineSettle } from './settle.js';
import { defineShow } from './show.js';

export const define: DefineCommand = (command, run) => {
  command.addHelpText('after', '\nExample:\n  openclaw memory core append "- Peter lives in Vienna" --section People');
  defineShow(command, run);
  defineAppend(command, run);
  defineReplace(command, run);
  defineInsert(command, run);
  defineProposals(command, run);
  defineSettle(command, run, 'accept');
  defineSettle(command, run, 'reject');
};
