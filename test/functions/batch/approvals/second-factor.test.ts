import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { approverSessions } from '../../../../functions/batch/approvals/approver-sessions.ts';
import {
  beginEnrolment,
  confirmEnrolment,
  resetSecondFactor,
  viewEnrolment,
} from '../../../../functions/batch/approvals/domain/second-factor/enrol.ts';
import { enrolments } from '../../../../functions/batch/approvals/domain/second-factor/enrolment.ts';
import { requireVerified } from '../../../../functions/batch/approvals/domain/second-factor/require-verified.ts';
import { handler as begin } from '../../../../functions/batch/approvals/endpoints/begin-second-factor.ts';
import { handler as confirm } from '../../../../functions/batch/approvals/endpoints/confirm-second-factor.ts';
import { handler as read } from '../../../../functions/batch/approvals/endpoints/get-second-factor.ts';
import { handler as listPending } from '../../../../functions/batch/approvals/endpoints/list-pending.ts';
import { listEvents } from '../../../../functions/batch/operations/domain/list-events.ts';
import { metricsLedger } from '../../../../functions/batch/operations/domain/metrics.ts';
import { AdminRefusal } from '../../../../shared/access/administration.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { wholeTable } from '../../../stores/whole-table.ts';
import { ownStores } from '../../own-stores.ts';
import { codeAt, hasOathtool } from './oathtool.ts';

const INVALID = 'approval.second-factor-invalid-code';
const LOCKED = 'approval.second-factor-locked-out';
const T0 = Date.parse('2026-03-02T12:00:00Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const STEP = 30 * SECOND;

await forFile(ownStores());
beforeEach(() => {
  vi.stubEnv('ApproverSecondFactor__Enabled', 'true');
  vi.stubEnv('ApproverPortal__LinkSecret', 'a-link-secret-of-32-characters-01');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

let people = 0;

/** A session of somebody whom no other test knows. */
async function visit(address = `person-${++people}@sandbox.example`, nowMs = T0) {
  const data = { address, method: 'LinkDerivedEmail', verifiedAtMs: null } as const;
  const cookie = await approverSessions.start(undefined, data, nowMs);
  const person = { address, cookie };
  return {
    ...person,
    person,
    begin: async (): Promise<string> => {
      await beginEnrolment(person);
      const view = await viewEnrolment(person);
      return view.state === 'pending' ? view.secret : expect.fail(view.state);
    },
    confirm: (code: string, atMs: number) => confirmEnrolment(person, code, atMs),
    /** Decides as the portal does: with what the store knows of the session. */
    async verify(code: string | undefined, atMs: number) {
      const session = (await approverSessions.use(cookie, atMs)) ?? expect.fail('The session is over.');
      return requireVerified({ cookie, session, code }, atMs);
    },
  };
}

/** Somebody who enrolled at T0 minus an hour. */
async function enrolled() {
  const visitor = await visit();
  const secret = await visitor.begin();
  const atMs = T0 - 60 * MINUTE;
  expect(await visitor.confirm(codeAt(secret, atMs), atMs)).toBe('enrolled');
  return { ...visitor, secret };
}

/** A code that is wrong in every step of the window. */
function wrongAt(secret: string, ms: number): string {
  const right = [-STEP, 0, STEP].map((shift) => codeAt(secret, ms + shift));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '';
}

const counted = (series: string): Promise<number> =>
  metricsLedger.read(async (readNode) => (await readNode('')).get(series) ?? 0);
const verifications = (outcome: string) =>
  counted(`bulk_second_factor_verifications_total{outcome="${outcome}"}`);
const eventsAbout = async (address: string) =>
  (await listEvents({ text: address, page: 1, pageSize: 10 })).items.map(({ type, by, code }) => ({
    type,
    by,
    code,
  }));

test('where the second factor is disabled, nobody needs a code', async () => {
  vi.stubEnv('ApproverSecondFactor__Enabled', 'false');
  const { verify, person } = await visit();
  expect(await verify(undefined, T0)).toBe('verified');
  await beginEnrolment(person);
  expect(await enrolments.get(person.address)).toBeUndefined();
});

test('somebody who is not enrolled cannot decide, whatever the code', async () => {
  const { verify, begin: beginAgain } = await visit();
  expect(await verify('123456', T0)).toBe('not-enrolled');
  await beginAgain();
  expect(await verify('123456', T0)).toBe('not-enrolled');
});

describe.skipIf(!hasOathtool)('enrolment', () => {
  test('a code of the new secret confirms it, counts as a verification, and works once', async () => {
    const before = [
      await counted('bulk_second_factor_enrolments_total'),
      await verifications('accepted'),
    ] as const;
    const ana = await visit();
    const secret = await ana.begin();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const code = codeAt(secret, T0);
    expect(await ana.confirm(code, T0)).toBe('enrolled');
    expect(await ana.verify(undefined, T0 + MINUTE)).toBe('verified');
    expect(await viewEnrolment(ana.person)).toEqual({ state: 'enrolled', confirmedAtMs: T0 });
    const other = await visit(ana.address);
    expect(await other.verify(undefined, T0)).toBe('code-required');
    expect(await other.verify(code, T0)).toBe(INVALID);
    expect(await counted('bulk_second_factor_enrolments_total')).toBe(before[0] + 1);
    expect(await verifications('accepted')).toBe(before[1] + 1);
    expect(await eventsAbout(ana.address)).toEqual([
      { type: 'SecondFactorEnrolled', by: ana.address, code: null },
    ]);
  });

  test('a pending secret is replaced, and a confirmed one is not', async () => {
    const ana = await visit();
    const [first, second] = [await ana.begin(), await ana.begin()];
    expect(second).not.toBe(first);
    expect(await ana.confirm(codeAt(first, T0), T0)).toBe(INVALID);
    expect(await ana.confirm(codeAt(second, T0), T0)).toBe('enrolled');
    await beginEnrolment(ana.person);
    expect(await viewEnrolment(ana.person)).toMatchObject({ state: 'enrolled' });
    expect(await ana.confirm(codeAt(second, T0 + STEP), T0 + STEP)).toBe('not-pending');
    expect(await ana.verify(codeAt(second, T0 + 60 * MINUTE), T0 + 60 * MINUTE)).toBe('verified');
  });

  test('stolen link: another session of the same person neither sees nor confirms a secret', async () => {
    const ana = await visit();
    const secret = await ana.begin();
    const thief = await visit(ana.address);
    expect(await viewEnrolment(thief.person)).toEqual({ state: 'none' });
    expect(await thief.confirm(codeAt(secret, T0), T0)).toBe('not-pending');
    await thief.begin();
    expect(await viewEnrolment(ana.person)).toEqual({ state: 'none' });
  });

  test('five wrong codes lock a pending enrolment too, and another secret does not open it', async () => {
    const ana = await visit();
    const wrong = wrongAt(await ana.begin(), T0);
    for (let n = 1; n < 5; n++) expect(await ana.confirm(wrong, T0)).toBe(INVALID);
    expect(await ana.confirm(wrong, T0)).toBe(LOCKED);
    const secret = await ana.begin();
    expect(await ana.confirm(codeAt(secret, T0 + MINUTE), T0 + MINUTE)).toBe(LOCKED);
    expect(await ana.confirm(codeAt(secret, T0 + 5 * MINUTE), T0 + 5 * MINUTE)).toBe('enrolled');
  });

  test('the table holds no secret in clear, neither a pending nor a confirmed one', async () => {
    const { secret } = await enrolled();
    const pending = await (await visit()).begin();
    const table = await wholeTable('batch');
    for (const text of [secret, pending]) expect(table).not.toContain(text);
  });

  test('a secret copied to another person does not open, and the message says what to do', async () => {
    const [ana, bruno] = [await enrolled(), await enrolled()];
    const [from, to] = [await enrolments.get(ana.address), await enrolments.get(bruno.address)];
    if (!from || !to) return expect.fail('They are enrolled.');
    await enrolments.change(to, { sealedSecret: from.sealedSecret });
    await expect(bruno.verify(codeAt(ana.secret, T0), T0)).rejects.toThrow(
      `npm run admin -- approvers reset-second-factor ${bruno.address}`,
    );
  });
});

describe.skipIf(!hasOathtool)('a code', () => {
  test('is asked for once in the window of 20 minutes, counted from the verification and never extended', async () => {
    const { verify, secret } = await enrolled();
    expect(await verify(undefined, T0)).toBe('code-required');
    expect(await verify('  ', T0)).toBe('code-required');
    expect(await verify(codeAt(secret, T0), T0)).toBe('verified');
    expect(await verify(undefined, T0 + 10 * MINUTE)).toBe('verified');
    expect(await verify(undefined, T0 + 20 * MINUTE - 1)).toBe('verified');
    expect(await verify(undefined, T0 + 20 * MINUTE)).toBe('code-required');
  });

  test('is asked for with every decision where the window is 0', async () => {
    vi.stubEnv('ApproverSecondFactor__WindowMinutes', '0');
    const { verify, secret } = await enrolled();
    expect(await verify(codeAt(secret, T0), T0)).toBe('verified');
    expect(await verify(undefined, T0)).toBe('code-required');
    expect(await verify(codeAt(secret, T0 + STEP), T0 + STEP)).toBe('verified');
  });

  test('verifies one session, and no other of the same person', async () => {
    const ana = await enrolled();
    const other = await visit(ana.address);
    expect(await ana.verify(codeAt(ana.secret, T0), T0)).toBe('verified');
    expect(await other.verify(undefined, T0)).toBe('code-required');
  });

  test('may be one step old or early, and no more', async () => {
    for (const [shift, outcome] of [
      [-2 * STEP, INVALID],
      [-STEP, 'verified'],
      [STEP, 'verified'],
      [2 * STEP, INVALID],
    ] as const) {
      const { verify, secret } = await enrolled();
      expect([shift, await verify(codeAt(secret, T0 + shift), T0)]).toEqual([shift, outcome]);
    }
  });

  test('is taken with the spaces that apps show', async () => {
    const { verify, secret } = await enrolled();
    expect(await verify(codeAt(secret, T0).replace(/^.../, '$& '), T0)).toBe('verified');
  });

  test('works once: the same code and an older one are wrong, and count', async () => {
    vi.stubEnv('ApproverSecondFactor__WindowMinutes', '0');
    const { verify, secret, address } = await enrolled();
    const code = codeAt(secret, T0);
    expect(await verify(code, T0)).toBe('verified');
    expect(await verify(code, T0 + SECOND)).toBe(INVALID);
    expect(await verify(codeAt(secret, T0 - STEP), T0)).toBe(INVALID);
    expect(await enrolments.get(address)).toMatchObject({ wrongCodes: 2 });
  });

  // first    |--reads last step-- accepted --|
  // second   |--reads last step------ refused, reads again: wrong --|
  // Twelve at once prove that a code lets in one session alone; the others count until the lock.
  test('replayed at once in twelve sessions lets in one', async () => {
    const { address, secret } = await enrolled();
    const sessions = await Promise.all(Array.from({ length: 12 }, () => visit(address)));
    const code = codeAt(secret, T0);
    const outcomes = await Promise.all(sessions.map(({ verify }) => verify(code, T0)));
    expect(outcomes.filter((outcome) => outcome === 'verified')).toHaveLength(1);
    const accepted = await Promise.all(
      sessions.map(async ({ cookie }) => (await approverSessions.use(cookie, T0))?.verifiedAtMs),
    );
    expect(accepted.filter((atMs) => atMs === T0)).toHaveLength(1);
  });
});

describe.skipIf(!hasOathtool)('five wrong codes in a row', () => {
  test('lock the person out for five minutes in every session; then the count starts at zero', async () => {
    const ana = await enrolled();
    const other = await visit(ana.address);
    const before = {
      invalid: await verifications('invalid-code'),
      locked: await verifications('locked-out'),
    };
    const wrong = wrongAt(ana.secret, T0);
    for (let n = 1; n < 5; n++) expect(await (n % 2 ? ana : other).verify(wrong, T0)).toBe(INVALID);
    expect(await ana.verify(wrong, T0)).toBe(LOCKED);
    expect(await other.verify(codeAt(ana.secret, T0 + MINUTE), T0 + MINUTE)).toBe(LOCKED);
    expect(await other.verify(undefined, T0 + MINUTE)).toBe('code-required');
    expect(await verifications('invalid-code')).toBe(before.invalid + 4);
    expect(await verifications('locked-out')).toBe(before.locked + 2);
    expect((await eventsAbout(ana.address))[0]).toEqual({
      type: 'SecondFactorLocked',
      by: null,
      code: LOCKED,
    });

    const laterMs = T0 + 5 * MINUTE;
    for (let n = 1; n < 5; n++) expect(await ana.verify(wrongAt(ana.secret, laterMs), laterMs)).toBe(INVALID);
    expect(await ana.verify(codeAt(ana.secret, laterMs), laterMs)).toBe('verified');
  });

  test('lock the person out on every instance: the store decides', async () => {
    const { verify, secret, cookie, address } = await enrolled();
    vi.resetModules();
    const path = '../../../../functions/batch/approvals/domain/second-factor/require-verified.ts';
    const other: { requireVerified: typeof requireVerified } = await import(path);
    expect(other.requireVerified).not.toBe(requireVerified);
    const session = { address, method: 'LinkDerivedEmail', verifiedAtMs: null } as const;
    const elsewhere = (code: string) => other.requireVerified({ cookie, session, code }, T0);
    const wrong = wrongAt(secret, T0);
    for (let n = 1; n <= 2; n++)
      expect([await verify(wrong, T0), await elsewhere(wrong)]).toEqual([INVALID, INVALID]);
    expect(await verify(wrong, T0)).toBe(LOCKED);
    expect(await elsewhere(codeAt(secret, T0))).toBe(LOCKED);
  });

  test('are counted in a row: a right one starts the count anew', async () => {
    vi.stubEnv('ApproverSecondFactor__WindowMinutes', '0');
    const { verify, secret } = await enrolled();
    for (const atMs of [T0, T0 + STEP]) {
      const wrong = wrongAt(secret, atMs);
      for (let n = 1; n < 5; n++) expect(await verify(wrong, atMs)).toBe(INVALID);
      expect(await verify(codeAt(secret, atMs), atMs)).toBe('verified');
    }
  });

  test('lock once when fifty come at once: five are judged, and no more', async () => {
    const { verify, secret, address } = await enrolled();
    const wrong = wrongAt(secret, T0);
    const before = await verifications('invalid-code');
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => verify(wrong, T0)));
    expect(outcomes.filter((outcome) => outcome === INVALID)).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === LOCKED)).toHaveLength(46);
    expect(await verifications('invalid-code')).toBe(before + 4);
    expect((await eventsAbout(address)).filter(({ type }) => type === 'SecondFactorLocked')).toHaveLength(1);
    expect(await enrolments.get(address)).toMatchObject({ wrongCodes: 0, lockedUntilMs: T0 + 5 * MINUTE });
  });
});

describe.skipIf(!hasOathtool)('a reset', () => {
  test('removes the second factor, and a verification from before it never counts again', async () => {
    const ana = await enrolled();
    expect(await ana.verify(codeAt(ana.secret, T0), T0)).toBe('verified');
    await resetSecondFactor('admin maria', ana.address.toUpperCase(), T0 + SECOND);
    expect(await ana.verify(codeAt(ana.secret, T0 + STEP), T0 + STEP)).toBe('not-enrolled');
    expect((await eventsAbout(ana.address))[0]).toMatchObject({
      type: 'SecondFactorReset',
      by: 'admin maria',
    });

    const other = await visit(ana.address);
    const secret = await other.begin();
    expect(await other.confirm(codeAt(secret, T0 + MINUTE), T0 + MINUTE)).toBe('enrolled');
    expect(await ana.verify(undefined, T0 + MINUTE)).toBe('code-required');
    expect(await ana.verify(codeAt(ana.secret, T0 + 2 * MINUTE), T0 + 2 * MINUTE)).toBe(INVALID);
  });

  test('is refused for somebody without a second factor', async () => {
    await expect(resetSecondFactor('admin maria', 'nobody@sandbox.example', T0)).rejects.toThrow(
      AdminRefusal,
    );
  });
});

describe.skipIf(!hasOathtool)('the page of the second factor', () => {
  const stopClock = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: ms });
  const headersOf = (cookie: string, language = 'en') => ({
    cookie: `lbs-approver=${cookie}`,
    accept: 'text/html',
    'accept-language': language,
    'sec-fetch-site': 'same-origin',
  });
  const send = (cookie: string, code: string, language?: string, query: Record<string, string> = {}) =>
    call(confirm, {
      query,
      headers: { ...headersOf(cookie, language), 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ code }).toString(),
    });

  test('leads through the enrolment, shows the secret until it is confirmed, and is kept by no cache', async () => {
    stopClock(T0);
    const { cookie } = await visit();
    const headers = headersOf(cookie);
    const first = await call(read, { headers });
    expect([first.status, first.text.includes('otpauth://')]).toEqual([200, false]);
    expect(await call(begin, { method: 'POST', headers })).toMatchObject({
      status: 303,
      headers: { location: '/batch/approvals/second-factor' },
    });
    const pending = await call(read, { headers });
    expect(pending.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const key = /<code>((?:[A-Z2-7]{4} ?){8})<\/code>/.exec(pending.text)?.[1] ?? '';
    const secret = key.replaceAll(' ', '');
    expect(pending.text).toContain(`secret=${secret}`);
    expect(pending.text).toContain('<svg class="code" role="img"');

    const refused = await send(cookie, wrongAt(secret, T0), 'pt-BR');
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('O código está errado');
    expect(refused.text).toContain(`<code>${INVALID}</code>`);
    expect(refused.text).toContain('href="/batch/approvals/second-factor?lang=en"');
    expect(await send(cookie, codeAt(secret, T0))).toMatchObject({
      status: 303,
      headers: { location: '/batch/approvals?enrolled=true' },
    });
    const done = await call(read, { headers });
    expect(done.text).toContain('datetime="2026-03-02T12:00:00.000Z">Mar 2, 2026');
    expect(done.text).not.toContain(secret);
    expect(done.text).toContain('last 20 minutes');
    expect((await call(begin, { method: 'POST', headers })).status).toBe(303);
    expect((await call(read, { headers })).text).not.toContain('otpauth://');
  });

  test('leads back to the file that the person came from, and says that it is done', async () => {
    stopClock(T0);
    const { cookie } = await visit();
    const headers = headersOf(cookie);
    const query = { job: randomUUID() };
    expect((await call(begin, { method: 'POST', headers, query })).headers.location).toBe(
      `/batch/approvals/second-factor?job=${query.job}`,
    );
    const { text } = await call(read, { headers, query });
    expect(text).toContain(`action="/batch/approvals/second-factor/confirmation?job=${query.job}"`);
    const key = /<code>((?:[A-Z2-7]{4} ?){8})<\/code>/.exec(text)?.[1] ?? '';
    const code = codeAt(key.replaceAll(' ', ''), T0);
    expect((await send(cookie, code, 'en', query)).headers.location).toBe(
      `/batch/approvals/jobs/${query.job}?enrolled=true`,
    );
    const list = await call(listPending, { headers, query: { enrolled: 'true' } });
    expect(list.text).toContain('Your second factor is set up. You can decide now.');
    // A link that somebody else wrote leads nowhere else.
    const away = await call(read, { headers, query: { job: '//evil.example' } });
    expect(away.text).not.toContain('evil.example');
  });

  test('shows the lock with its code, and until when it lasts', async () => {
    stopClock(T0);
    const { cookie, begin: beginIt } = await visit();
    const wrong = wrongAt(await beginIt(), T0);
    const answers = [];
    for (let n = 1; n <= 5; n++) answers.push(await send(cookie, wrong));
    expect(answers.at(-1)?.text).toContain('Too many wrong codes. Wait five minutes');
    expect(answers.at(-1)?.text).toContain(`<code>${LOCKED}</code>`);
    expect(answers.at(-1)?.text).toContain('Codes are accepted again from Mar 2, 2026, 9:05');
  });

  test('says that none is needed where the second factor is disabled', async () => {
    stopClock(T0);
    vi.stubEnv('ApproverSecondFactor__Enabled', 'false');
    const { cookie } = await visit();
    const headers = headersOf(cookie, 'pt-BR');
    expect((await call(read, { headers })).text).toContain('não é preciso um segundo fator');
    expect((await send(cookie, '123456')).headers.location).toBe('/batch/approvals/second-factor');
  });

  test('is for approvers with a session, and takes nothing from another site', async () => {
    stopClock(T0);
    expect(await call(read, { headers: { accept: 'text/html' } })).toMatchObject({ status: 401 });
    const { cookie, address } = await visit();
    const headers = { ...headersOf(cookie), 'sec-fetch-site': 'cross-site' };
    expect((await call(begin, { method: 'POST', headers })).status).toBe(403);
    expect(await enrolments.get(address)).toBeUndefined();
  });
});
