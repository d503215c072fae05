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
    env: { NODE_EXTRA_CA_CERTS: '', TZ: 'UTC' },
  },
});
