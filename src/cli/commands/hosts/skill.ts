import { ExitCode } from '../../../base/failure.js';
import { SKILL_HOSTS, skillPath, skillText, writeSkill } from '../../../context/skill.js';
import { homeFolder } from '../../../workspace/openclaw-config.js';
import { openFor } from '../../open.js';
import { verb } from '../../verb.js';

export const define = verb({
  takes: {
    write: { type: 'boolean', doc: 'install it, or bring it up to date' },
    host: { type: 'choice', noun: 'host', choices: SKILL_HOSTS, default: 'openclaw', doc: 'whose skill' },
  },
  more: `Tells an agent when to use which command. OpenClaw finds it in the workspace,
Claude Code in ~/.claude. A file that a person has changed stays.`,
  examples: ['skill --write --host claude-code'],
  run: async (context, { write, host = 'openclaw' }) => {
    const { out, io } = context;
    if (!write) {
      const text = skillText();
      out.answer(text.trimEnd(), { text });
      return ExitCode.done;
    }
    const workspace = host === 'openclaw' ? (await openFor(context)).root : '';
    const home = homeFolder({ env: io.env, profile: undefined });
    const path = skillPath(host, { workspace, home });
    const changed = writeSkill(path);
    out.answer(changed ? `wrote ${path}` : `${path} is up to date`, { path, changed });
    return ExitCode.done;
  },
});
