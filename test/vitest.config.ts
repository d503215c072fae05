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
    // They end what hangs, and say nothing of how fast a machine is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    maxWorkers: 2,
    // Loading the sources anew for each file would cost as much as running it. A test that changes what its process
    // shares, such as its environment, puts it back.
    isolate: false,
    env: { NODE_EXTRA_CA_CERTS: '', TZ: 'UTC', TMPDIR: temporaryFolder() },
  },
});

/**
 * Where the workspaces of tests are: in memory where there is room for them, since most of the time of what writes is the
 * wait for a disk. The full run has a disk.
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
