import { skillText } from '../../../context/skill.js';
import { defineVerb } from '../../verb.js';

const SKILLED = ['openclaw', 'claude-code'] as const;

export const define = defineVerb({
  takes: {
    write: { type: 'boolean', doc: 'install or update the skill' },
    host: { type: 'choice', noun: 'host', choices: SKILLED, default: 'openclaw', doc: 'the host of the skill' },
  },
  more: `The skill tells an agent when to use which command. OpenClaw reads it from the
workspace, Claude Code from ~/.claude. A skill that you changed is never
overwritten. "connect" installs the skill too, and "disconnect" removes it.`,
  examples: ['skill --write --host claude-code'],
  run: async (context, { write, host = 'openclaw' }) => {
    const { out } = context;
    const text = skillText();
    if (!write) return out.answer(text.trimEnd(), { text });
    const { changeConnectionPart } = await import('./connection.js');
    const { path, changed } = await changeConnectionPart(context, { host, part: 'skill' });
    out.answer(changed ? `wrote ${path}` : `${path} is up to date`, { path, changed });
  },
});
