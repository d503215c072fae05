/**
 * Whether a session's key fits one of the patterns of sessions that get no memories: `**` stands for anything, `*` for
 * anything without a `:`. Pure.
 */
export function fitsPattern(key: string | undefined, patterns: readonly string[]): boolean {
  if (key === undefined || key === '') return false;
  return patterns.some((pattern) => asPattern(pattern).test(key));
}

function asPattern(glob: string): RegExp {
  const source = glob
    .split(/(\*+)/u)
    .map((part) => {
      if (part.startsWith('**')) return '.*';
      return part === '*' ? '[^:]*' : part.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`, 'su');
}
