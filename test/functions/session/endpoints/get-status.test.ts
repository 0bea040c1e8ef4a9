import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import {
  locatorOf,
  newSessionId,
  parseSessionId,
  type Session,
  sessions,
} from '../../../../functions/session/domain/session.ts';
import { handler } from '../../../../functions/session/endpoints/get-status.ts';
import { seedSandbox } from '../../../../infra/local/seed/seed.ts';
import { hashSecret } from '../../../../shared/access/secrets.ts';
import { call } from '../../../requests/http-event.ts';

type Status = { active: boolean; sessionId: string; expiresIn: number; expiresAt: string };

const headers = { 'X-API-Key': SANDBOX_KEY };
const anyCpf = () => String(randomInt(10 ** 10, 10 ** 11));

async function statusOf(sessionId: string): Promise<Status> {
  const { status, json } = await call(handler, { headers, query: { sessionId } });
  expect(status).toBe(200);
  return json() as Status;
}

/** Puts the one session of a CPF, as creating it would, and gives its id. */
async function aSession(cpf: string, endsInMs: number): Promise<string> {
  const id = newSessionId(cpf);
  const secret = parseSessionId(id)?.secret ?? '';
  const session: Session = {
    locator: locatorOf(cpf),
    cpf,
    secretHash: hashSecret(secret),
    binding: { custody: 'workstation', sha256: 'none', agentId: 'none' },
    windowSeconds: 3600,
    expiresAtMs: Date.now() + endsInMs,
    allowanceLeft: null,
    callsUnderWay: 0,
    email: null,
    createdAtMs: Date.now(),
  };
  await sessions.put(session);
  return id;
}

beforeAll(seedSandbox);

describe('GET /v1/sessions/status', () => {
  test.each([
    ['an id that is no id of ours', 'none'],
    ['an id that was never given out', newSessionId('52998224725')],
    ['an id with a path in it', '../../SESSION#1'],
  ])('answers 200 with active false for %s', async (_, sessionId) => {
    const before = Date.now();
    const status = await statusOf(sessionId);
    expect(status).toEqual({ active: false, sessionId, expiresIn: 0, expiresAt: expect.any(String) });
    expect(Date.parse(status.expiresAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(status.expiresAt)).toBeLessThanOrEqual(Date.now());
  });

  test('answers 400 when the id is empty or given twice', async () => {
    for (const sessionId of ['', ['a', 'b']]) {
      expect((await call(handler, { headers, query: { sessionId } })).status).toBe(400);
    }
  });

  test('says that an active session is active, and the seconds that are left of it', async () => {
    const sessionId = await aSession(anyCpf(), 90_000);
    const status = await statusOf(sessionId);
    expect(status).toMatchObject({ active: true, sessionId });
    expect(status.expiresIn).toBeGreaterThan(60);
    expect(status.expiresIn).toBeLessThanOrEqual(90);
  });

  test('has no way to ask whether a CPF has a session', async () => {
    const cpf = anyCpf();
    const sessionId = await aSession(cpf, 90_000);
    const guesses = [cpf, locatorOf(cpf), `${sessionId.slice(0, -1)}${sessionId.endsWith('A') ? 'B' : 'A'}`];
    for (const guess of guesses) expect((await statusOf(guess)).active).toBe(false);
  });
});
