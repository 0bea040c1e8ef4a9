import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { disableAgent } from '../../../../../functions/session/domain/workstations/administration.ts';
import { authenticateAgent } from '../../../../../functions/session/domain/workstations/authenticate-agent.ts';
import { presences } from '../../../../../functions/session/domain/workstations/presence.ts';
import { openAnswer } from '../../../../../shared/workstation/signed-answer.ts';
import { deliver, enrolTestAgent, type Sent, signedMessage, type TestAgent } from '../../test-agent.ts';

let agent: TestAgent;
let other: TestAgent;
[agent, other] = await Promise.all([enrolTestAgent(), enrolTestAgent()]);

const poll = (at?: number) => agent.message('/agent/poll', { working: [], hello: true }, at);
const headers = (sent: Sent, changed: Record<string, string>): Sent => ({
  ...sent,
  headers: { ...sent.headers, ...changed },
});

describe('a request of an agent', () => {
  test('is taken when it is signed, fresh and new', async () => {
    const { sent, nonce } = poll();
    const { status, json } = await deliver(sent);
    expect(status).toBe(200);
    expect(openAnswer(agent.server, nonce, json())).toEqual({ tasks: [], withdrawn: [] });
  });

  test('is refused the second time, word for word', async () => {
    const { sent } = poll();
    expect((await deliver(sent)).status).toBe(200);
    expect((await deliver(sent)).status).toBe(401);
  });

  test('is taken once when many copies come at once', async () => {
    const { sent } = poll();
    const answers = await Promise.all(Array.from({ length: 8 }, () => deliver(sent)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  const forgeries: [string, (sent: Sent) => Sent][] = [
    ['another body', (sent) => ({ ...sent, body: JSON.stringify({ working: ['x'], hello: true }) })],
    ['another path', (sent) => ({ ...sent, path: '/session/agent/certificates', body: sent.body })],
    ['another method', (sent) => ({ ...sent, method: 'PUT' })],
    ['another agent’s id', (sent) => headers(sent, { 'x-agent-id': other.agentId })],
    ['no agent’s id', (sent) => headers(sent, { 'x-agent-id': '' })],
    ['an unknown agent’s id', (sent) => headers(sent, { 'x-agent-id': 'nobody' })],
    ['another moment', (sent) => headers(sent, { 'x-agent-time': String(Date.now() + 1_000) })],
    ['another nonce', (sent) => headers(sent, { 'x-agent-nonce': 'A'.repeat(22) })],
    ['a signature of nothing', (sent) => headers(sent, { 'x-agent-signature': 'A'.repeat(86) })],
    ['a short signature', (sent) => headers(sent, { 'x-agent-signature': 'AAAA' })],
    ['no headers', (sent) => ({ ...sent, headers: {} })],
    ['an API key instead', (sent) => ({ ...sent, headers: { 'x-api-key': 'sandbox|sinete-local-key' } })],
  ];
  test.each(forgeries)('is refused with %s, and leaves the honest one its nonce', async (_, forge) => {
    const { sent } = poll();
    expect((await deliver(forge(sent))).status).toBe(401);
    expect((await deliver(sent)).status).toBe(200);
  });

  test('is refused when another key signed it', async () => {
    const key = generateKeyPairSync('ed25519').privateKey;
    const { sent } = signedMessage({
      path: '/agent/poll',
      body: { working: [] },
      agentId: agent.agentId,
      key,
    });
    expect((await deliver(sent)).status).toBe(401);
  });

  test('is refused when its moment is too far from now, before or after', async () => {
    for (const at of [Date.now() - 61_000, Date.now() + 62_000])
      expect((await deliver(poll(at).sent)).status).toBe(401);
    for (const at of [Date.now() - 50_000, Date.now() + 50_000])
      expect((await deliver(poll(at).sent)).status).toBe(200);
  });

  // Its nonce may be collected from then on, so the clock must refuse it.
  test('is refused by its age from the moment that its nonce need not be kept', async () => {
    const { sent } = poll(1_800_000_000_000);
    const call = {
      method: 'POST',
      path: '/agent/poll',
      headers: sent.headers as Record<string, string>,
      body: Buffer.from(String(sent.body)),
    };
    const inTime = 1_800_000_060_000;
    await expect(authenticateAgent(call, inTime)).resolves.toMatchObject({ agent: { id: agent.agentId } });
    await expect(authenticateAgent(call, inTime + 1)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('is told nothing of why it is refused', async () => {
    const { sent } = poll();
    await deliver(sent);
    const [copy, forged, unknown, old] = await Promise.all([
      deliver(sent),
      deliver(headers(poll().sent, { 'x-agent-nonce': 'B'.repeat(22) })),
      deliver(headers(poll().sent, { 'x-agent-id': 'nobody' })),
      deliver(poll(Date.now() - 61_000).sent),
    ]);
    for (const answer of [forged, unknown, old]) expect(answer.text).toBe(copy.text);
    expect(copy.json()).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
  });

  test('is refused from the moment that the agent is disabled', async () => {
    const lost = await enrolTestAgent();
    await lost.poll();
    await disableAgent(lost.agentId);
    await expect(lost.poll()).rejects.toThrow(/^401/);
  });

  test('that is signed and not JSON, or of the wrong shape, is refused by its field', async () => {
    await expect(agent.post('/agent/poll', { working: 'all' })).rejects.toThrow(/^400 .*working/);
  });
});

test('an answer to an agent counts for the request that it answers, and for no other', async () => {
  const [first, second] = [poll(), poll()];
  const answer = (await deliver(first.sent)).json();
  expect(openAnswer(agent.server, first.nonce, answer)).toEqual({ tasks: [], withdrawn: [] });
  expect(openAnswer(agent.server, second.nonce, answer)).toBeUndefined();
  expect(openAnswer(other.server, first.nonce, answer)).toBeUndefined();
});

// A good-bye on a slow line, while the agent is started again. Were it taken, the agent would be deaf from then on:
// it has said its hello.
describe('a good-bye of an agent', () => {
  const at = Date.now();
  const leaving = { working: [], hello: true, leaving: true };
  const presenceOf = async (late: TestAgent) => (await presences.get(late.agentId))?.away;

  test('takes it offline, until its next hello', async () => {
    const late = await enrolTestAgent();
    await deliver(late.message('/agent/poll', { working: [], hello: true }, at).sent);
    await deliver(late.message('/agent/poll', leaving, at + 1).sent);
    expect(await presenceOf(late)).toBe('stopped');
    await deliver(late.message('/agent/poll', { working: [], hello: true }, at + 2).sent);
    expect(await presenceOf(late)).toBeUndefined();
  });

  test('is ignored when it arrives after a hello that was sent later', async () => {
    const late = await enrolTestAgent();
    const goodBye = late.message('/agent/poll', leaving, at + 1);
    await deliver(late.message('/agent/poll', { working: [], hello: true }, at + 2).sent);
    expect((await deliver(goodBye.sent)).status).toBe(200);
    expect(await presenceOf(late)).toBeUndefined();
  });
});
