import type { MarkdownScan } from '../markdown/block.js';
import { readFrontMatter } from '../markdown/front-matter.js';
import { entitySlug } from '../text/slug.js';

/** Front matter of `bank/entities/<Name>.md`. */
export interface EntityPage {
  readonly slug: string;
  readonly name: string;
  /** Slugs of the aliases. */
  readonly aliases: readonly string[];
  readonly type: string | null;
}

export function readEntityPage(path: string, scan: MarkdownScan): EntityPage {
  const matter = readFrontMatter(scan.lines);
  const text = (key: string): string | null => {
    const value = matter[key];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const name = text('name') ?? path.slice(path.lastIndexOf('/') + 1, -'.md'.length);
  const slug = entitySlug(name);
  const aliases = matter.aliases === undefined ? [] : [matter.aliases].flat();
  const others = new Set(aliases.map(entitySlug));
  others.delete(slug);
  others.delete('');
  return { slug, name, aliases: [...others], type: text('type') };
}
