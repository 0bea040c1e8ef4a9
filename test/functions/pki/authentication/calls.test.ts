import { afterAll, beforeAll, test } from 'vitest';
import { always, callLimits } from '../../limit-calls.ts';
import { ask, authenticationStage, prepared, type Stage } from './stage.ts';

const { requireAtMost, save } = callLimits();

let stage: Stage;
beforeAll(async () => {
  stage = await authenticationStage();
});
afterAll(() => {
  stage.stop();
  save('pki');
});

test('an authentication is prepared with one call', () =>
  requireAtMost(1, 'authentication: prepare', always(prepared)));

test('an authentication is completed with at most 2 calls, where the revocation lists are known', () =>
  requireAtMost(2, 'authentication: complete', async () => {
    const { state, data } = await prepared();
    const offer = stage.offer(data);
    return async () => {
      const { status } = await ask('complete', { state, ...offer });
      if (status !== 200) throw new Error(`It was answered ${status}.`);
    };
  }));
