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
import { ask, ServerRefused } from './server.ts';

type Wish = {
  readonly identity: Identity;
  readonly output: Output;
  /** Ends everything. */
  readonly signal: AbortSignal;
  /** Told with every poll, so that the server hands over nothing that cannot be signed. */
  readonly pinInUse: () => boolean;
  readonly work: (task: AgentTask, signal: AbortSignal) => Promise<TaskResult | undefined>;
};

// The server holds a poll for at most 25 s, and API Gateway for 29.
const POLL_WITHIN_MS = 40_000;
const RESULT_WITHIN_MS = 10_000;
// Whoever stops the agent waits for it.
const LEAVE_WITHIN_MS = 2_000;
const FIRST_BACKOFF_MS = 500;
// Less than the grace that a sign in progress gives an agent to come back.
const LAST_BACKOFF_MS = 8_000;
// Who is refused stays refused: it takes a person to change that.
const REFUSED_BACKOFF_MS = 30_000;
// A poll that ends sooner with nothing was replaced by another: two agents with one identity must not race.
const MIN_POLL_MS = 900;

export type Connection = {
  /** Polls until the signal, and says good-bye. */
  run(): Promise<void>;
  /** Polls anew: what the last poll said of this agent is no longer so. */
  renew(): void;
  readonly isConnected: () => boolean;
};

/** Keeps the server's questions coming: one poll after the other, and each task at once beside it. */
export function connectionOf({ identity, output, signal, pinInUse, work }: Wish): Connection {
  const working = new Map<string, AbortController>();
  let connected: boolean | undefined;
  let failures = 0;
  let turn = new AbortController();

  const poll = async (over: AbortSignal): Promise<void> => {
    const startedAt = performance.now();
    const hello = connected !== true;
    const { tasks, withdrawn } = await ask(identity, {
      path: '/agent/poll',
      body: { working: [...working.keys()], hello, pinInUse: pinInUse() },
      answers: PollResponse,
      signal: AbortSignal.any([signal, over, AbortSignal.timeout(POLL_WITHIN_MS)]),
    });
    failures = 0;
    if (hello) output.print(`Connected to ${identity.server}.`);
    connected = true;
    for (const id of withdrawn) working.get(id)?.abort();
    for (const task of tasks) if (!working.has(task.id)) void take(task);
    const tookMs = performance.now() - startedAt;
    if (!hello && tasks.length + withdrawn.length === 0 && tookMs < MIN_POLL_MS)
      await pause(MIN_POLL_MS, undefined, { signal }).catch(() => undefined);
  };

  const take = async (task: AgentTask): Promise<void> => {
    const over = new AbortController();
    working.set(task.id, over);
    const stop = AbortSignal.any([signal, over.signal]);
    try {
      const result = await work(task, stop);
      if (result) await giveResult(task, result, stop);
    } catch (error) {
      if (!signal.aborted) output.printError(`A ${task.kind} failed: ${causeOf(error)}`);
    } finally {
      // In hand until the server has the result: it would be given out again otherwise.
      working.delete(task.id);
    }
  };

  const giveResult = async (task: AgentTask, result: TaskResult, stop: AbortSignal): Promise<void> => {
    const untilMs = Date.now() + task.remainingMs;
    for (let tries = 0; Date.now() < untilMs && !stop.aborted; tries++) {
      try {
        return void (await ask(identity, {
          path: `/agent/tasks/${task.id}/result`,
          body: result,
          answers: TaskResponse,
          signal: AbortSignal.any([stop, AbortSignal.timeout(RESULT_WITHIN_MS)]),
        }));
      } catch (error) {
        // Said no, it says no again. Anything else may pass.
        if (error instanceof ServerRefused && error.status < 500) throw error;
        await pause(backoffMs(tries, LAST_BACKOFF_MS), undefined, { signal: stop }).catch(() => undefined);
      }
    }
  };

  const failed = async (error: unknown): Promise<void> => {
    if (connected !== false) output.printError(`Not connected: ${explained(error)} Trying again.`);
    connected = false;
    const isRefused = error instanceof ServerRefused && error.status === 401;
    const mostMs = isRefused ? REFUSED_BACKOFF_MS : LAST_BACKOFF_MS;
    await pause(backoffMs(failures++, mostMs), undefined, { signal }).catch(() => undefined);
  };

  /** Without it the server would take this agent for one that comes back in a moment. */
  const leave = async (): Promise<void> => {
    if (connected === undefined) return;
    await ask(identity, {
      path: '/agent/poll',
      body: { working: [], hello: true, leaving: true },
      answers: PollResponse,
      signal: AbortSignal.timeout(LEAVE_WITHIN_MS),
    }).catch(() => undefined); // a server that does not hear it misses the agent a little later
  };

  return {
    isConnected: () => connected === true,
    renew: () => turn.abort(),
    async run() {
      while (!signal.aborted) {
        turn = new AbortController();
        const { signal: over } = turn;
        await poll(over).catch((error) => (signal.aborted || over.aborted ? undefined : failed(error)));
      }
      await leave();
    },
  };
}

// Jittered, so that agents which lost a server together do not come back together.
const backoffMs = (failures: number, mostMs: number): number =>
  Math.min(mostMs, FIRST_BACKOFF_MS * 2 ** failures) * (0.5 + Math.random() / 2);

const CLOCK_TOLERANCE_MS = 30_000;

function explained(error: unknown): string {
  if (!(error instanceof ServerRefused)) return `${causeOf(error)}.`;
  const { status, aheadMs = 0, message } = error;
  if (status !== 401) return `The server answered ${status}, ${message}.`;
  if (Math.abs(aheadMs) > CLOCK_TOLERANCE_MS) {
    const seconds = Math.round(Math.abs(aheadMs) / 1000);
    return `This machine's clock is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the server's. Set it right.`;
  }
  return 'The server does not accept this agent. It was disabled, or enrolled with another server: enrol it anew.';
}
