import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forgetPin } from '../../../../../functions/session/domain/deactivate-session.ts';
import { deadlineIn } from '../../../../../functions/session/domain/deadline.ts';
import { presences } from '../../../../../functions/session/domain/workstations/presence.ts';
import { relay } from '../../../../../functions/session/domain/workstations/relay.ts';
import { signHash } from '../../../../../functions/session/domain/workstations/remote-key.ts';
import { recentTasks } from '../../../../../functions/session/domain/workstations/task.ts';
import { type LoggedLine, onLogged } from '../../../../../shared/log/logger.ts';
import { runInTrace, startTrace } from '../../../../../shared/trace/trace.ts';
import { anyPerson, type Person } from '../../../../agent/holders.ts';
import { letInFirst } from '../../../let-in-first.ts';
import { enrolTestAgent, signatureBy, type TestAgent } from '../../test-agent.ts';

const FOREVER_MS = 3_600_000;

let agent: TestAgent;
beforeEach(async () => {
  vi.stubEnv('Agents__PollSeconds', '2');
  agent = await enrolTestAgent();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Somebody waits for an agent to compare a PIN. */
const question = (waitMs = 10_000, box = 'c2VhbGVk', absenceMs = FOREVER_MS) =>
  relay({
    agentId: agent.agentId,
    contentFor: () => ({ kind: 'compare-pin', box }),
    deadline: deadlineIn(waitMs, Date.now),
    absenceMs,
  });

/** The one task that the agent is given next. */
async function taken() {
  const { tasks } = await agent.wait();
  expect(tasks).toHaveLength(1);
  const [task] = tasks;
  if (!task) throw new Error('There is no task.');
  return task;
}

/** Waits until the server holds a poll other than this one. Returns its id. */
async function heldPoll(before?: string): Promise<string> {
  const pollId = async () => (await presences.get(agent.agentId))?.pollId;
  await expect.poll(pollId).not.toBeOneOf([undefined, before]);
  return String(await pollId());
}

const stored = () => recentTasks(agent.agentId, Date.now());

test('the result of a task goes on in the trace of the call that waits for it', async () => {
  const lines: LoggedLine[] = [];
  onLogged((line) => lines.push(line));
  vi.stubEnv('Log__Level', 'INFO');
  const asking = runInTrace(startTrace({ service: 'session', correlationId: 'order-42' }), () => question());
  await expect.poll(stored).toHaveLength(1);
  const { id } = await taken();
  await agent.result(id, { outcome: 'matched' });
  expect(await asking).toEqual({ outcome: 'matched' });
  expect(lines.filter(({ message }) => message === 'task answered').map(({ fields }) => fields)).toEqual([
    expect.objectContaining({ correlationId: 'order-42', taskId: id, outcome: 'matched', isAccepted: true }),
  ]);
});

describe('a poll', () => {
  test('is held until there is work, which it brings', async () => {
    const polling = taken();
    await heldPoll();
    const asking = question();
    const { id, kind, remainingMs } = await polling;
    expect(kind).toBe('compare-pin');
    expect(remainingMs).toBeLessThanOrEqual(10_000);
    await agent.result(id, { outcome: 'matched' });
    expect(await asking).toEqual({ outcome: 'matched' });
  });

  test('ends with nothing when its time is over', async () => {
    const startedAt = performance.now();
    expect(await agent.wait()).toEqual({ tasks: [], withdrawn: [] });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_900);
  });

  test('brings the oldest first, and again what the agent does not have in hand', async () => {
    const asking = [question(), question()];
    await expect.poll(stored).toHaveLength(2);
    const { tasks } = await agent.poll();
    const [first = '', second = ''] = tasks.map(({ id }) => id);
    expect(first < second).toBe(true);
    expect((await agent.poll([first, second])).tasks).toEqual([]);
    expect((await agent.poll([first])).tasks.map(({ id }) => id)).toEqual([second]);
    for (const id of [first, second]) await agent.result(id, { outcome: 'different' });
    expect(await Promise.all(asking)).toEqual([{ outcome: 'different' }, { outcome: 'different' }]);
  });

  test('says which tasks in hand nobody waits for any more', async () => {
    const asking = question(700);
    const { id } = await taken();
    expect(await asking).toBe('late');
    expect(await agent.wait([id])).toEqual({ tasks: [], withdrawn: [id] });
  });

  // The line fails, and the agent asks again while its first poll still hangs:
  //
  //   poll 1  |--------------------- sees the task: a newer poll is here, nothing
  //   poll 2         |-------------- sees the task: hands it out
  test('that was replaced by a newer one hands out nothing', async () => {
    const older = agent.wait();
    const olderId = await heldPoll();
    const newer = agent.wait();
    await heldPoll(olderId);
    const asking = question();
    const [lost, brought] = await Promise.all([older, newer]);
    expect(lost.tasks).toEqual([]);
    expect(brought.tasks).toHaveLength(1);
    await agent.result(brought.tasks[0]?.id ?? '', { outcome: 'matched' });
    await asking;
  });

  test('brings no task of another agent', async () => {
    const other = await enrolTestAgent();
    const asking = question(1_500);
    await expect.poll(stored).toHaveLength(1);
    expect((await other.poll()).tasks).toEqual([]);
    await asking;
  });
});

describe('a result', () => {
  test('is accepted once', async () => {
    const asking = question();
    const { id } = await taken();
    expect(await agent.result(id, { outcome: 'different' })).toEqual({ accepted: true });
    expect(await agent.result(id, { outcome: 'matched' })).toEqual({ accepted: false });
    expect(await asking).toEqual({ outcome: 'different' });
    expect(await agent.result(id, { outcome: 'matched' })).toEqual({ accepted: false });
  });

  test('is accepted once when many come at once', async () => {
    const asking = question();
    const { id } = await taken();
    const all = await Promise.all(Array.from({ length: 6 }, () => agent.result(id, { outcome: 'matched' })));
    expect(all.filter(({ accepted }) => accepted)).toHaveLength(1);
    await asking;
  });

  test('counts for nothing before the task was handed out, after it was given up, or from another agent', async () => {
    const other = await enrolTestAgent();
    const asking = question(1_200);
    await expect.poll(stored).toHaveLength(1);
    const [{ id } = { id: '' }] = await stored();
    expect(await agent.result(id, { outcome: 'matched' })).toEqual({ accepted: false });
    await agent.poll();
    expect(await other.result(id, { outcome: 'matched' })).toEqual({ accepted: false });
    expect(await asking).toBe('late');
    expect(await agent.result(id, { outcome: 'matched' })).toEqual({ accepted: false });
  });

  test.each([
    ['an outcome that this kind of task does not have', { outcome: 'declined' }],
    ['a signature where none was asked for', { outcome: 'matched', signature: 'AAAA' }],
    ['an outcome that is none', { outcome: 'perhaps' }],
  ])('is refused with %s, and the task stays open', async (_, result) => {
    const asking = question();
    const { id } = await taken();
    await expect(agent.post(`/agent/tasks/${id}/result`, result)).rejects.toThrow(/^400/);
    await agent.result(id, { outcome: 'matched' });
    expect(await asking).toEqual({ outcome: 'matched' });
  });

  // Whoever waits gives up at the very moment that the result comes:
  //
  //   waiter  |--reads Taken------- gives up: refused, reads the result, takes it
  //   agent              Done --|
  test('that comes at the very end counts, and is told to whoever waits', async () => {
    const asking = question(10_000, 'AAAA', 900);
    const { id } = await taken();
    let accepted: boolean | undefined;
    letInFirst(async () => {
      ({ accepted } = await agent.result(id, { outcome: 'matched' }));
    });
    expect(await asking).toEqual({ outcome: 'matched' });
    expect(accepted).toBe(true);
  });
});

describe('what is kept of a task', () => {
  test('is nothing once its answer was taken', async () => {
    const asking = question();
    await agent.result((await taken()).id, { outcome: 'matched' });
    await asking;
    expect(await stored()).toEqual([]);
  });

  test('holds no sealed PIN once nobody waits for it', async () => {
    expect(await question(500, 'c2VhbGVkLXBpbg')).toBe('late');
    const kept = await stored();
    expect(kept).toMatchObject([{ state: 'Expired' }]);
    expect(JSON.stringify(kept)).not.toContain('c2VhbGVkLXBpbg');
  });
});

describe('whoever waits', () => {
  test('is told early that the agent does not come', async () => {
    const answer = await relay({
      agentId: agent.agentId,
      contentFor: () => ({ kind: 'compare-pin', box: 'AAAA' }),
      deadline: deadlineIn(20_000, Date.now),
      absenceMs: 800,
    });
    // Not 'late', which comes at the deadline.
    expect(answer).toBe('absent');
  });

  test('goes on waiting while the agent polls with the task in hand', async () => {
    vi.stubEnv('Agents__BusyPollSeconds', '1');
    const asking = relay({
      agentId: agent.agentId,
      contentFor: () => ({ kind: 'compare-pin', box: 'AAAA' }),
      deadline: deadlineIn(20_000, Date.now),
      absenceMs: 1_000,
    });
    const { id } = await taken();
    for (const _ of [1, 2, 3]) await agent.wait([id]);
    await agent.result(id, { outcome: 'matched' });
    expect(await asking).toEqual({ outcome: 'matched' });
  });
});

describe('a signature from a workstation', () => {
  let person: Person;
  const request = (hash: Buffer) => ({
    agentId: agent.agentId,
    sha256: person.certificate.sha256,
    digest: 'sha256' as const,
    hash,
    deadline: deadlineIn(10_000, Date.now),
  });
  beforeEach(async () => {
    person = anyPerson();
    await agent.hold(person);
  });

  test('is taken when it is the certificate’s over this hash', async () => {
    const { hash, signature } = await signatureBy(person, 'this');
    const signing = signHash(request(hash));
    await agent.result((await taken()).id, { outcome: 'signed', signature: signature.toString('base64') });
    expect(await signing).toEqual({ kind: 'signed', signature });
  });

  test('is refused when it is over another hash', async () => {
    const { hash } = await signatureBy(person, 'this');
    const { signature } = await signatureBy(person, 'another');
    const signing = signHash(request(hash));
    await agent.result((await taken()).id, { outcome: 'signed', signature: signature.toString('base64') });
    expect(await signing).toEqual({ kind: 'refused', reason: expect.any(String) });
  });

  test('is refused in the workstation’s own words', async () => {
    const signing = signHash(request(Buffer.alloc(32)));
    await agent.result((await taken()).id, { outcome: 'refused', reason: 'The token is not there.' });
    expect(await signing).toEqual({ kind: 'refused', reason: 'The token is not there.' });
  });

  test('is late after Signing:HashSignTimeout, though the agent is there', async () => {
    vi.stubEnv('Signing__HashSignTimeout', '2');
    const signing = signHash(request(Buffer.alloc(32)));
    const { id } = await taken();
    const polling = agent.wait([id]);
    expect(await signing).toEqual({ kind: 'timed-out' });
    await polling;
  });

  test('is not waited for past the deadline of the request', async () => {
    // Longer than this test may take: only the deadline can end it.
    vi.stubEnv('Signing__HashSignTimeout', '300');
    vi.stubEnv('Signing__RequestBudget', '600');
    vi.stubEnv('Signing__StrandedAfter', '900');
    const signing = signHash({ ...request(Buffer.alloc(32)), deadline: deadlineIn(3_000, Date.now) });
    await taken();
    expect(await signing).toEqual({ kind: 'timed-out' });
  });
});

test('the word to forget a PIN waits for an agent that comes back, and is left with none that does not hold the certificate', async () => {
  const person = anyPerson();
  await agent.hold(person);
  const bound = { agentId: agent.agentId, sha256: person.certificate.sha256 };
  await forgetPin(bound, Date.now());
  await forgetPin({ ...bound, sha256: 'another' }, Date.now());
  await forgetPin({ ...bound, agentId: 'nobody' }, Date.now());
  const { id, kind } = await taken();
  expect(kind).toBe('forget-pin');
  expect(await agent.result(id, { outcome: 'forgotten' })).toEqual({ accepted: true });
});
