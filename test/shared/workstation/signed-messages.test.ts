import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openAnswer, signAnswer } from '../../../shared/workstation/signed-answer.ts';
import { isSignedBy, signRequest, stampOf } from '../../../shared/workstation/signed-request.ts';

const agent = generateKeyPairSync('ed25519');
const request = { method: 'POST', path: '/agent/poll', agentId: 'agent-1', body: '{"working":[]}' };

describe('a signed request', () => {
  test('holds as it was sent, and with nothing of it changed', () => {
    const { headers } = signRequest(agent.privateKey, request);
    const stamp = stampOf(headers);
    if (!stamp) throw new Error('There is no stamp.');
    const whole = { ...request, ...stamp };
    expect(isSignedBy(agent.publicKey, whole, stamp.signature)).toBe(true);
    for (const [field, value] of Object.entries({ ...whole, sentAtMs: stamp.sentAtMs })) {
      const changed = typeof value === 'number' ? value + 1 : `${value}x`;
      expect(isSignedBy(agent.publicKey, { ...whole, [field]: changed }, stamp.signature)).toBe(
        field === 'signature',
      );
    }
  });

  test('is never the same twice', () => {
    const nonces = Array.from({ length: 50 }, () => signRequest(agent.privateKey, request).nonce);
    expect(new Set(nonces).size).toBe(50);
  });

  test('whose headers are anything at all has no stamp, and breaks nothing', () => {
    const names = ['x-agent-id', 'x-agent-time', 'x-agent-nonce', 'x-agent-signature'];
    const { headers } = signRequest(agent.privateKey, request);
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.string({ unit: 'binary' }), (name, value) => {
        const stamp = stampOf({ ...headers, [name]: value });
        if (stamp) expect(value).toMatch(/^[\w-]*$/);
      }),
    );
    expect(stampOf({})).toBeUndefined();
  });
});

test('a signed answer is what was said to this request, or nothing', () => {
  const server = generateKeyPairSync('ed25519');
  const answer = signAnswer(server.privateKey, 'nonce-1', { tasks: ['é'] });
  expect(openAnswer(server.publicKey, 'nonce-1', answer)).toEqual({ tasks: ['é'] });
  expect(openAnswer(server.publicKey, 'nonce-2', answer)).toBeUndefined();
  expect(openAnswer(agent.publicKey, 'nonce-1', answer)).toBeUndefined();
  expect(openAnswer(server.publicKey, 'nonce-1', { ...answer, payload: '{"tasks":[]}' })).toBeUndefined();
  for (const garbled of [undefined, null, 'text', {}, { payload: 1, signature: 2 }])
    expect(openAnswer(server.publicKey, 'nonce-1', garbled)).toBeUndefined();
});
