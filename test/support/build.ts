import { execFileSync } from 'node:child_process';
import { ROOT } from './readme.js';

/**
 * Runs once before the tests: they start the bundled program, which must match the sources. The test of the package makes
 * the types of the library, since only that test reads them.
 */
export default function build(): void {
  execFileSync(process.execPath, ['build.mjs', 'program'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}
