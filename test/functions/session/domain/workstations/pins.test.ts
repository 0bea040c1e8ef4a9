import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deadlineIn } from '../../../../../functions/session/domain/deadline.ts';
import { comparePin, promptPin } from '../../../../../functions/session/domain/workstations/offered-pin.ts';
import type { AgentTask, TaskResult } from '../../../../../shared/workstation/messages.ts';
import { isSealedPin } from '../../../../../shared/workstation/sealed-pin.ts';
import { anyPerson, type Person } from '../../../../agent/holders.ts';
import { enrolTestAgent, type TestAgent } from '../../test-agent.ts';

let person: Person;
let here: TestAgent;
let there: TestAgent;
beforeEach(async () => {
  vi.stubEnv('Agents__PollSeconds', '3');
  vi.stubEnv('Agents__BusyPollSeconds', '1');
  vi.stubEnv('Sessions__PinRelayTimeout', '20');
  person = anyPerson();
  [here, there] = await Promise.all([enrolTestAgent(), enrolTestAgent()]);
  await Promise.all([here, there].map(async (agent) => agent.hold(person).then(() => agent.poll())));
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** The agent takes its next task and answers it so; without an answer it only takes it. */
async function answering(agent: TestAgent, outcome?: TaskResult['outcome']): Promise<AgentTask> {
  const [task] = (await agent.wait()).tasks;
  if (!task) throw new Error('There is no task.');
  if (outcome) await agent.result(task.id, { outcome });
  return task;
}

const compare = () => comparePin({ cpf: person.cpf, pin: '1234' }, Date.now);
const prompt = (withinMs = 10_000) => {
  const deadline = deadlineIn(withinMs, Date.now);
  return promptPin({ cpf: person.cpf, pin: '1234', application: 'acme', deadline });
};

describe('a PIN that is offered to several workstations', () => {
  test.each([
    ['different', 'matched', { kind: 'matched' }],
    ['not-cached', 'matched', { kind: 'matched' }],
    ['not-cached', 'different', { kind: 'different' }],
    ['not-cached', 'not-cached', { kind: 'not-cached' }],
    ['different', 'different', { kind: 'different' }],
  ] as const)('where one says %s and the other %s', async (one, other, expected) => {
    // A match takes the question back from the others: it comes last.
    const answered = answering(here, one).then(() => answering(there, other));
    const [answer] = await Promise.all([compare(), answered]);
    expect(answer).toMatchObject(expected);
    if (answer.kind === 'matched') expect(answer.agentId).toBe(there.agentId);
  });

  test('is matched as soon as one says so', async () => {
    const startedAt = performance.now();
    const [answer] = await Promise.all([compare(), answering(here, 'matched')]);
    expect(answer).toMatchObject({ kind: 'matched', agentId: here.agentId });
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });

  test('is not waited for at one that does not answer', async () => {
    vi.stubEnv('Sessions__PinRelayTimeout', '3');
    const [answer] = await Promise.all([compare(), answering(here, 'different')]);
    expect(answer).toEqual({ kind: 'different' });
  });

  test('is offline when none of them answers', async () => {
    vi.stubEnv('Sessions__PinRelayTimeout', '3');
    expect(await compare()).toEqual({ kind: 'offline' });
  });

  test('is sealed for each of them apart: no other can open it, nor that one for another task', async () => {
    const comparing = compare();
    const [one, other] = await Promise.all([answering(here), answering(there)]);
    if (one.kind !== 'compare-pin' || other.kind !== 'compare-pin') throw new Error('Another kind.');
    const context = { agentId: here.agentId, taskId: one.id };
    const { privateKey } = here.keys.x25519;
    expect(isSealedPin('1234', one.box, privateKey, context)).toBe(true);
    expect(isSealedPin('1235', one.box, privateKey, context)).toBe(false);
    expect(() => isSealedPin('1234', other.box, privateKey, context)).toThrow();
    expect(() => isSealedPin('1234', one.box, privateKey, { ...context, taskId: other.id })).toThrow();
    expect(() => isSealedPin('1234', one.box, there.keys.x25519.privateKey, context)).toThrow();
    await Promise.all([
      here.result(one.id, { outcome: 'different' }),
      there.result(other.id, { outcome: 'different' }),
    ]);
    await comparing;
  });
});

describe('a prompt at several workstations', () => {
  test('ends everywhere, and at once, when one matches', async () => {
    vi.stubEnv('Sessions__PinRelayTimeout', '25');
    const startedAt = performance.now();
    const prompting = prompt(25_000);
    const open = await answering(there);
    await answering(here, 'matched');
    expect(await prompting).toMatchObject({ kind: 'matched', agentId: here.agentId });
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(await there.wait([open.id])).toEqual({ tasks: [], withdrawn: [open.id] });
  });

  test('ends everywhere, and at once, when the holder declines at one', async () => {
    vi.stubEnv('Sessions__PinRelayTimeout', '25');
    const startedAt = performance.now();
    const prompting = prompt(25_000);
    await answering(there);
    await answering(here, 'declined');
    expect(await prompting).toEqual({ kind: 'declined' });
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });

  test.each([
    ['different', 'impossible', 'different'],
    ['impossible', 'timed-out', 'timed-out'],
    ['impossible', 'impossible', 'impossible'],
  ] as const)('where one says %s and the other %s', async (one, other, expected) => {
    const [answer] = await Promise.all([prompt(), answering(here, one), answering(there, other)]);
    expect(answer).toEqual({ kind: expected });
  });

  test('is over at its deadline', async () => {
    const prompting = prompt(1_500);
    const [one, other] = await Promise.all([answering(here), answering(there)]);
    await Promise.all([here.wait([one.id]), there.wait([other.id])]);
    expect(await prompting).toEqual({ kind: 'timed-out' });
  });

  test('tells the workstation who asks and for which certificate', async () => {
    const prompting = prompt();
    const task = await answering(here, 'declined');
    expect(task).toMatchObject({ application: 'acme', sha256: person.certificate.sha256 });
    await prompting;
  });
});
