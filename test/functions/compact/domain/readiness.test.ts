import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { recentReadiness } from '../../../../functions/compact/domain/readiness.ts';
import { dynamo } from '../../../../shared/store/client.ts';

// The store fails when told to, and counts how often it was asked.
const store = mockClient(dynamo());
const asked = () => store.commandCalls(GetItemCommand).length;

// Each test begins an hour after the one before, where no earlier verdict is kept.
let now = Date.UTC(2027, 0, 1);
beforeEach(() => {
  now += 3_600_000;
  store.reset();
  store.on(GetItemCommand).resolves({});
});
afterAll(() => store.restore());

describe('the readiness of the compact surface', () => {
  test('is asked of the store once for all probes of five seconds', async () => {
    const probes = [0, 0, 1, 2_500, 4_999].map((afterMs) => recentReadiness(now + afterMs));
    const verdicts = await Promise.all(probes);
    expect(verdicts.every(({ ready }) => ready)).toBe(true);
    expect(asked()).toBe(1);
  });

  test('is asked for anew when five seconds are over', async () => {
    await recentReadiness(now);
    await recentReadiness(now + 5_000);
    expect(asked()).toBe(2);
  });

  test('keeps a red verdict as long as a green one, and no longer', async () => {
    store.on(GetItemCommand).rejectsOnce(new Error('no answer')).resolves({});
    expect((await recentReadiness(now)).ready).toBe(false);
    expect((await recentReadiness(now + 4_999)).ready).toBe(false);
    expect((await recentReadiness(now + 5_000)).ready).toBe(true);
  });
});
