/**
 * A pattern for the paths that a glob means: `*`, `?`, `[ab]`, `{a,b}` within a name, `**` over folders. A folder stands
 * for all below it, and a glob without `/` for a name at any depth. Paths are with `/` and in NFC.
 */
export function globPattern(glob: string): RegExp {
  const written = glob.normalize('NFC').replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '');
  const anywhere = written.includes('/') ? '' : '(?:.*/)?';
  const body = written.replace(PART, (part) => PARTS[part] ?? inside(part));
  return new RegExp(`^${anywhere}${body}(?:/.*)?$`, 's');
}

const PART = /\*\*\/|\*\*|\*|\?|\[!?[^\]]+\]|\{[^{}]*\}|[.+^$()|\\[\]{}]/g;
const PARTS: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };

/** A set of characters, alternatives, or a sign that means itself. */
function inside(part: string): string {
  if (part.length === 1) return `\\${part}`;
  const content = part.slice(1, -1);
  if (part.startsWith('[')) return `[${content.replace(/^!/, '^').replace(/[\\\]]/g, '\\$&')}]`;
  const names = content.split(',').map((name) => name.replace(PART, (one) => PARTS[one] ?? inside(one)));
  return `(?:${names.join('|')})`;
}
