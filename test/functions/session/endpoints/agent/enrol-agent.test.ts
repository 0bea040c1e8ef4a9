import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  createEnrolmentCode,
  enrolAgent,
} from '../../../../../functions/session/domain/workstations/enrolment.ts';
import { publicText } from '../../../../../shared/workstation/keys.ts';
import { wholeTable } from '../../../../stores/whole-table.ts';
import { deliver, enrolTestAgent, newKeys, signedMessage, tryToEnrol } from '../../test-agent.ts';

const aCode = async () => (await createEnrolmentCode({}, Date.now())).code;

describe('POST /agent/enrolments', () => {
  test('lets a workstation in with a code, however its letters are written', async () => {
    const code = await aCode();
    expect(code).toMatch(/^([0-9A-Z]{5}-){5}[0-9A-Z]$/);
    const { status, json } = await tryToEnrol({ code: code.toLowerCase().replaceAll('-', ' ') });
    expect(status).toBe(200);
    const { payload } = json() as { payload: string };
    expect(JSON.parse(payload)).toEqual({ agentId: expect.any(String), serverKey: expect.any(String) });
  });

  test('keeps neither the code nor a private key of the agent', async () => {
    const code = await aCode();
    const keys = newKeys();
    await tryToEnrol({ code }, keys);
    const table = await wholeTable();
    expect(table).not.toContain(code);
    expect(table).not.toContain(code.replaceAll('-', ''));
    expect(table).toContain(publicText(keys.ed25519.publicKey));
    for (const { privateKey } of Object.values(keys))
      expect(table).not.toContain(String(privateKey.export({ format: 'jwk' }).d));
  });

  test('gives each agent a key of the server of its own', async () => {
    const [one, other] = await Promise.all([enrolTestAgent(), enrolTestAgent()]);
    expect(publicText(one.server)).not.toBe(publicText(other.server));
  });

  test('takes a code once', async () => {
    const code = await aCode();
    expect((await tryToEnrol({ code })).status).toBe(200);
    expect((await tryToEnrol({ code })).status).toBe(401);
  });

  // Ten workstations with one code. The store lets the first use of it through:
  //
  //   one    |--reads unused-- used, agent made --|
  //   other    |--reads unused----- used: refused --|
  test('lets one in when many come with the same code at once', async () => {
    const code = await aCode();
    const answers = await Promise.all(Array.from({ length: 10 }, () => tryToEnrol({ code })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(401)]);
  });

  test('refuses an unknown code and one that is over, in the same words', async () => {
    const { code } = await createEnrolmentCode({}, Date.now() - 900_001);
    const [over, unknown] = await Promise.all([tryToEnrol({ code }), tryToEnrol({ code: 'ABCDE' })]);
    expect([over.status, unknown.status]).toEqual([401, 401]);
    expect(over.text).toBe(unknown.text);
  });

  test('is over at the very moment that was told', async () => {
    const { code, expiresAtMs } = await createEnrolmentCode({}, Date.now());
    const keys = newKeys();
    const enrolment = {
      code,
      name: 'a desk',
      ed25519: publicText(keys.ed25519.publicKey),
      x25519: publicText(keys.x25519.publicKey),
    };
    await expect(enrolAgent(enrolment, expiresAtMs)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(enrolAgent(enrolment, expiresAtMs - 1)).resolves.toMatchObject({ name: 'a desk' });
  });

  test('refuses a key that its sender does not hold, and does not use up the code', async () => {
    const code = await aCode();
    const thief = generateKeyPairSync('ed25519').privateKey;
    expect((await tryToEnrol({ code }, newKeys(), thief)).status).toBe(401);
    expect((await tryToEnrol({ code })).status).toBe(200);
  });

  test.each([
    ['no key', 'bm9uZQ'],
    ['a key of another kind', publicText(generateKeyPairSync('ed25519').publicKey)],
    // The neutral point: with it every secret is zero.
    [
      'a point that gives no secret',
      Buffer.from(`302a300506032b656e032100${'00'.repeat(32)}`, 'hex').toString('base64url'),
    ],
  ])('refuses %s to seal PINs with, naming the field', async (_, x25519) => {
    const { status, json } = await tryToEnrol({ code: await aCode(), x25519 });
    expect(status).toBe(400);
    expect(json()).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: expect.stringContaining('x25519') },
    });
  });

  test('refuses a signed request of the wrong shape, naming the field', async () => {
    const { status, json } = await tryToEnrol({ code: await aCode(), name: ' ' });
    expect(status).toBe(400);
    expect(json()).toMatchObject({ error: { details: expect.stringContaining('name') } });
  });

  test('refuses an old request, however right its signature', async () => {
    const keys = newKeys();
    const body = {
      code: await aCode(),
      name: 'a desk',
      ed25519: publicText(keys.ed25519.publicKey),
      x25519: publicText(keys.x25519.publicKey),
    };
    const message = { path: '/agent/enrolments', body, agentId: '', key: keys.ed25519.privateKey };
    expect((await deliver(signedMessage({ ...message, at: Date.now() - 61_000 }).sent)).status).toBe(401);
    expect((await deliver(signedMessage(message).sent)).status).toBe(200);
  });
});
