import { type Archive, readArchived } from './archives.js';
import { readOrigin } from './meta.js';

/** What is wrong with the messages of an archive, in words; undefined when all that it says it has can be read. */
export function damageOf(archive: Archive): string | undefined {
  const found = readArchived(archive).length;
  const expected = readOrigin(archive)?.message_count ?? 0;
  if (found > 0 && found >= expected) return undefined;
  return `${archive.id} is damaged: ${found} of ${expected} messages can be read`;
}
