import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tryWithFallback } from '../../../base/result.js';
import { decodeBytes } from '../../../text/bytes.js';
import { redactSecrets } from '../../../text/redact.js';
import { readVersion } from '../../../workspace/files.js';
import { createProblem, type LintInput, type Problem } from '../problem.js';

/** Folders with texts that are not pages: logs and archives of sessions, proposals, verdicts. */
const FOLDERS = ['sessions', 'bank'];
const TEXT_FILE = /\.(?:jsonl?|md)$/;

/** Finds secrets in files, including files that are not pages. The report never contains the secrets themselves. */
export function* findSecretsInFiles({ root, pages }: Pick<LintInput, 'root' | 'pages'>): Iterable<Problem> {
  for (const { path, text } of pages) yield* secretsIn(path, text, 'then forget the line with --no-copy');
  const seen = new Set(pages.map(({ path }) => path));
  for (const path of FOLDERS.flatMap((folder) => textFilesIn(root, folder))) {
    if (seen.has(path)) continue;
    const bytes = tryWithFallback(() => readVersion(join(root, path))?.bytes, undefined);
    if (bytes !== undefined) yield* secretsIn(path, decodeBytes(bytes), 'then remove it from the file');
  }
}

function textFilesIn(root: string, folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  const names = tryWithFallback(() => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }), []);
  return names.filter((name) => TEXT_FILE.test(name)).map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

function* secretsIn(path: string, text: string, advice: string): Iterable<Problem> {
  let [line, from] = [1, 0];
  for (const { kind, index } of redactSecrets(text).found) {
    line += text.slice(from, index).split(/\r\n|\r|\n/).length - 1;
    from = index;
    const hint = `revoke it where it was issued, ${advice}`;
    yield createProblem('secret', 'error', path, line, `there is a secret (${kind})`, hint);
  }
}
