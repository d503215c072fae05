import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findWorkspace } from '../../../app/open.js';
import { ExitCode, exitCodeOf, type Failure, fail, MemoryError, toFailure } from '../../../base/failure.js';
import { parseJson } from '../../../base/json.js';
import { DRY_RUN_FIELD, type RequestFields, type RequestOf } from '../../../base/request.js';
import { skillText } from '../../../context/skill.js';
import * as hosts from '../../../upkeep/connect.js';
import { formatHookLine, HOOK_HOSTS, HOOK_MOMENTS } from '../../../upkeep/hooks.js';
import { findInstalledPlugin, type InstalledPlugin } from '../../../upkeep/openclaw.js';
import { buildOwnProgramCommand } from '../../background.js';
import { findHost, findPrograms, isOnPath } from '../../host.js';
import { type CommandContext, defineVerb, failBoth, REQUIRED_ARGUMENT_FIELD } from '../../verb.js';
import { buildWorkspaceOptions } from '../../workspace.js';
import {
  findLauncherPlace,
  installOrRemovePlugin,
  linkLaunchers,
  runHostCommand,
  unlinkLaunchers,
} from './openclaw.js';

/** A host without settings that we know. Its user copies the lines that we print. */
const GENERIC = 'generic';
const CONNECT = 'openclaw memory connect';
const HOST = { type: 'choice', noun: 'host' } as const;

const TAKES = {
  host: {
    ...HOST,
    choices: [...hosts.HOST_NAMES, GENERIC],
    place: 'argument',
    doc: 'the host (default: all hosts that are found on this machine)',
  },
  print: { type: 'boolean', doc: "print what to add to the host's settings by hand, and write nothing" },
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

const connect = defineVerb({
  takes: TAKES,
  more: `Adds this MCP server to the settings of the host. Claude Code also gets the
hooks and the skill. OpenClaw gets the plugin and the launcher, installed by
its own commands. The rest of a settings file stays as it is. With --project,
a shared file gets no path of this machine. Undo it with "disconnect".
--print shows the hooks for Claude Code, the commands that install the plugin in
OpenClaw, or the MCP server for another host. For a host that is not listed,
"generic" shows one command line for each event.`,
  examples: ['connect --dry-run', 'connect claude-code', 'connect cursor --project', 'connect generic --print'],
  run: async (context, request) => {
    const { host, plugin, project: isOfProject, dryRun } = request;
    checkOptions(request);
    if (request.print)
      return print(context, host ?? fail('usage', '--print needs a host', `${CONNECT} claude-code --print`));
    if (host === GENERIC)
      fail('usage', NO_SETTINGS, `print the lines, and add them yourself: ${CONNECT} generic --print`);
    const around = await lookAround(context);
    const looked = host === undefined ? hosts.HOST_NAMES.map((name) => lookFor(name, context)) : [];
    const wanted = host === undefined ? looked.flatMap(({ name, isThere }) => (isThere ? name : [])) : [host];
    const project = isOfProject ? findProjectFolder(context.io.cwd) : undefined;
    const plans = plugin ? [connectingPlugin(around)] : wanted.map((name) => connecting(name, project, around));
    const notFound = looked.flatMap(({ isThere, sought }) => (isThere ? [] : sought));
    if (plans.length > 0) warnOfMissingWorkspace(around);
    const first = plans.length === 0 ? 'No host was found on this machine.' : `Workspace: ${around.calling.workspace}`;
    return finish(around, dryRun, plans, { first, notFound });
  },
});

const disconnect = defineVerb({
  takes: {
    host: { ...TAKES.host, choices: hosts.HOST_NAMES, doc: 'the host (default: all connected hosts)' },
    project: TAKES.project,
    dryRun: DRY_RUN_FIELD,
  },
  more: `Removes everything that "connect", "hooks --write", "skill --write" and "link"
have written, also in projects. A file that did not change since then gets its
old content back.`,
  examples: ['disconnect', 'disconnect claude-code --dry-run'],
  run: async (context, request) => {
    const around = await lookAround(context);
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

/** The old names of parts of `connect`: `hooks HOST` prints what `connect HOST --print` does. */
const hooks = defineVerb({
  takes: {
    host: { ...REQUIRED_ARGUMENT_FIELD, ...HOST, choices: [...HOOK_HOSTS, 'openclaw'], doc: 'the host of the agent' },
    write: { type: 'boolean', doc: "write the hooks to the host's settings; other keys stay as they are" },
    remove: { type: 'boolean', doc: 'remove the hooks; with openclaw: remove the plugin' },
  },
  more: 'Does a part of what "connect HOST" and "disconnect HOST" do. Without an option\nit prints the same as "connect HOST --print".',
  examples: ['hooks claude-code --write'],
  run: async (context, { host, write, remove = false }) => {
    if (write && remove) failBoth('--write', '--remove');
    if (!write && !remove) return print(context, host);
    if (host === GENERIC)
      fail('usage', NO_SETTINGS, 'print the lines without --write, and add them to your own settings');
    const { out } = context;
    if (host === 'openclaw') {
      const { plugin } = await lookAround(context);
      const { text, json } = installOrRemovePlugin(context, remove ? 'remove' : 'write', plugin);
      return out.answer(text, json);
    }
    const { path, changed } = await changePart(context, host, 'hooks', remove);
    const said = remove ? `removed from ${path}` : `written: ${path}`;
    const same = remove ? `${path} has no hooks of openclaw-memory` : `${path} has these hooks already`;
    out.answer(changed ? said : same, { path, written: changed });
  },
});

const skill = defineVerb({
  takes: {
    write: { type: 'boolean', doc: 'install or update the skill' },
    host: { ...HOST, choices: ['openclaw', 'claude-code'], default: 'openclaw', doc: 'the host of the skill' },
  },
  more: `The skill tells an agent when to use which command. OpenClaw reads it from the
workspace, Claude Code from ~/.claude. A skill that you changed is never
overwritten. "connect" installs the skill too, and "disconnect" removes it.`,
  examples: ['skill --write --host claude-code'],
  run: async (context, { write, host = 'openclaw' }) => {
    const { out } = context;
    const text = skillText();
    if (!write) return out.answer(text.trimEnd(), { text });
    const { path, changed } = await changePart(context, host, 'skill');
    out.answer(changed ? `wrote ${path}` : `${path} is up to date`, { path, changed });
  },
});

export const commands = { connect, disconnect, hooks, skill };

/** @throws MemoryError `usage` for options that do not go together */
function checkOptions({ host, print: isPrinted, plugin, project, dryRun }: RequestOf<typeof TAKES>): void {
  const other = plugin ? '--plugin' : project ? '--project' : dryRun ? '--dry-run' : undefined;
  if (isPrinted && other !== undefined) failBoth('--print', other);
  const only = '--plugin works only for claude-code, and for all projects';
  if (plugin && (host !== 'claude-code' || project)) fail('usage', only, `${CONNECT} claude-code --plugin`);
}

const NO_SETTINGS = 'the generic host has no settings file';

/** Prints what a person or another program must do to connect a host. Writes nothing. */
async function print(context: CommandContext, host: hosts.HostName | typeof GENERIC): Promise<undefined> {
  const { out } = context;
  const around = await lookAround(context);
  const { calling, ground, plugin } = around;
  if (host !== 'openclaw') warnOfMissingWorkspace(around);
  if (host === 'openclaw') {
    const { text, json } = installOrRemovePlugin(context, 'print', plugin);
    out.answer(text, json);
  } else if (host === GENERIC) {
    const command = formatHookLine(calling, GENERIC);
    const events = HOOK_MOMENTS.map(({ event, seconds }) => ({ event, seconds, command }));
    out.answer(events.map(({ event }) => `${event}: ${command}`).join('\n'), { events });
  } else {
    const text = hosts.formatNewSettings(host, calling, ground);
    out.answer(text, parseJson(text) ?? { text });
  }
}

function warnOfMissingWorkspace({ context, calling: { workspace } }: Around): void {
  if (!existsSync(workspace))
    context.out.warn(`the workspace ${workspace} does not exist yet; create it: openclaw memory init`);
}

/** Settings, command line and plugin that a connection needs. */
interface Around {
  readonly context: CommandContext;
  readonly ground: hosts.HostSettingsContext;
  readonly calling: hosts.CallFromHost;
  /** Our plugin in OpenClaw, if it is installed. */
  readonly plugin: InstalledPlugin | undefined;
}

/** Finds the user's settings, and the command with which hosts must call us. */
async function lookAround(context: CommandContext): Promise<Around> {
  const { io, global } = context;
  const { host, located, config } = await findWorkspace(buildWorkspaceOptions(context));
  const isUsual =
    ['default', 'openclaw.json'].includes(located.by) &&
    global.agent === undefined &&
    (global.profile ?? io.env.OPENCLAW_PROFILE) === undefined;
  const program = buildOwnProgramCommand();
  const options = global.tz === undefined ? [] : ['--tz', global.tz];
  const name = isOnPath('openclaw-memory', io.env.PATH) ? ['openclaw-memory'] : program;
  return {
    context,
    ground: { places: hosts.findHostFolders(io.env), env: host },
    plugin: findInstalledPlugin(config),
    calling: {
      program,
      workspace: located.root,
      options,
      isUsual,
      skill: [...name, ...(isUsual ? [] : ['-w', located.root]), ...options],
    },
  };
}

/** Whether a host is installed on this machine, and where we looked. */
function lookFor(name: hosts.HostName, { io }: CommandContext) {
  if (name === 'openclaw')
    return { name, isThere: findHost(io.env.PATH) !== undefined, sought: 'OpenClaw (openclaw on PATH)' };
  const { title, programs, folder } = hosts.findHostByName(name);
  const path = folder(hosts.findHostFolders(io.env));
  const isThere = existsSync(path) || programs.some((program) => isOnPath(program, io.env.PATH));
  return { name, isThere, sought: `${title} (${programs.join(' or ')} on PATH, ${path})` };
}

/**
 * The folder that identifies a project: the repository around the current folder, or else the current folder itself.
 */
function findProjectFolder(cwd: string): string {
  for (let folder = cwd; dirname(folder) !== folder; folder = dirname(folder))
    if (existsSync(join(folder, '.git'))) return folder;
  return cwd;
}

/** Writes or removes only one part of a connection. */
async function changePart(context: CommandContext, host: hosts.HostName, part: hosts.ConnectionPart, isGoing = false) {
  const { ground, calling } = await lookAround(context);
  const where = { host, project: undefined, parts: [part] };
  const [step] = isGoing ? hosts.planDisconnect(where, calling, ground) : hosts.planConnect(where, calling, ground);
  if (step instanceof MemoryError) throw step;
  if (step === undefined) return { path: 'the settings', changed: false };
  hosts.writeFileEdit(step, ground);
  return { path: step.path, changed: step.after !== step.before };
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
