import { beforeEach, describe, expect, test } from 'vitest';
import {
  answerOf,
  askHolder,
  findAtWorkstations,
} from '../../../../../functions/session/domain/workstations/questions.ts';
import { handler as askEndpoint } from '../../../../../functions/session/endpoints/workstations/ask-holder.ts';
import { putApplication } from '../../../../../shared/access/administration.ts';
import { newKey } from '../../../../../shared/access/applications.ts';
import type { AgentTask } from '../../../../../shared/workstation/messages.ts';
import { anyPerson, type Person } from '../../../../agent/holders.ts';
import { call } from '../../../../requests/http-event.ts';
import { enrolTestAgent, type TestAgent } from '../../test-agent.ts';

const CALLER = { application: 'documents', keyId: 'k', permissions: [], registered: {} };
const HASH = Buffer.alloc(32, 7).toString('base64');
const SIGNATURE = Buffer.from('a signature').toString('base64');

let agent: TestAgent;
let person: Person;
let subject: string;
beforeEach(async () => {
  [agent, person] = [await enrolTestAgent(), anyPerson()];
  subject = `action of ${person.cpf}`;
  await agent.hold(person);
  await agent.poll();
});

const request = (more: object = {}) => ({
  ...{ subject, cpf: person.cpf, sha256: person.certificate.sha256, requester: 'ACME' },
  documents: [{ name: 'contract.pdf', hash: HASH }],
  ...more,
});
const ask = (more: object = {}, nowMs = Date.now()) => askHolder(CALLER, request(more), nowMs);
/** The answer, when the clock stands beyond the time for which a request is held. */
const collect = (questionId: string, more: object = {}, caller = CALLER, atMs = Date.now()) => {
  let looks = 0;
  return answerOf(caller, { subject, questionId, ...more }, () => (looks++ === 0 ? atMs : atMs + 8_000));
};
const taken = async (): Promise<AgentTask & { kind: 'ask-and-sign' }> => {
  const { tasks } = await agent.poll();
  const found = tasks.find((task) => task.kind === 'ask-and-sign');
  if (!found) throw new Error('The agent was handed no question.');
  return found;
};

describe('a question to a holder', () => {
  test('is handed to their agent with all that it shows, and its answer is collected once', async () => {
    const { questionId, state } = await ask();
    expect(state).toBe('asked');
    expect(await collect(questionId)).toEqual({ state: 'waiting', signatures: [] });
    const task = await taken();
    expect(task).toMatchObject({
      application: 'documents',
      requester: 'ACME',
      documents: request().documents,
    });
    expect(await agent.result(task.id, { outcome: 'signed', signatures: [SIGNATURE] })).toEqual({
      accepted: true,
    });
    expect(await collect(questionId)).toEqual({ state: 'signed', signatures: [SIGNATURE] });
    // Replay, of the collection and of the answer.
    expect(await collect(questionId)).toEqual({ state: 'replaced', signatures: [] });
    expect(await agent.result(task.id, { outcome: 'signed', signatures: [SIGNATURE] })).toEqual({
      accepted: false,
    });
  });

  test('is the only one of its subject: the next takes its place, and the agent withdraws the first', async () => {
    const first = await ask();
    const task = await taken();
    const second = await ask();
    expect((await agent.poll([task.id])).withdrawn).toEqual([task.id]);
    expect(await agent.result(task.id, { outcome: 'signed', signatures: [SIGNATURE] })).toEqual({
      accepted: false,
    });
    expect(await collect(first.questionId)).toMatchObject({ state: 'replaced' });
    expect(await collect(second.questionId)).toMatchObject({ state: 'waiting' });
  });

  test('of two that are put at once one is left', async () => {
    const asked = await Promise.all([ask(), ask(), ask()]);
    const states = await Promise.all(asked.map(({ questionId }) => collect(questionId)));
    expect(states.map(({ state }) => state).toSorted()).toEqual(['replaced', 'replaced', 'waiting']);
    expect((await agent.poll()).tasks).toHaveLength(1);
  });

  test('is answered to the application that asked, and to no other', async () => {
    const { questionId } = await ask();
    const task = await taken();
    await agent.result(task.id, { outcome: 'signed', signatures: [SIGNATURE] });
    expect(await collect(questionId, {}, { ...CALLER, application: 'other' })).toMatchObject({
      state: 'replaced',
    });
    expect(await collect(questionId, { subject: 'another' })).toMatchObject({ state: 'replaced' });
    expect(await collect(questionId)).toMatchObject({ state: 'signed' });
  });

  test('ends after two minutes, and an answer that comes later does not count', async () => {
    const nowMs = Date.now();
    const { questionId, endsAtMs } = await ask({}, nowMs);
    expect(endsAtMs).toBe(nowMs + 120_000);
    const task = await taken();
    expect(await collect(questionId, {}, CALLER, endsAtMs)).toMatchObject({ state: 'expired' });
    expect(await agent.result(task.id, { outcome: 'signed', signatures: [SIGNATURE] })).toEqual({
      accepted: false,
    });
  });

  test.each([
    ['declined', 'declined'],
    ['pin-blocked', 'pin-blocked'],
    ['timed-out', 'expired'],
    ['impossible', 'unusable'],
    ['refused', 'unusable'],
  ] as const)('that the agent ends as %s is %s', async (outcome, state) => {
    const { questionId } = await ask();
    await agent.result((await taken()).id, { outcome });
    expect(await collect(questionId)).toEqual({ state, signatures: [] });
  });

  test('has one signature for each document', async () => {
    await ask({ documents: [1, 2].map((n) => ({ name: `${n}.pdf`, hash: HASH })) });
    const { id } = await taken();
    await expect(agent.result(id, { outcome: 'signed', signatures: [SIGNATURE] })).rejects.toThrow(/^400/);
    await expect(agent.result(id, { outcome: 'signed', signature: SIGNATURE })).rejects.toThrow(/^400/);
    await expect(agent.result(id, { outcome: 'matched' })).rejects.toThrow(/^400/);
  });

  test('reaches the agent of the CPF alone', async () => {
    const stranger = anyPerson();
    expect(await ask({ cpf: stranger.cpf })).toMatchObject({ state: 'offline' });
    expect(await ask({ sha256: stranger.certificate.sha256 })).toMatchObject({ state: 'offline' });
    expect((await agent.poll()).tasks).toEqual([]);
  });

  test('needs a permission: a key for sessions is not enough', async () => {
    const statusWith = async (name: string, permissions: readonly string[]) => {
      const { text, key } = newKey(name);
      await putApplication('session', { name, disabled: false, permissions, registered: {}, keys: [key] });
      return (await call(askEndpoint, { headers: { 'x-api-key': text }, json: request() })).status;
    };
    expect(await statusWith('sessions-only', [])).toBe(401);
    expect(await statusWith('asks-holders', ['workstation-questions'])).toBe(200);
  });
});

describe('the certificates of a CPF', () => {
  test('are those at agents that are online', async () => {
    const der = person.certificate.der.toString('base64');
    expect(await findAtWorkstations(person.cpf, Date.now())).toEqual({
      state: 'online',
      certificates: [der],
    });
    expect(await findAtWorkstations(anyPerson().cpf, Date.now())).toEqual({
      state: 'none',
      certificates: [],
    });
    await agent.post('/agent/poll', { working: [], hello: true, leaving: true });
    expect(await findAtWorkstations(person.cpf, Date.now())).toEqual({ state: 'offline', certificates: [] });
  });

  test('a question whose agent stopped is offline', async () => {
    const { questionId } = await ask();
    await agent.post('/agent/poll', { working: [], hello: true, leaving: true });
    expect(await collect(questionId)).toMatchObject({ state: 'offline' });
  });
});
