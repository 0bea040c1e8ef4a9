import { afterEach, describe, expect, test, vi } from 'vitest';
import { enterLocalStage } from '../../../../infra/local/engine/environment.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const enter = (given: string | undefined): string | undefined => {
  vi.stubEnv('Storage__Inputs', given);
  enterLocalStage({ url: 'http://localhost:3000', dataDir: '/tmp/none', external: undefined });
  return process.env.Storage__Inputs;
};

describe('the input folders of the local stage', () => {
  test('are inbox, remessas and spare', () => {
    expect(enter(undefined)).toBe('inbox=input/inbox,remessas=input/remessas,spare=input/spare');
  });

  test.each(['acme=input/acme', ''])('are those of the environment where it names some: "%s"', (given) => {
    expect(enter(given)).toBe(given);
  });
});
