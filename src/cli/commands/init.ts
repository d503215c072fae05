import { join, resolve } from 'node:path';
import { findWorkspace } from '../../app/open.js';
import { fail } from '../../base/failure.js';
import { readFileTree } from '../../index/tree.js';
import { shellWord } from '../../text/slug.js';
import { chooseFolderToInit, detectNotesKind, hasMemory } from '../../workspace/locate.js';
import { expandHome, homeFolder } from '../../workspace/openclaw-config.js';
import { type ScaffoldReport, scaffold } from '../../workspace/scaffold.js';
import { SETTINGS_FILE } from '../../workspace/settings.js';
import { askToChoose, type CommandContext, canAsk, defineVerb } from '../verb.js';
import { buildWorkspaceOptions } from '../workspace.js';

const init = defineVerb({
  takes: {
    dir: {
      type: 'text',
      place: 'argument',
      doc: 'the workspace folder (default: the workspace that every command finds; else the current folder, if it is empty or has notes)',
    },
    vault: { type: 'boolean', doc: 'also read the notes that are in the folder; they are never written' },
    git: { type: 'boolean', doc: 'make the folder a git repository, and commit the new files' },
    trackSessions: { type: 'boolean', doc: 'let git track sessions/ too' },
    dryRun: { type: 'boolean', doc: 'show what would be created, and write nothing' },
  },
  examples: ['init ~/notes', 'init ~/notes --vault'],
  run: async (context, { dir, vault, git, trackSessions = false, dryRun = false }) => {
    if (dir !== undefined && context.global.workspace !== undefined)
      fail('usage', 'you named the folder twice', 'name it as the argument or with --workspace');
    const root =
      dir === undefined ? await unnamed(context) : resolve(context.io.cwd, expandHome(dir, homeFolder(context.io)));
    const notes = vault ? undefined : notesBeside(root);
    const report = scaffold(root, {
      vault: vault ?? (await wantsNotes(context, notes)),
      trackSessions,
      dryRun,
    });
    if (notes !== undefined && !report.created.includes(SETTINGS_FILE))
      context.out.note(
        `${notes.count} notes of ${notes.kind} are not read; to read them, too: openclaw memory init --vault ${shellWord(root)}`,
      );
    const commit = git && !dryRun ? await startHistory(context, report) : {};
    context.out.answer(text(report, dryRun), { ...report, ...commit });
  },
});

export const commands = { init };

/** The notes that already exist in a folder that is not yet a workspace. */
function notesBeside(root: string) {
  const kind = hasMemory(root) ? undefined : detectNotesKind(root);
  if (kind === undefined) return undefined;
  const count = readFileTree(root, { extraFolders: [root], refusedFolders: [], ignore: [] }).files.length;
  return count === 0 ? undefined : { count, kind };
}

/** Asks whether to read existing notes, if a person can answer. */
async function wantsNotes(context: CommandContext, notes: ReturnType<typeof notesBeside>): Promise<boolean> {
  if (notes === undefined || !canAsk(context)) return false;
  const { count, kind } = notes;
  const lines = [
    `also read the ${count} notes of this ${kind.replace(/^a /, '')}`,
    'read only the pages of the memory',
  ];
  return (await askToChoose(context, lines)) === 0;
}

async function unnamed(context: CommandContext) {
  const { host, located } = await findWorkspace(buildWorkspaceOptions(context));
  const { root, by } = chooseFolderToInit(located, context.io.cwd, homeFolder(host));
  context.out.note(`the workspace is ${root} (${by})`);
  return root;
}

/** Creates a git repository, unless the folder is already in one, and commits the new files. */
async function startHistory(
  { out }: CommandContext,
  { root, created, kept }: ScaffoldReport,
): Promise<{ commit: string | null; warnings?: readonly string[] }> {
  const { initRepository } = await import('../../workspace/git/commit.js');
  const { commitWithEarlierChanges } = await import('../../workspace/git/commit.js');
  const isNew = await initRepository(root);
  if (isNew) out.note(`created a git repository in ${root}`);
  // A new repository does not contain the files that already existed; commit them too.
  const files = [...created, ...(isNew ? kept : [])].filter(
    (path) => !path.endsWith('/') && !path.startsWith('.memory/'),
  );
  const place = { root, stateFolder: join(root, '.memory') };
  const { commit, warning, isRefused } = await commitWithEarlierChanges(place, files, 'memory: new workspace');
  if (files.length === 0 && isRefused)
    fail('refused', warning ?? 'not committed', 'fix this, then run the same command again');
  return { commit, ...(warning !== undefined && { warnings: [warning] }) };
}

function text({ root, created, kept }: ScaffoldReport, dryRun: boolean): string {
  if (created.length === 0) return `${root} is already a workspace. No file was changed.`;
  const made = created.map((path) => `  + ${path}`).join('\n');
  const next = `Next: openclaw memory -w ${shellWord(root)} retain "W @Peter: lives in Vienna"`;
  const kind = dryRun ? 'Would create' : 'Created';
  return `${kind} in ${root}:\n${made}${kept.length > 0 ? `\n  (kept: ${kept.join(', ')})` : ''}${dryRun ? '' : `\n${next}`}`;
}
