import { completionScript, SHELLS } from '../completion/scripts.js';
import { commandTree } from '../completion/tree.js';
import { verb } from '../verb.js';

export const define = verb({
  takes: {
    shell: { type: 'choice', noun: 'shell', choices: SHELLS, required: true, place: 'argument', doc: 'your shell' },
  },
  examples: ['source <(openclaw memory completion bash)'],
  run: async (context, { shell }) => {
    const script = completionScript(shell, await commandTree(context.commands));
    context.out.answer(script, { shell, script });
  },
});
