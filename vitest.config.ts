import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/emulators.ts'],
    // Tests wait for stores, browsers and engines more than they compute: two at a time fill two cores.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: { STAGE: 'local', Http__CheckAnswers: 'true' },
  },
});
