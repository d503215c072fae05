import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    reporters: ['default', 'test/support/closing-line.ts'],
    // Many tests start real processes: two cores must be able to carry them without time-outs.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // Loading the sources anew for each file would cost as much as running it. A test that changes what its process
    // shares, such as its environment, puts it back.
    isolate: false,
    env: { NODE_EXTRA_CA_CERTS: '', TZ: 'UTC' },
  },
});
