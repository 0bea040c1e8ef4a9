import { setTimeout as pause } from 'node:timers/promises';
import type { Output } from '../shared/command-line/output.ts';
import { causeOf } from '../shared/command-line/reason.ts';
import {
  type AgentTask,
  PollResponse,
  TaskResponse,
  type TaskResult,
} from '../shared/workstation/messages.ts';
import type { Identity } from './identity.ts';
import { ServerRefused, send } from './server.ts';
import { type Socket, type SocketEnd, socketOf } from './socket.ts';

type ConnectionOptions = {
  readonly identity: Identity;
  readonly output: Output;
  /** Ends everything. */
  readonly signal: AbortSignal;
  /** Sent with every poll, so that the server hands over nothing that cannot be signed. */
  readonly pinInUse: () => boolean;
  readonly work: (task: AgentTask, signal: AbortSignal) => Promise<TaskResult | undefined>;
};

// The server holds a poll for at most 25 s, and API Gateway for 29.
const POLL_TIMEOUT_MS = 40_000;
const RESULT_TIMEOUT_MS = 10_000;
// The person who stops the agent waits for it.
const LEAVE_TIMEOUT_MS = 2_000;
const MIN_BACKOFF_MS = 500;
// Less than the grace that a sign in progress gives an agent to come back.
const MAX_BACKOFF_MS = 8_000;
// A refused agent stays refused until a person changes that.
const REFUSED_BACKOFF_MS = 30_000;
// After a connection ends: agents that lost a server together do not come back together.
const RECONNECT_MS = 3_000;
// Where something on the way lets no WebSocket through, the agent polls, and tries again after this time, which doubles.
const MIN_SOCKET_PAUSE_MS = 60_000;
const MAX_SOCKET_PAUSE_MS = 1_800_000;
// Where one got through before, the server is busy: others have lost it too.
const KNOWN_WAY_PAUSE_MS = 5_000;
// An empty poll that ends sooner was replaced by another one: two agents with one identity must not race.
const MIN_POLL_MS = 900;

export type Connection = {
  /** Is there for the server until the signal, then tells it that the agent leaves. */
  run(): Promise<void>;
  /** Tells the server the agent's state, which has changed. */
  renew(): void;
  readonly isConnected: () => boolean;
};

/**
 * Gets tasks from the server, and runs them beside one another. It says hello by HTTP, then connects by WebSocket where
 * the server offers that and the way lets it through, and else polls, one poll after the other.
 */
export function connectionOf({ identity, output, signal, pinInUse, work }: ConnectionOptions): Connection {
  const working = new Map<string, AbortController>();
  // As it was last printed.
  let connected: boolean | undefined;
  let saysHello = true;
  let failures = 0;
  let turn = new AbortController();
  let socket: Socket | undefined;
  let offered: string | undefined;
  let connectsAtMs = 0;
  let socketPauseMs = MIN_SOCKET_PAUSE_MS;

  const poll = async (over: AbortSignal): Promise<void> => {
    const startedAt = performance.now();
    const hello = saysHello;
    const answer = await send(identity, {
      path: '/agent/poll',
      body: { working: [...working.keys()], hello, pinInUse: pinInUse() },
      answers: PollResponse,
      signal: AbortSignal.any([signal, over, AbortSignal.timeout(POLL_TIMEOUT_MS)]),
    });
    failures = 0;
    if (connected !== true) output.print(`Connected to ${identity.server}.`);
    connected = true;
    if (hello) offered = answer.socket;
    saysHello = false;
    take(answer);
    const { tasks, withdrawn } = answer;
    const tookMs = performance.now() - startedAt;
    if (!hello && tasks.length + withdrawn.length === 0 && tookMs < MIN_POLL_MS)
      await pause(MIN_POLL_MS, undefined, { signal }).catch(() => undefined);
  };

  const take = ({ tasks, withdrawn }: PollResponse): void => {
    for (const id of withdrawn) working.get(id)?.abort();
    for (const task of tasks) if (!working.has(task.id)) void runTask(task);
  };

  /** Is connected for as long as the connection lasts. */
  const connect = async (url: string): Promise<void> => {
    socket = socketOf({
      identity,
      url,
      signal,
      poll: () => ({ working: [...working.keys()], pinInUse: pinInUse() }),
      onConnected: () => {
        socketPauseMs = KNOWN_WAY_PAUSE_MS;
      },
      take,
    });
    const how = await socket.run();
    socket = undefined;
    if (signal.aborted) return;
    if (how === 'unavailable') {
      connectsAtMs = Date.now() + socketPauseMs * (0.5 + Math.random() / 2);
      socketPauseMs = Math.min(MAX_SOCKET_PAUSE_MS, socketPauseMs * 2);
      return;
    }
    // By HTTP: it says what is wrong, if something is.
    saysHello = true;
    if (how === 'replaced') output.printError(REPLACED);
    await pause(pauseAfter(how), undefined, { signal }).catch(() => undefined);
  };

  const runTask = async (task: AgentTask): Promise<void> => {
    const over = new AbortController();
    working.set(task.id, over);
    const stop = AbortSignal.any([signal, over.signal]);
    try {
      const result = await work(task, stop);
      if (result) await sendResult(task, result, stop);
    } catch (error) {
      if (!signal.aborted) output.printError(`A ${task.kind} failed: ${causeOf(error)}`);
    } finally {
      // Listed until the server has the result: otherwise it would hand the task out again.
      working.delete(task.id);
    }
  };

  const sendResult = async (task: AgentTask, result: TaskResult, stop: AbortSignal): Promise<void> => {
    const deadlineMs = Date.now() + task.remainingMs;
    for (let tries = 0; Date.now() < deadlineMs && !stop.aborted; tries++) {
      try {
        return void (await send(identity, {
          path: `/agent/tasks/${task.id}/result`,
          body: result,
          answers: TaskResponse,
          signal: AbortSignal.any([stop, AbortSignal.timeout(RESULT_TIMEOUT_MS)]),
        }));
      } catch (error) {
        // A refusal is final. Any other failure may pass.
        if (error instanceof ServerRefused && error.status < 500) throw error;
        await pause(backoffMs(tries, MAX_BACKOFF_MS), undefined, { signal: stop }).catch(() => undefined);
      }
    }
  };

  const waitAfter = async (error: unknown): Promise<void> => {
    if (connected !== false) output.printError(`Not connected: ${explain(error)} Trying again.`);
    connected = false;
    saysHello = true;
    const isRefused = error instanceof ServerRefused && error.status === 401;
    const maxMs = isRefused ? REFUSED_BACKOFF_MS : MAX_BACKOFF_MS;
    await pause(backoffMs(failures++, maxMs), undefined, { signal }).catch(() => undefined);
  };

  /** Tells the server that this agent does not come back. */
  const leave = async (): Promise<void> => {
    if (connected === undefined) return;
    await send(identity, {
      path: '/agent/poll',
      body: { working: [], hello: true, leaving: true },
      answers: PollResponse,
      signal: AbortSignal.timeout(LEAVE_TIMEOUT_MS),
    }).catch(() => undefined); // a server that does not hear it notices a little later
  };

  return {
    isConnected: () => connected === true && !saysHello,
    renew: () => (socket ? socket.renew() : turn.abort()),
    async run() {
      while (!signal.aborted) {
        turn = new AbortController();
        const { signal: over } = turn;
        if (offered && !saysHello && Date.now() >= connectsAtMs) await connect(offered);
        else
          await poll(over).catch((error) => (signal.aborted || over.aborted ? undefined : waitAfter(error)));
      }
      await leave();
    },
  };
}

const REPLACED =
  'Another program has connected with the identity of this agent. Stop one of them, or enrol it anew.';

const pauseAfter = (how: SocketEnd): number => {
  if (how === 'disabled') return 0; // the next hello is refused, and waits
  return how === 'ended' ? RECONNECT_MS * Math.random() : REFUSED_BACKOFF_MS * (0.5 + Math.random() / 2);
};

// Jitter: agents that lost a server together do not come back together.
const backoffMs = (failures: number, maxMs: number): number =>
  Math.min(maxMs, MIN_BACKOFF_MS * 2 ** failures) * (0.5 + Math.random() / 2);

const CLOCK_TOLERANCE_MS = 30_000;

function explain(error: unknown): string {
  if (!(error instanceof ServerRefused)) return `${causeOf(error)}.`;
  const { status, aheadMs = 0, message } = error;
  if (status !== 401) return `The server answered ${status}, ${message}.`;
  if (Math.abs(aheadMs) > CLOCK_TOLERANCE_MS) {
    const seconds = Math.round(Math.abs(aheadMs) / 1000);
    return `This machine's clock is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the server's. Set it right.`;
  }
  return 'The server does not accept this agent. It was disabled, or enrolled with another server: enrol it anew.';
}
