/** Where a line stands in a conflict that git left in a file. */
export type ConflictSide = 'none' | 'ours' | 'base' | 'theirs';

/** The side of a git conflict that a line leads to; null when no conflict goes on like that. */
export function nextSide(side: ConflictSide, line: string): ConflictSide | null {
  if (isOurs(line)) return side === 'none' ? 'ours' : null;
  if (side === 'ours' && line.startsWith('||||||| ')) return 'base';
  if ((side === 'ours' || side === 'base') && line === '=======') return 'theirs';
  return side === 'theirs' && line.startsWith('>>>>>>> ') ? 'none' : side;
}

export function isOurs(line: string | undefined): boolean {
  return line?.startsWith('<<<<<<< ') ?? false;
}
