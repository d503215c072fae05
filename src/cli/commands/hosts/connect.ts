import { existsSync } from 'node:fs';
import { ExitCode, exitCodeOf, type Failure, fail, MemoryError, toFailure } from '../../../base/failure.js';
import { DRY_RUN_FIELD, type RequestFields } from '../../../base/request.js';
import * as hosts from '../../../upkeep/connect.js';
import { findPrograms, isOnPath } from '../../host/find-host.js';
import { type CommandContext, type DefineCommand, defineVerb } from '../../verb.js';
import {
  type ConnectCommandContext,
  checkHostInstallation,
  findProjectFolder,
  readConnectCommandContext,
} from './connection.js';
import {
  findLauncherPlace,
  installOrRemovePlugin,
  linkLaunchers,
  runHostCommand,
  unlinkLaunchers,
} from './openclaw.js';

const TAKES = {
  host: {
    type: 'choice',
    noun: 'host',
    choices: hosts.HOST_NAMES,
    place: 'argument',
    doc: 'the host (default: all hosts that are found on this machine)',
  },
  project: { type: 'boolean', doc: 'only for the project in the current folder' },
  plugin: {
    type: 'boolean',
    doc: 'with claude-code: write a plugin folder for its own `plugin install`, not settings',
  },
  dryRun: DRY_RUN_FIELD,
} as const satisfies RequestFields;

/** Result for one host. `files` are the files that were changed. In a dry run, they are the files that would be changed. */
interface Outcome {
  readonly host: hosts.HostName;
  readonly project: string | null;
  readonly files: readonly { readonly path: string; readonly part: string; readonly state: string }[];
  readonly notes: readonly string[];
  readonly errors: readonly Failure[];
}

/**
 * The planned work for one host. `steps` is a function that plans the changes of files. It is called just before the
 * changes are made, because the plans of two hosts may change the same file.
 */
interface Plan extends Pick<Outcome, 'host' | 'project' | 'notes'> {
  readonly steps: () => readonly (hosts.FileEditPlan | MemoryError)[];
  /**
   * Actions that are not planned changes of files, such as calls of the host's program. They do not depend on each
   * other. Each returns lines that report what it did.
   */
  readonly acts?: readonly ((dryRun: boolean) => readonly string[])[];
}

export const define: DefineCommand = defineVerb({
  takes: TAKES,
  more: `Adds this MCP server to the settings of the host. Claude Code also gets the
hooks and the skill. OpenClaw gets the plugin and the launcher, installed by
its own commands. The rest of a settings file stays as it is. With --project,
a shared file gets no path of this machine. Undo it with "disconnect".`,
  examples: ['connect --dry-run', 'connect claude-code', 'connect cursor --project'],
  run: async (context, request) => {
    const around = { context, ...(await readConnectCommandContext(context)) };
    const looked = hosts.HOST_NAMES.map((name) => ({ name, ...checkHostInstallation(name, context) }));
    const wanted = request.host === undefined ? looked.filter(({ isThere }) => isThere) : [{ name: request.host }];
    const missing = request.host === undefined ? looked.filter(({ isThere }) => !isThere) : [];
    const project = request.project ? findProjectFolder(context.io.cwd) : undefined;
    if (request.plugin && (request.host !== 'claude-code' || request.project))
      fail(
        'usage',
        '--plugin works only for claude-code, and for all projects',
        'openclaw memory connect claude-code --plugin',
      );
    const plans = request.plugin
      ? [connectingPlugin(around)]
      : wanted.map(({ name }) => connecting(name, project, around));
    const notFound = missing.map(({ sought }) => sought);
    const { workspace } = around.calling;
    const first = plans.length === 0 ? 'No host was found on this machine.' : `Workspace: ${workspace}`;
    if (plans.length > 0 && !existsSync(workspace))
      context.out.warn(`the workspace ${workspace} does not exist yet; create it: openclaw memory init`);
    return finish(around, request.dryRun, plans, { first, notFound });
  },
});

export const defineDisconnect: DefineCommand = defineVerb({
  takes: {
    host: { ...TAKES.host, doc: 'the host (default: all connected hosts)' },
    project: TAKES.project,
    dryRun: DRY_RUN_FIELD,
  },
  more: `Removes everything that "connect", "hooks --write", "skill --write" and "link"
have written, also in projects. A file that did not change since then gets its
old content back.`,
  examples: ['disconnect', 'disconnect claude-code --dry-run'],
  run: async (context, request) => {
    const around = { context, ...(await readConnectCommandContext(context)) };
    const names = request.host === undefined ? hosts.HOST_NAMES : [request.host];
    const own = request.project ? findProjectFolder(context.io.cwd) : undefined;
    const plans = names.flatMap((name) =>
      (own === undefined ? [undefined, ...hosts.listConnectedProjects(name, around.ground)] : [own]).map((project) =>
        disconnecting(name, project, around),
      ),
    );
    return finish(around, request.dryRun, plans, { first: '', notFound: [] });
  },
});

interface Around extends ConnectCommandContext {
  readonly context: CommandContext;
}

function connecting(host: hosts.HostName, folder: string | undefined, around: Around): Plan {
  const { context, ground, calling, plugin } = around;
  const project = folder ?? null;
  if (host === 'openclaw') {
    const ofAll = ['its plugin is for all agents; nothing is written for a project'];
    if (folder !== undefined) return { host, project, steps: () => [], notes: ofAll };
    const launch = (dryRun: boolean) => [
      dryRun ? '# the launchers, in a folder before the host on PATH, and:' : linkLaunchers(context).text,
    ];
    const plugIn = (dryRun: boolean) => [installOrRemovePlugin(context, dryRun ? 'print' : 'write', plugin).text];
    // The plugin's skill calls our program by name. If the name is not on PATH, the workspace gets a skill with the full
    // path.
    const skill = { host, project: undefined, parts: ['skill'] } as const;
    const steps = () => (findLauncherPlace(context).at < 0 ? hosts.planConnect(skill, calling, ground) : []);
    return { host, project, steps, notes: [], acts: [launch, plugIn] };
  }
  const where = { host, project: folder };
  const before = hosts.findConnectedWorkspace(where, ground);
  const notes = [
    ...(before === undefined || before === calling.workspace
      ? []
      : [`it was connected with ${before}; "connect --project" gives a project a workspace of its own`]),
    ...(folder === undefined ? [] : [hosts.findHostByName(host).trust]),
    ...(folder === undefined || host === 'claude-code' || isOnPath('openclaw-memory', context.io.env.PATH)
      ? []
      : ['what goes with the project calls openclaw-memory, which is not on PATH here: openclaw-memory link']),
  ];
  return { host, project, steps: () => hosts.planConnect(where, calling, ground), notes };
}

/**
 * Plans a connection by our Claude Code plugin. We only write the folder of the plugin. The notes tell the person how
 * to install the plugin from there.
 */
function connectingPlugin({ calling, ground }: Around): Plan {
  const host = 'claude-code';
  const where = { host, project: undefined, parts: ['plugin'] } as const;
  const { lines } = hosts.findClaudePlugin(ground);
  const hasBoth = hosts.listConnectedParts(host, ground).includes('hooks');
  const notes = [
    ...lines.map((line) => `then: ${line}`),
    ...(hasBoth ? ['its settings call us, too: the hooks of the plugin do nothing beside those'] : []),
  ];
  return { host, project: null, steps: () => hosts.planConnect(where, calling, ground), notes };
}

function disconnecting(host: hosts.HostName, folder: string | undefined, around: Around): Plan {
  const { context, ground, calling, plugin } = around;
  const steps = () => hosts.planDisconnect({ host, project: folder }, calling, ground);
  const plan = { host, project: folder ?? null, steps, notes: [] };
  if (folder !== undefined) return plan;
  if (host === 'claude-code') {
    const { isInstalled, removal } = hosts.findClaudePlugin(ground);
    return isInstalled ? { ...plan, acts: [(dryRun) => uninstalled(context, removal, dryRun)] } : plan;
  }
  if (host !== 'openclaw') return plan;
  const unlaunch = (dryRun: boolean) =>
    unlinkLaunchers(context, { dryRun }).removed.map(
      (path) => `${dryRun ? 'would be removed' : 'removed'}: ${path} (launcher)`,
    );
  const unplug = (dryRun: boolean) => [
    dryRun ? 'its plugin would be removed' : installOrRemovePlugin(context, 'remove').text,
  ];
  return { ...plan, acts: plugin !== undefined ? [unlaunch, unplug] : [unlaunch] };
}

/** Uninstalls our plugin with Claude Code's own commands, because they know its files. */
function uninstalled(context: CommandContext, lines: readonly (readonly string[])[], dryRun: boolean) {
  const program = findPrograms('claude', context.io.env.PATH)[0];
  const said = lines.map((words) => `claude ${words.join(' ')}`);
  if (program === undefined) fail('not_found', 'its plugin is installed, but claude is not on PATH', said.join(' && '));
  if (!dryRun) for (const args of lines) runHostCommand(context, program, { args });
  return [dryRun ? 'its plugin would be removed' : 'its plugin is removed'];
}

/** Carries out the plans and reports what was done. A failure at one host does not stop the others. */
async function finish(
  { context: { out }, ground }: Around,
  dryRun = false,
  plans: readonly Plan[],
  { first, notFound }: { readonly first: string; readonly notFound: readonly string[] },
): Promise<ExitCode> {
  const { unifiedDiff } = await import('../../../text/changes.js');
  const done = plans.map((plan) => carriedOut(plan, ground, dryRun));
  const hosts = done.map(({ outcome }) => outcome);
  const diff = dryRun ? done.flatMap(({ steps }) => steps.map((step) => unifiedDiff(step))).join('') : undefined;
  const lines = hosts.flatMap(linesOf);
  const text = [
    first || (lines.length === 0 ? 'No host is connected.' : ''),
    ...lines,
    ...(notFound.length === 0 ? [] : [`Not found: ${notFound.join(', ')}`]),
    diff?.trimEnd() ?? '',
  ];
  const json = { hosts, notFound, ...(diff === undefined ? {} : { diff }) };
  out.answer(text.filter((line) => line !== '').join('\n'), json);
  const errors = hosts.flatMap((host) => host.errors);
  for (const failure of errors) out.problem(failure);
  return errors[0] === undefined ? ExitCode.done : exitCodeOf(errors[0]);
}

/**
 * Carries out one plan and collects the errors. All changes of files are planned before the first one is made, so an
 * error in planning a connection leaves every file as it is. If a change of a file throws an error, no further file is
 * changed. The actions in `acts` run in any case.
 */
function carriedOut({ steps: plan, acts = [], ...about }: Plan, ground: hosts.HostSettingsContext, dryRun: boolean) {
  const errors: Failure[] = [];
  const steps: hosts.FileEditPlan[] = [];
  const notes = [...about.notes];
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      errors.push(toFailure(error));
    }
  };
  attempt(() => {
    for (const step of plan()) {
      if (step instanceof MemoryError) errors.push(step.failure);
      else {
        if (!dryRun) hosts.writeFileEdit(step, ground);
        steps.push(step);
      }
    }
  });
  for (const act of acts) attempt(() => notes.push(...act(dryRun)));
  const files = steps.map((step) => ({ path: step.path, part: step.part, state: stateOf(step, dryRun) }));
  const outcome: Outcome = { ...about, files, notes, errors };
  return { outcome, steps };
}

function stateOf({ before, after, written }: hosts.FileEditPlan, dryRun: boolean): string {
  if (before === after) return written === null ? 'clean' : 'unchanged';
  const did = after === null ? 'removed' : written === null ? 'cleaned' : 'written';
  return dryRun ? `would be ${did}` : did;
}

function linesOf({ host, project, files, notes, errors }: Outcome): readonly string[] {
  if (files.length + notes.length + errors.length === 0) return [];
  const title = `${hosts.findHostTitle(host)}${project === null ? '' : ` in ${project}`}`;
  return [
    title,
    ...files.map(({ path, part, state }) => `  ${state}: ${path} (${part})`),
    ...notes.flatMap((note) => note.split('\n')).map((line) => `  ${line}`),
    ...errors.map(({ message }) => `  failed: ${message}`),
  ];
}
