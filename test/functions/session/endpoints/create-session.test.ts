import { describe, expect, test } from 'vitest';
import { createSession as createByDomain } from '../../../../functions/session/domain/create-session.ts';
import {
  locatorOf,
  newSessionId,
  openPrivateKey,
  parseSessionId,
  sessions,
} from '../../../../functions/session/domain/session.ts';
import { handler as create } from '../../../../functions/session/endpoints/create-session.ts';
import { Refusal } from '../../../../shared/errors/errors.ts';
import type { Cpf } from '../../../../shared/taxpayer/cpf.ts';
import { killedAt } from '../../../faults/crash.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { aSession, codeOf, createSession, headers } from '../a-session.ts';
import { isActive } from '../calls.ts';
import { clockAhead, restoreSettings, setting } from '../own-settings.ts';
import { sessionStage } from '../stage.ts';

await forFile(sessionStage());
restoreSettings();

describe('POST /v1/sessions', () => {
  test('answers 201 with the id, the CPF, and the default window when none is asked for', async () => {
    const before = Date.now();
    const answer = await createSession({ cpf: '52998224725', pin: '1234' });
    expect(answer.status).toBe(201);
    const made = answer.json() as { expiresAt: string };
    expect(made).toEqual({
      sessionId: expect.stringMatching(/^[\w-]{65}$/),
      cpf: '52998224725',
      expiresIn: 3600,
      expiresAt: expect.any(String),
    });
    expect(Date.parse(made.expiresAt)).toBeGreaterThanOrEqual(before + 3_600_000);
  });

  test('clamps a sessionDuration above the maximum, and grants a shorter one as it is', async () => {
    expect((await aSession('52998224725', { sessionDuration: 999_999_999 })).expiresIn).toBe(86_400);
    expect((await aSession('52998224725', { sessionDuration: 90 })).expiresIn).toBe(90);
  });

  test('of fifty at the same moment for one CPF exactly one session lives, and who finds five before it is busy', async () => {
    const made = await Promise.all(
      Array.from({ length: 50 }, () => createSession({ cpf: '52998224725', pin: '1234' })),
    );
    const created = made.filter((answer) => answer.status === 201);
    const refused = made.filter((answer) => answer.status !== 201);
    expect(created.length).toBeGreaterThanOrEqual(5);
    expect(new Set(refused.map(codeOf))).toEqual(new Set(['SERVER_BUSY']));
    // It is not the server that is full.
    expect(refused[0]?.text).toContain('5 PINs of this CPF are being compared');
    const ids = created.map((answer) => (answer.json() as { sessionId: string }).sessionId);
    const active = await Promise.all(ids.map(isActive));
    expect(active.filter(Boolean)).toHaveLength(1);
    expect((await createSession({ cpf: '52998224725', pin: '1234' })).status).toBe(201);
  });

  test.each([
    ['no certificate anywhere', { cpf: '20406080100' }, 404, 'CERT_NOT_FOUND'],
    ['an expired certificate', { cpf: '12345678909' }, 422, 'CERT_NOT_ACTIVE'],
    ['a revoked certificate', { cpf: '56072386105' }, 422, 'CERT_NOT_ACTIVE'],
    ['a certificate of an issuer that is not trusted', { cpf: '87378011126' }, 422, 'CERT_NOT_ACTIVE'],
    ['a certificate whose revocation data is out of reach', { cpf: '15350946056' }, 422, 'CERT_NOT_ACTIVE'],
    ['a PIN that opens nothing', { pin: '9999' }, 401, 'INVALID_PIN'],
    ['a CPF with wrong check digits', { cpf: '52998224724' }, 400, 'INVALID_REQUEST'],
    ['a CPF of eleven repeated digits', { cpf: '11111111111' }, 400, 'INVALID_REQUEST'],
    ['a CPF with punctuation', { cpf: '529.982.247-25' }, 400, 'INVALID_REQUEST'],
    ['no PIN', { pin: undefined }, 400, 'INVALID_REQUEST'],
    ['a duration that is no number', { sessionDuration: 'long' }, 400, 'INVALID_REQUEST'],
  ])('refuses %s', async (_, wrong, expected, code) => {
    const answer = await createSession({ cpf: '52998224725', pin: '1234', ...wrong });
    expect([answer.status, codeOf(answer)]).toEqual([expected, code]);
  });

  test('shows the form of a CPF to who sends it with punctuation', async () => {
    const answer = await createSession({ cpf: '529.982.247-25', pin: '1234' });
    expect(JSON.stringify(answer)).toContain('eleven digits without punctuation, such as 52998224725');
  });

  test('keeps nothing of the PIN, and no key that opens without the id, or under another epoch', async () => {
    const { sessionId } = await aSession();
    const stored = await sessions.get(locatorOf('52998224725'));
    if (stored?.binding.custody !== 'vault') throw new Error('It is bound to a certificate of the vault.');
    const { sealedKey } = stored.binding;
    expect(JSON.stringify(stored)).not.toContain('"1234"');
    const secret = parseSessionId(sessionId)?.secret ?? '';
    expect(openPrivateKey(sealedKey, secret)?.type).toBe('private');
    for (const other of [stored.secretHash, parseSessionId(newSessionId('52998224725'))?.secret ?? '', ''])
      expect(openPrivateKey(sealedKey, other)).toBeUndefined();
    setting('Sessions:Epoch', 'the second');
    expect(openPrivateKey(sealedKey, secret)).toBeUndefined();
  });
});

describe('the lockout', () => {
  const cpf = '47363361886' as Cpf;
  const attempt = (pin: string) => createSession({ cpf, pin });
  /** Without the writes of the limits around it. */
  const create = (pin: string) =>
    createByDomain(
      { application: 'sandbox', keyId: 'key', permissions: [], registered: {} },
      { cpf, pin, correlationId: 'kill', deadlineAtMs: Date.now() + 60_000 },
      Date.now,
    ).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
  // Each test begins after the windows of those before it.
  const HOUR_MS = 3_600_000;

  test('is reached after so many failed PINs, for the right PIN too, and clears as the oldest age out', async () => {
    const codes: string[] = [];
    for (let n = 0; n < 5; n++) codes.push(codeOf(await attempt('0000')));
    expect(codes).toEqual(Array(5).fill('INVALID_PIN'));
    const locked = await attempt('1234');
    expect([locked.status, codeOf(locked)]).toEqual([429, 'TOO_MANY_PIN_ATTEMPTS']);
    setting('Sessions:PinFailureWindow', '1');
    clockAhead(2_000);
    expect((await attempt('1234')).status).toBe(201);
  });

  //   0 min |-- five wrong --|      14 min |-- five refused --|      16 min: the first five are too old
  test('is made worse by retrying: what is refused while it lasts counts as failed too', async () => {
    clockAhead(1_800_000);
    for (let n = 0; n < 5; n++) await attempt('0000');
    clockAhead(14 * 60_000);
    for (let n = 0; n < 5; n++) expect(codeOf(await attempt('1234'))).toBe('TOO_MANY_PIN_ATTEMPTS');
    clockAhead(2 * 60_000);
    expect(codeOf(await attempt('1234'))).toBe('TOO_MANY_PIN_ATTEMPTS');
  });

  test('fifty wrong PINs at the same moment are compared no more often than the limit', async () => {
    clockAhead(2 * HOUR_MS);
    const answers = await Promise.all(Array.from({ length: 50 }, () => attempt('0000')));
    const codes = answers.map(codeOf);
    expect(codes.filter((code) => code === 'INVALID_PIN')).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(45);
    expect(codeOf(await attempt('1234'))).toBe('TOO_MANY_PIN_ATTEMPTS');
  });

  // A limit of one, and a server that is killed at each write of an attempt:
  //
  //   wrong PIN   |--counts itself--compares--counts as failed--|
  //   right PIN   |--counts itself--compares--session, and taken back--|
  //
  // Who was killed after it had counted itself may have compared its PIN: it counts until it leaves the window.
  test.each([
    ['0000', 3 * HOUR_MS],
    ['1234', 4 * HOUR_MS],
  ])('a kill at any write never lets one more PIN be compared: %s', async (pin, fromMs) => {
    setting('Sessions:MaxPinFailures', '1');
    setting('Sessions:PinFailureWindow', '60');
    clockAhead(fromMs);
    const sessionOf = async () => (await sessions.get(locatorOf(cpf)))?.secretHash;
    for (const moment of ['before', 'after'] as const)
      for (let write = 1; ; write++) {
        clockAhead(61_000);
        const before = await sessionOf();
        if (!(await killedAt(write, moment, () => create(pin)))) break;
        const [isCounted, isCreated] = [write > 1 || moment === 'after', (await sessionOf()) !== before];
        const { status } = await attempt('1234');
        expect([write, moment, status]).toEqual([write, moment, isCounted && !isCreated ? 429 : 201]);
      }
    clockAhead(61_000);
    expect((await attempt('1234')).status).toBe(201);
  });
});

test('an address that asks for too many sessions is told SERVER_BUSY whatever it sends, with no Retry-After, and another address is not', async () => {
  setting('Throttle:SessionsPerAddress', '20');
  const from = (address: string) => call(create, { headers, json: {}, address });
  const flooding = `flood-${crypto.randomUUID()}`;
  let taken = 0;
  let answer = await from(flooding);
  // Twice as many where a minute ends meanwhile.
  for (; answer.status === 400 && taken < 50; taken++) answer = await from(flooding);
  expect([answer.status, codeOf(answer)]).toEqual([429, 'SERVER_BUSY']);
  expect(answer.headers).not.toHaveProperty('retry-after');
  expect(taken).toBeGreaterThanOrEqual(20);
  expect((await from('198.51.100.1')).status).toBe(400);
});
