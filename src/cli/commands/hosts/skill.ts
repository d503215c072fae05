import { Option } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import { SKILL_HOSTS, type SkillHost } from '../../../context/skill.js';
import type { CommandContext, DefineCommand } from '../../command.js';
import { openFor } from '../../open.js';

interface Options {
  readonly write?: boolean;
  readonly host: SkillHost;
}

export const define: DefineCommand = (command, run) => {
  command
    .option('--write', 'install it, or bring it up to date')
    .addOption(new Option('--host <host>', 'whose skill').choices([...SKILL_HOSTS]).default('openclaw'))
    .addHelpText(
      'after',
      '\nTells an agent when to use which command. OpenClaw finds it in the workspace,\nClaude Code in ~/.claude. A file that a person has changed stays.\n\nExample:\n  openclaw memory skill --write --host claude-code',
    )
    .action((options: Options) => run((context) => skill(context, options)));
};

async function skill(context: CommandContext, { write, host }: Options): Promise<ExitCode> {
  const { out, io } = context;
  const [{ skillPath, skillText, writeSkill }, { homeFolder }] = await Promise.all([
    import('../../../context/skill.js'),
    import('../../../workspace/openclaw-config.js'),
  ]);
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
}
