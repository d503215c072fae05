import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Settings } from '../workspace/settings.js';

/** How the page links to a line of a file. */
export interface Links {
  /** @param path relative to the workspace, with `/` */
  readonly file: (path: string) => string;
  /** Between that and a line; empty when what opens it takes no lines. */
  readonly lineMark: string;
}

/**
 * @param root the workspace, absolute
 * @param page where the page will be, absolute; null when nobody knows
 */
export function linksOf(form: Settings['viewLinks'], root: string, page: string | null): Links {
  if (form === 'vscode')
    return { file: (path) => `vscode://file${pathToFileURL(join(root, path)).pathname}`, lineMark: ':' };
  if (form === 'obsidian')
    return { file: (path) => `obsidian://open?path=${encodeURIComponent(join(root, path))}`, lineMark: '' };
  const base = page === null ? pathToFileURL(`${root}/`).href : encoded(relative(dirname(page), root));
  return { file: (path) => `${base === '' || base.endsWith('/') ? base : `${base}/`}${encoded(path)}`, lineMark: '#L' };
}

function encoded(path: string): string {
  return path.split(/[\\/]/).map(encodeURIComponent).join('/');
}
