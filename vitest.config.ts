import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/emulators.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    env: { STAGE: 'local', Http__CheckAnswers: 'true' },
  },
});
