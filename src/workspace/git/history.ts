import { join } from 'node:path';
import { fail } from '../../base/failure.js';
import { decodeBytes } from '../../text/bytes.js';
import { lineHunks } from '../../text/changes.js';
import { readVersion } from '../files.js';
import { Git } from './run.js';

/** The change of one file in one commit. */
export interface FileCommit {
  /** Hash of the commit; null for changes on disk that are not committed. */
  readonly commit: string | null;
  /** The committer's date, ISO 8601; null when it is not committed. */
  readonly at: string | null;
  readonly author: string | null;
  readonly subject: string;
  /** Path of the file after this commit, relative to the folder. Null if the commit removed the file. */
  readonly path: string | null;
  /**
   * The hunks of the unified diff of the file, without the header lines. Empty if there are none: for example, if only the
   * name changed.
   */
  readonly diff: string;
}

const PATCH = '-p -M --no-color --no-ext-diff --no-textconv --src-prefix=a/ --dst-prefix=b/'.split(' ');
const RECORD = '--format=%x00%H%x00%cI%x00%an%x00%s%x00';
const FIELDS = 5;

/** Reads the git history of the files in one folder. The folder may be a part of a repository or of a linked work tree. */
export class GitHistory {
  private constructor(
    private readonly git: Git,
    private readonly root: string,
    private readonly hasCommits: boolean,
  ) {}

  /** @throws MemoryError `workspace` when the folder is in no repository, `io` when there is no git */
  static async open(root: string): Promise<GitHistory> {
    const git = new Git(root);
    const hint = 'run openclaw memory init --git; after that, use --commit or make your own commits';
    if (!(await git.isRepository())) return fail('workspace', `${root} is not in a git repository`, hint);
    const head = await git.read('rev-parse', '--verify', '--quiet', 'HEAD').catch(() => '');
    return new GitHistory(git, root, head !== '');
  }

  /**
   * The commits that changed a file, the newest first. Includes commits from the time when the file had another name. Does
   * not include changes that a person made in a merge commit itself.
   * @param context number of unchanged lines around each change
   */
  async ofFile(path: string, context: number): Promise<readonly FileCommit[]> {
    if (!this.hasCommits) return [];
    const text = await this.git.read('log', '--follow', '--relative', `-U${context}`, RECORD, ...PATCH, '--', path);
    return parseLog(text);
  }

  /** The change of a file since the last commit. Empty if there is none, or if the file is not in the last commit. */
  async uncommitted(path: string, context: number): Promise<readonly FileCommit[]> {
    // We compare the texts ourselves. `git diff` would run the filter programs that the repository configures, and a
    // command that only reads must run none.
    const before = await this.committed(path);
    if (before === undefined) return [];
    const now = readVersion(join(this.root, path));
    const after = now === undefined ? '' : textOf(now.bytes);
    if (before === after) return [];
    return [{ ...UNCOMMITTED, path: now === undefined ? null : path, diff: await lineHunks(before, after, context) }];
  }

  /** The text of a file in the last commit; undefined if it is not there. */
  private async committed(path: string): Promise<string | undefined> {
    const isThere = this.hasCommits && (await this.git.read('ls-tree', '--name-only', 'HEAD', '--', path)) !== '';
    return isThere ? textOf(await this.git.bytes('cat-file', 'blob', `HEAD:./${path}`)) : undefined;
  }

  /** The commits that changed something in the folder, the newest first. Paths are relative to the folder. */
  async recent(limit: number) {
    if (!this.hasCommits) return [];
    const text = await this.git.read('log', '--relative', `-n${limit}`, RECORD, '--name-only', '--', '.');
    return records(text).map(({ commit, at, subject, rest }) => {
      return { commit, at, subject, paths: rest.split('\n').filter((path) => path !== '') };
    });
  }

  /**
   * The commits that changed a line of a file, the newest first. Git follows the line through new wordings, and through
   * new names of its file, until the commit that wrote it there.
   * @param line text of the line in the last commit
   */
  async ofLine(path: string, line: string): Promise<readonly FileCommit[]> {
    const at = (await this.committed(path))?.split('\n').indexOf(line) ?? -1;
    if (at < 0) return [];
    const prefix = (await this.git.read('rev-parse', '--show-prefix')).trim();
    const found = parseLog(await this.git.read('log', `-L${at + 1},${at + 1}:${path}`, RECORD, ...PATCH));
    return found.map((commit) => ({ ...commit, path: commit.path?.slice(prefix.length) ?? null }));
  }

  /** A file as it was in the last commit before a moment, under its name at that time. Undefined if it did not exist. */
  async before(path: string, instant: Date) {
    const commits = await this.ofFile(path, 0);
    const last = commits.find(({ at }) => at !== null && Date.parse(at) < instant.getTime());
    if (last === undefined || last.commit === null || last.at === null || last.path === null) return undefined;
    const bytes = await this.git.bytes('cat-file', 'blob', `${last.commit}:./${last.path}`);
    return { commit: last.commit, at: last.at, path: last.path, bytes };
  }
}

/** Decodes a file for comparison. CRLF becomes LF, because git may change line ends when it checks a file out. */
function textOf(bytes: Buffer): string {
  return decodeBytes(bytes).replaceAll('\r\n', '\n');
}

const UNCOMMITTED = { commit: null, at: null, author: null, subject: 'not committed' } as const;

function parseLog(text: string): readonly FileCommit[] {
  return records(text).flatMap(({ rest, ...commit }) => readFiles(rest).map((file) => ({ ...commit, ...file })));
}

/** Parses the output of `git log` in the format {@link RECORD}. `rest` is the text after each record. */
function records(text: string) {
  const fields = text.split('\0');
  const found = [];
  for (let start = 1; start + FIELDS - 1 < fields.length; start += FIELDS) {
    const [commit = '', at = '', author = '', subject = '', rest = ''] = fields.slice(start, start + FIELDS);
    found.push({ commit, at, author, subject, rest });
  }
  return found;
}

/** Splits a diff into its files. Only LF ends a line of the diff, because lines of a file may contain other line ends. */
function readFiles(patch: string): readonly Pick<FileCommit, 'path' | 'diff'>[] {
  const parts = patch.split(/(?:^|\n)(?=diff --git )/).filter((part) => part.startsWith('diff --git '));
  return parts.map((part) => {
    const hunks = part.indexOf('\n@@ ') + 1;
    const head = (hunks === 0 ? part : part.slice(0, hunks)).split('\n');
    return { path: newName(head), diff: hunks === 0 ? '' : part.slice(hunks).replace(/\n*$/, '\n') };
  });
}

function newName(head: readonly string[]): string | null {
  if (head.some((line) => line.startsWith('deleted file mode '))) return null;
  const find = (start: string) => head.find((line) => line.startsWith(start))?.slice(start.length);
  const written = find('+++ b/')?.replace(/\t$/, '') ?? find('rename to ');
  const quoted = find('+++ "b/')
    ?.slice(0, -1)
    .replace(/\\(["\\])/g, '$1');
  return written ?? quoted ?? /^diff --git a\/(.*) b\/\1$/.exec(head[0] ?? '')?.[1] ?? null;
}
