import { appendFileSync } from 'node:fs';

const target = process.env.RECORD_MODULES;

/** Writes the URL of each loaded module to the file that RECORD_MODULES names, one a line. */
export function load(url, context, next) {
  appendFileSync(target, `${url}\n`);
  return next(url, context);
}
