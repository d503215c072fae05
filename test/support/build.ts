import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs once before the tests: they start the bundled program, so it must be that of the sources as they are. */
export default function build(): void {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}
