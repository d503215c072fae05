import { skillText } from '../../../context/skill.js';
import { verb } from '../../verb.js';

const SKILLED = ['openclaw', 'claude-code'] as const;

export const define = verb({
  takes: {
    write: { type: 'boolean', doc: 'install it, or bring it up to date' },
    host: { type: 'choice', noun: 'host', choices: SKILLED, default: 'openclaw', doc: 'whose skill' },
  },
  more: `Tells an agent when to use which command. OpenClaw finds it in the workspace,
Claude Code in ~/.claude. A file that a person has changed stays. "connect" does
it, too, and "disconnect" takes it away.`,
  examples: ['skill --write --host claude-code'],
  run: async (context, { write, host = 'openclaw' }) => {
    const { out } = context;
    const text = skillText();
    if (!write) return out.answer(text.trimEnd(), { text });
    const { connectParts } = await import('./connection.js');
    const { path, changed } = await connectParts(context, { host, part: 'skill' });
    out.answer(changed ? `wrote ${path}` : `${path} is up to date`, { path, changed });
  },
});
