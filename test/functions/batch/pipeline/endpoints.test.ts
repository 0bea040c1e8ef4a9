import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { takingSlot } from '../../../../functions/batch/jobs/domain/engine/slots.ts';
import { handler as getState } from '../../../../functions/batch/pipeline/endpoints/get-pipeline-state.ts';
import { handler as pause } from '../../../../functions/batch/pipeline/endpoints/pause-pipeline.ts';
import { handler as resume } from '../../../../functions/batch/pipeline/endpoints/resume-pipeline.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { letInFirst } from '../../let-in-first.ts';
import { ownStores } from '../../own-stores.ts';

type State = { paused: boolean; pausedAtUtc: string | null; reason: string | null };

// Every call from an address of its own, so that no test spends another's allowance.
const from = () => ({ headers: { 'X-API-Key': SANDBOX_KEY }, address: randomUUID() });
const state = async () => (await call(getState, from())).json() as State;
const act = (action: Endpoint, reason?: string) =>
  call(action, { ...from(), method: 'POST', ...(reason !== undefined && { json: { reason } }) });

await forFile(ownStores());
beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the pipeline', () => {
  test('runs, and has never been paused, before anyone pauses it', async () => {
    expect(await state()).toEqual({
      paused: false,
      pausedAtUtc: null,
      resumedAtUtc: null,
      pausedBy: null,
      reason: null,
      maxConcurrency: 1,
      jobsInFlight: 0,
      jobsInFlightByFormat: { pades: 0, cades: 0, xades: 0, total: 0 },
    });
  });

  test('that was never paused is resumed without a trace', async () => {
    expect((await act(resume)).json()).toMatchObject({ paused: false, resumedAtUtc: null });
  });

  // Before there is an item to change, the same rule holds:
  //
  //   12 callers  |--read: none--|--one creates it: Paused, 200--|
  //                              |--the others are refused: 409--|  or come later and read: Paused, 200
  test('paused for the first time by many at once is paused by one of them', async () => {
    await expectOneWinner(pause, true);
  });

  test('resumed by many at once is resumed by one of them', async () => {
    await act(pause);
    await expectOneWinner(resume, false);
  });

  test('pauses without a body, and says when and by whom', async () => {
    await act(resume);
    const { status, json } = await act(pause);
    expect(status).toBe(200);
    expect(json()).toMatchObject({ paused: true, pausedBy: 'operator', reason: null });
    expect(Date.parse((json() as State).pausedAtUtc ?? '')).toBeGreaterThan(Date.now() - 10_000);
    expect(await state()).toEqual(json());
  });

  test('paused again stays as it was paused first', async () => {
    await act(pause);
    const before = await state();
    const { status, json } = await act(pause, 'again');
    expect(status).toBe(200);
    expect(json()).toEqual(before);
  });

  test('resumes, and keeps the reason given last', async () => {
    await act(pause);
    const { status, json } = await act(resume, 'share is back');
    expect(status).toBe(200);
    expect(json()).toMatchObject({ paused: false, reason: 'share is back' });
    expect(await state()).toEqual(json());
  });

  // Two operators meet:
  //
  //   this one   |--pause: reads Running----------------------- writes: refused, 409
  //   the other      |--pause: reads Running-- writes: Paused --|
  test('answers 409 pipeline.race-lost where a concurrent transition was committed first', async () => {
    await act(resume);
    letInFirst(() => act(pause, 'the other'));
    const { status, json } = await act(pause, 'this one');
    expect(status).toBe(409);
    expect(json()).toMatchObject({ status: 409, code: 'pipeline.race-lost' });
    expect(await state()).toMatchObject({ paused: true, reason: 'the other' });
  });

  test('shows the jobs in flight by format', async () => {
    const taken = { jobId: 'any', profileName: 'default', fence: 1 };
    const formats = ['Pades', 'Pades', 'Xades'] as const;
    await commit(formats.map((format, number) => takingSlot({ ...taken, format, number }, Date.now())));
    expect(await state()).toMatchObject({
      jobsInFlight: 3,
      jobsInFlightByFormat: { pades: 2, cades: 0, xades: 1, total: 3 },
    });
  });
});

describe('a reason', () => {
  test('of 512 characters is kept, and of 513 refused with validation.reason-too-long', async () => {
    await act(resume);
    const refused = await act(pause, 'x'.repeat(513));
    expect(refused.status).toBe(400);
    expect(refused.json()).toMatchObject({ code: 'validation.reason-too-long' });
    expect((await state()).paused).toBe(false);

    expect((await act(pause, 'x'.repeat(512))).status).toBe(200);
    expect((await state()).reason).toBe('x'.repeat(512));
  });

  test('that is null, and an empty form, are none', async () => {
    const form = {
      body: '',
      headers: { ...from().headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    };
    for (const [action, request] of [
      [resume, form],
      [pause, { json: { reason: null } }],
      [resume, { json: { reason: null } }],
      [pause, form],
    ] as const) {
      const { status, json } = await call(action, { ...from(), method: 'POST', ...request });
      expect([status, (json() as State).reason]).toEqual([200, null]);
    }
  });

  test('that is no text is refused, naming the field', async () => {
    const { status, json } = await call(pause, { ...from(), json: { reason: 7 } });
    expect(status).toBe(400);
    expect(json()).toMatchObject({ code: 'request.invalid', errors: { reason: [expect.any(String)] } });
  });
});

describe('the policy Actions', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('lets 60 calls a minute through from one address, malformed ones included; the next is told to wait', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2027, 0, 1, 12, 0, 15) });
    const { headers, address } = from();
    const malformed = { method: 'POST', headers, address, body: '{' };
    const refused = await Promise.all(Array.from({ length: 57 }, () => call(pause, malformed)));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([400]));
    for (const action of [pause, resume])
      expect((await call(action, { method: 'POST', headers, address })).status).toBe(200);
    expect((await call(getState, { headers, address })).status).toBe(200);

    const next = await call(getState, { headers, address });
    expect(next.status).toBe(429);
    expect(next.headers['retry-after']).toBe('45');
    expect(next.json()).toMatchObject({ status: 429, code: 'rate-limited' });

    expect((await call(getState, from())).status).toBe(200);
    vi.setSystemTime(Date.UTC(2027, 0, 1, 12, 1, 0));
    expect((await call(getState, { headers, address })).status).toBe(200);
  });
});

async function expectOneWinner(action: Endpoint, paused: boolean): Promise<void> {
  const reasons = Array.from({ length: 12 }, () => randomUUID());
  const answers = await Promise.all(reasons.map((reason) => act(action, reason)));
  const { reason: winner, paused: is } = await state();
  expect(is).toBe(paused);
  expect(reasons).toContain(winner);
  for (const { status, json } of answers) {
    if (status === 200) expect(json()).toMatchObject({ paused, reason: winner });
    else expect([status, (json() as { code: string }).code]).toEqual([409, 'pipeline.race-lost']);
  }
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
}
