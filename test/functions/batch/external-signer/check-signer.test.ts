import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler as getReady } from '../../../../functions/batch/endpoints/get-ready.ts';
import { handler as getDetails } from '../../../../functions/batch/endpoints/get-ready-details.ts';
import { passRecords } from '../../../../functions/batch/external-signer/domain/pass.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { call } from '../../../requests/http-event.ts';
import { cited, notificationStage } from './notification-stage.ts';

const { send, notify, outcomes } = notificationStage();

type Check = { readonly name: string; readonly ok: boolean; readonly detail: string };

async function readCheck(name: string): Promise<Check | undefined> {
  const { status, json } = await call(getDetails, { headers: { 'X-API-Key': SANDBOX_KEY } });
  const { ready, checks } = json() as { ready: boolean; checks: Check[] };
  expect([status, ready]).toEqual([200, true]);
  return checks.find((check) => check.name === name);
}

const failedPasses = (failures: number) =>
  passRecords.put({
    kind: 'sweep',
    startedAtMs: 0,
    cursor: null,
    failures,
    lastError: failures === 0 ? null : 'The folder did not answer.',
  });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => vi.useRealTimers());

test('a sweep is green before the first pass, after a clean one and for two failed ones, red from the third', async () => {
  const seen = [await readCheck('signer-folder-sweep')];
  for (const failures of [0, 1, 2, 3, 4, 0]) {
    await failedPasses(failures);
    seen.push(await readCheck('signer-folder-sweep'));
  }
  expect(seen.map((check) => check?.ok)).toEqual([true, true, true, true, false, false, true]);
  expect(seen.map((check) => check?.detail)).toEqual([
    'No pass has been made.',
    'The last pass was clean.',
    'The last pass failed: The folder did not answer.',
    'The last 2 passes failed: The folder did not answer.',
    'The last 3 passes failed: The folder did not answer.',
    'The last 4 passes failed: The folder did not answer.',
    'The last pass was clean.',
  ]);
});

test('a failing sweep and a missing secret are shown to anyone, without a reason, and fail nothing', async () => {
  vi.stubEnv('Signer__WebhookSecret', '');
  await failedPasses(3);
  const { status, json } = await call(getReady);
  expect([status, json()]).toEqual([
    200,
    {
      ready: true,
      checks: [
        { name: 'database', ok: true },
        { name: 'signer-notifications', ok: false },
        { name: 'signer-folder-sweep', ok: false },
        { name: 'cluster-instance', ok: true },
        { name: 'signing-profile:bound', ok: false },
        { name: 'signing-profile:not-enabled', ok: false },
      ],
    },
  ]);
});

test('notifications tell whether the secret is set, and to the minute when the last authenticated one came', async () => {
  const at = async (time: string, work: () => Promise<unknown>) => {
    vi.setSystemTime(`2026-11-16T${time}Z`);
    await work();
    await outcomes();
    return (await readCheck('signer-notifications'))?.detail;
  };
  const forged = { headers: { authorization: 'Bearer forged' } };
  expect(await at('12:00:00', () => send(notify(cited()), forged))).toBe(
    'Signer:WebhookSecret is set. No authenticated notification has arrived.',
  );
  expect(await at('12:00:01', () => send(notify(cited())))).toContain('2026-11-16T12:00:01.000Z');
  expect(await at('12:00:31', () => send(notify(cited())))).toContain('2026-11-16T12:00:01.000Z');
  expect(await at('12:01:02', () => send('unreadable'))).toContain('2026-11-16T12:01:02.000Z');
  expect(await at('12:05:00', () => send(notify(cited()), forged))).toContain('2026-11-16T12:01:02.000Z');
  vi.stubEnv('Signer__WebhookSecret', '');
  expect(await readCheck('signer-notifications')).toEqual({
    name: 'signer-notifications',
    ok: false,
    detail: 'Signer:WebhookSecret is not set: no notification is taken.',
  });
});
