import { EVIDENCE_PATH } from '../memory/evidence.js';
import { APPLIED_PATH } from '../memory/pages.js';
import { namesIn } from '../workspace/files.js';
import { fullPathOf } from '../workspace/read-scope.js';

/** Paths of the workspace's own files in JSON lines, which may be missing. Archives are left out: they do not change. */
export function listJsonLinesFiles(root: string): readonly string[] {
  const sessions = namesIn(fullPathOf(root, 'sessions')).map((name) => `sessions/${name}/messages.jsonl`);
  return [EVIDENCE_PATH, APPLIED_PATH, ...sessions];
}
