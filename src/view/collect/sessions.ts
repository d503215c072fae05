import type { Day } from '../../base/clock.js';
import type { ForgottenStatements } from '../../memory/forgotten.js';
import { archiveSummaries, removedItems } from '../../session/expand.js';
import { listSessions } from '../../session/session.js';
import { showWorkingMemory } from '../../session/working-memory.js';
import { contentItems, parseDocument } from '../../wm/document.js';
import type { PageSession } from '../page-data.js';
import type { FileTable } from './places.js';

interface SessionsInput {
  readonly root: string;
  readonly now: Date;
  /** Day of an instant in the user's time zone. */
  readonly dayAt: (instant: string) => Day;
  readonly forgotten: ForgottenStatements;
}

/**
 * The sessions that were written last, newest first. Each has its Working Memory, and the items that the guards (checks
 * of a rewrite) removed from it.
 * @param most maximum number of sessions
 */
export function collectSessions(
  { root, now, dayAt, forgotten }: SessionsInput,
  places: FileTable,
  most: number,
): readonly PageSession[] {
  const dayOf = (instant: string | null): Day | null => (instant === null || instant === '' ? null : dayAt(instant));
  const isKept = (line: string): boolean => !forgotten.hasLine(line);
  const newest = listSessions(root, now).slice(0, most);
  return newest.map(({ session, updated_at, live_messages, archived_messages }) => ({
    id: session,
    day: dayOf(updated_at),
    live: live_messages,
    archived: archived_messages,
    memory: memoryOf(showWorkingMemory(root, session).document, isKept),
    removed: removedItems(root, session)
      .filter(({ item }) => isKept(item))
      .map(({ archive_id, section, item, reason }) => ({ archive: archive_id, section, item, reason })),
    archives: archiveSummaries(root, session).map((archive) => ({
      id: archive.archive_id,
      state: archive.state,
      day: dayOf(archive.created_at),
      messages: archive.message_count,
      abstract: archive.abstract.split('\n').filter(isKept).join('\n'),
      at: places.at(archive.overview_path, 1),
    })),
  }));
}

function memoryOf(document: string | null, isKept: (line: string) => boolean): PageSession['memory'] {
  if (document === null) return null;
  const sections = Object.entries(parseDocument(document).bodies);
  return sections
    .map(([title, body]) => ({ title, lines: contentItems(body).filter(isKept) }))
    .filter(({ lines }) => lines.length > 0);
}
