import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    reporters: ['default', 'test/support/closing-line.ts'],
    // These limits only end tests that hang, and do not measure speed.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    maxWorkers: 2,
    // Loading the sources for each file would cost as much as running it. A test that changes shared state of its process,
    // such as the environment, restores it.
    isolate: false,
    env: { NODE_EXTRA_CA_CERTS: '', TZ: 'UTC', TMPDIR: temporaryFolder() },
  },
});

/**
 * The folder for the workspaces of tests: in memory if there is room, since writing tests mostly wait for a disk. The full
 * run uses a disk.
 */
function temporaryFolder(): string {
  const memory = '/dev/shm';
  if (process.env.TMPDIR || process.env.OPENCLAW_TEST_RUNS === 'full') return tmpdir();
  try {
    const runsPrograms = /^\S+ \/dev\/shm tmpfs (?!\S*noexec)/m.test(readFileSync('/proc/mounts', 'utf8'));
    const { bavail, bsize } = statfsSync(memory);
    return runsPrograms && bavail * bsize > 2 * 1024 ** 3 ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
