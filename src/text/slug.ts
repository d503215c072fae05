/** The key of an entity: NFKC, lower-case, white space → `-`, a leading `@` dropped. */
export function entitySlug(name: string): string {
  return name.normalize('NFKC').trim().replace(/^@+/, '').toLowerCase().trim().replace(/\s+/g, '-');
}
