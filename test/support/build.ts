import { execFileSync } from 'node:child_process';
import { ROOT } from './readme.js';

/**
 * Runs once before the tests: they start the bundled program, so it must be that of the sources as they are. The types of
 * the library are made by the test of the package, which alone reads them.
 */
export default function build(): void {
  execFileSync(process.execPath, ['build.mjs', 'program'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}
