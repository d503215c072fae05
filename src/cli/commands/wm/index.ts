import type { DefineCommand } from '../../command.js';
import { defineApply } from './apply.js';
import { defineMerge } from './merge.js';
import { definePrompt } from './prompt.js';
import { defineShow } from './show.js';

export const define: DefineCommand = (command, run) => {
  command.addHelpText(
    'after',
    '\nExample:\n  openclaw memory wm prompt --old wm.md --messages messages.jsonl > prompt.txt\n' +
      '  openclaw memory wm merge --old wm.md --ops answer.json > new-wm.md',
  );
  for (const step of [defineMerge, definePrompt, defineApply, defineShow]) step(command, run);
};
