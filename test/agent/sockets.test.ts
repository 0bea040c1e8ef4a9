import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Connection, connectionOf } from '../../agent/connection.ts';
import type { Identity } from '../../agent/identity.ts';
import { deadlineIn } from '../../functions/session/domain/deadline.ts';
import { disableAgent } from '../../functions/session/domain/workstations/administration.ts';
import { isOnline, presences } from '../../functions/session/domain/workstations/presence.ts';
import { leaveTask, relay } from '../../functions/session/domain/workstations/relay.ts';
import { recentTasks } from '../../functions/session/domain/workstations/task.ts';
import { SOCKET_PATH } from '../../shared/workstation/messages.ts';
import { signRequest } from '../../shared/workstation/signed-request.ts';
import { enrolTestAgent, type TestAgent } from '../functions/session/test-agent.ts';
import { countCalls } from '../measure/calls.ts';
import { type Host, serveSession } from './host.ts';

const AGENTS = 20;
const FOREVER_MS = 3_600_000;

let host: Host;
const stops: AbortController[] = [];

beforeAll(async () => {
  // Agents come back after a moment that varies; here it is short.
  vi.spyOn(Math, 'random').mockReturnValue(0.01);
  host = await serveSession({ sockets: true });
});
afterEach(() => {
  host.lineOfSockets('alive');
  for (const stop of stops.splice(0)) stop.abort();
});
afterAll(() => host.close());

type Running = {
  readonly agent: TestAgent;
  readonly connection: Connection;
  readonly done: string[];
  readonly printed: string[];
};

const identityOf = ({ agentId, keys, server }: TestAgent): Identity => ({
  agentId,
  server: host.url,
  name: 'a desk',
  ed25519: keys.ed25519.privateKey,
  x25519: keys.x25519.privateKey,
  serverKey: server,
});

/** An agent as it runs at a workstation, whose PIN every offer matches. */
function runAgent(agent: TestAgent): Running {
  const stop = new AbortController();
  stops.push(stop);
  const [done, printed]: [string[], string[]] = [[], []];
  const note = (line: string) => void printed.push(line);
  const connection = connectionOf({
    identity: identityOf(agent),
    output: { print: note, printError: note },
    signal: stop.signal,
    pinInUse: () => true,
    work: async ({ id }) => {
      done.push(id);
      return { outcome: 'matched' };
    },
  });
  void connection.run();
  return { agent, connection, done, printed };
}

const presenceOf = ({ agentId }: TestAgent) => presences.get(agentId);
const connectionId = async (agent: TestAgent) => (await presenceOf(agent))?.connection?.id;

async function connected(...agents: readonly TestAgent[]): Promise<void> {
  for (const agent of agents) await expect.poll(() => connectionId(agent)).toBeTypeOf('string');
}

const compare = ({ agentId }: TestAgent, waitMs = 20_000, absenceMs = FOREVER_MS) =>
  relay({
    agentId,
    contentFor: () => ({ kind: 'compare-pin', box: 'c2VhbGVk' }),
    deadline: deadlineIn(waitMs, Date.now),
    absenceMs,
  });

const polls = () =>
  host.seen.filter(({ path }) => path.endsWith('/poll')).map(({ body }) => JSON.parse(body));

describe('agents by WebSocket', () => {
  test('twenty of them hold no poll and read no table while they wait, and a task reaches the one that it is for', async () => {
    const all = await Promise.all(Array.from({ length: AGENTS }, () => enrolTestAgent()));
    const running = all.map(runAgent);
    await connected(...all);
    // Each said hello by HTTP once, and asks for nothing more.
    expect(polls().every(({ hello }) => hello)).toBe(true);
    expect(polls()).toHaveLength(AGENTS);
    const [first] = running as [Running];
    const { byCommand } = await countCalls(async () => {
      for (let n = 0; n < 5; n++) expect(await compare(first.agent)).toEqual({ outcome: 'matched' });
    });
    expect(first.done).toHaveLength(5);
    expect(running.slice(1).flatMap(({ done }) => done)).toEqual([]);
    // A look for tasks is a query. All other calls are of the task, its result and whoever waits for it.
    expect(byCommand.Query).toBeUndefined();
    expect(polls()).toHaveLength(AGENTS);

    // The process that held the connections is killed, and is back.
    const before = await Promise.all(all.map(connectionId));
    host.lineOfSockets('dead');
    host.lineOfSockets('alive');
    await expect
      .poll(async () => {
        const now = await Promise.all(all.map(connectionId));
        return now.filter((id, at) => id !== undefined && id !== before[at]).length;
      })
      .toBe(AGENTS);
    expect(await compare(first.agent)).toEqual({ outcome: 'matched' });
    expect(running.flatMap(({ printed }) => printed).filter((line) => line.startsWith('Not'))).toEqual([]);
  });

  test('one that is disabled is cut off at once', async () => {
    const agent = await enrolTestAgent();
    const { printed, done } = runAgent(agent);
    await connected(agent);
    await disableAgent(agent.agentId);
    await expect.poll(() => printed.join()).toContain('does not accept this agent');
    await expect.poll(() => connectionId(agent)).toBeUndefined();
    await leaveTask(
      { agentId: agent.agentId, contentFor: () => ({ kind: 'forget-pin' }), expiresAtMs: Date.now() + 5_000 },
      Date.now(),
    );
    expect(done).toEqual([]);
  });

  test('of two with one identity the newest is given the tasks, and the other one says why it is not', async () => {
    const agent = await enrolTestAgent();
    const older = runAgent(agent);
    await connected(agent);
    const firstId = await connectionId(agent);
    const newer = runAgent(agent);
    await expect.poll(() => connectionId(agent)).not.toBeOneOf([undefined, firstId]);
    await expect.poll(() => older.printed.join()).toContain('Another program has connected');
    expect(await compare(agent)).toEqual({ outcome: 'matched' });
    expect([older.done.length, newer.done.length]).toEqual([0, 1]);
  });

  test('where none gets through, an agent polls', async () => {
    host.lineOfSockets('dead');
    const agent = await enrolTestAgent();
    const { done } = runAgent(agent);
    expect(await compare(agent)).toEqual({ outcome: 'matched' });
    expect(done).toHaveLength(1);
    expect(await connectionId(agent)).toBeUndefined();
  });

  test('the end of a connection is noticed: a call that waits for its agent gives up after the grace', async () => {
    const agent = await enrolTestAgent();
    const line = await open(agent);
    await line.say({ hello: true });
    const asking = compare(agent, 20_000, 300);
    await line.heard((message) => message.includes('compare-pin'));
    line.socket.close();
    expect(await asking).toBe('absent');
    await expect.poll(() => connectionId(agent)).toBeUndefined();
  });

  test('an agent that gives no answer is disconnected: only its machine could tell that it lost its power', async () => {
    const agent = await enrolTestAgent();
    const line = await open(agent);
    await line.say({ hello: true });
    await line.heard(() => true);
    expect(isOnline(await presenceOf(agent), Date.now() + 600_000)).toBe(true);
    expect(await compare(agent, 300)).toBe('late');
    await line.ended;
    expect(isOnline(await presenceOf(agent), Date.now() + 600_000)).toBe(false);
  });

  // The engine that held the connection was killed, and nobody recorded its end:
  //
  //   call   |--creates the task-- push: nobody is there ------------------------ has the result
  //   agent                                   |--connects anew: is given the task--|
  test('a push to a connection that is gone loses nothing', async () => {
    const agent = await enrolTestAgent();
    await agent.poll();
    const presence = await presenceOf(agent);
    if (!presence) throw new Error('The agent is not known.');
    const dead = { id: 'dead', url: 'http://127.0.0.1:9', nonce: 'n' };
    await presences.change(presence, { connection: dead, pollEndsAtMs: Date.now() + FOREVER_MS });
    const asking = compare(agent);
    await expect.poll(() => connectionId(agent)).toBeUndefined();
    runAgent(agent);
    expect(await asking).toEqual({ outcome: 'matched' });
  });

  test('a task that nobody needs any more is withdrawn', async () => {
    const agent = await enrolTestAgent();
    const line = await open(agent);
    await line.say({ hello: true });
    const over = new AbortController();
    const asking = relay({
      agentId: agent.agentId,
      contentFor: () => ({ kind: 'prompt-pin', box: 'AAAA', sha256: '0'.repeat(64), application: 'acme' }),
      deadline: deadlineIn(20_000, Date.now),
      absenceMs: FOREVER_MS,
      signal: over.signal,
    });
    await line.heard((message) => message.includes('prompt-pin'));
    over.abort();
    expect(await asking).toBe('late');
    const [{ id } = { id: '' }] = await recentTasks(agent.agentId, Date.now());
    await line.heard((message) => message.includes(`withdrawn\\":[\\"${id}`));
  });
});

/** A connection on which a test says what it likes. */
async function open(agent: TestAgent, headers = stampOf(agent, 'GET', '')) {
  const url = host.url.replace('http', 'ws') + SOCKET_PATH;
  const socket = new WebSocket(url, { headers });
  const messages: string[] = [];
  socket.addEventListener('message', ({ data }) => messages.push(String(data)));
  const ended = new Promise<{ code: number }>((resolve) => {
    socket.addEventListener('close', resolve);
    socket.addEventListener('error', () => resolve({ code: 0 }));
  });
  await Promise.race([new Promise((resolve) => socket.addEventListener('open', resolve)), ended]);
  const send = (message: unknown) => socket.send(JSON.stringify(message));
  return {
    socket,
    ended,
    messages,
    send,
    say: async (poll: object, by = agent) => {
      const body = JSON.stringify({ working: [], pinInUse: true, ...poll });
      send({ headers: stampOf(by, 'MESSAGE', body), body });
    },
    heard: (holds: (message: string) => boolean) => expect.poll(() => messages.some(holds)).toBe(true),
  };
}

const stampOf = ({ agentId, keys }: TestAgent, method: string, body: string) =>
  signRequest(keys.ed25519.privateKey, { method, path: SOCKET_PATH, agentId, body }).headers;

describe('a connection', () => {
  test.each([
    ['without a signature', () => ({})],
    [
      'signed by another key',
      async (agent: TestAgent) => stampOf({ ...(await enrolTestAgent()), agentId: agent.agentId }, 'GET', ''),
    ],
    ['signed as a message is', async (agent: TestAgent) => stampOf(agent, 'MESSAGE', '')],
  ])('is refused %s', async (_, headersOf) => {
    const agent = await enrolTestAgent();
    const { socket, ended } = await open(agent, await headersOf(agent));
    await ended;
    expect(socket.readyState).toBe(WebSocket.CLOSED);
  });

  test('is refused to a copy of the request that opened it', async () => {
    const agent = await enrolTestAgent();
    const headers = stampOf(agent, 'GET', '');
    const first = await open(agent, headers);
    expect(first.socket.readyState).toBe(WebSocket.OPEN);
    const { ended } = await open(agent, headers);
    await ended;
    first.socket.close();
  });

  type Line = Awaited<ReturnType<typeof open>>;
  test.each<[string, (line: Line) => unknown]>([
    ['is no JSON', ({ socket }) => socket.send('{')],
    ['is not signed', ({ send }) => send({ headers: {}, body: '{"working":[]}' })],
    ['is of another agent', async ({ say }) => say({ hello: true }, await enrolTestAgent())],
    ['is no poll', ({ say }) => say({ working: 'none' })],
    ['is too large', ({ socket }) => socket.send('x'.repeat(40_000))],
  ])('ends with a message that %s', async (_, spoil) => {
    const agent = await enrolTestAgent();
    const line = await open(agent);
    await spoil(line);
    await line.ended;
    expect(line.messages).toEqual([]);
    expect(await connectionId(agent)).toBeUndefined();
  });

  test('ends when its agent says more than sixty things a minute', async () => {
    // Within one minute of the clock, however long it takes.
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Math.ceil(Date.now() / 60_000) * 60_000);
    const agent = await enrolTestAgent();
    const line = await open(agent);
    for (let n = 0; n < 70 && line.socket.readyState === WebSocket.OPEN; n++) {
      await line.say({ hello: n === 0 });
      await expect
        .poll(() => line.messages.length > n || line.socket.readyState !== WebSocket.OPEN)
        .toBe(true);
    }
    await line.ended;
    clock.mockRestore();
    expect(line.messages.at(-1)).toContain('busy');
  });
});
