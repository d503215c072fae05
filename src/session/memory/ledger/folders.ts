/** A folder or file as one spelling, whatever system or shell it was written on. Pure. */
export function samePath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^\/([a-zA-Z])(?=\/|$)|^([a-zA-Z]):(?=\/|$)/u, (_, mounted?: string, drive?: string) => {
      return `${(mounted ?? drive ?? '').toLowerCase()}:`;
    })
    .replace(/\/{2,}/gu, '/')
    .replace(/(?<=.)\/$/u, '');
}

/** A path as it is seen from a folder. Pure. */
export function inFolder(folder: string, path: string): string {
  const to = samePath(path);
  if (/^(?:\/|~|\w:|\$)/u.test(to)) return to;
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of to.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
