import { Worker } from 'node:worker_threads';
import { type FairSemaphore, fairSemaphore, type SemaphoreLimits, type Slot } from './fair-semaphore.ts';
import { processWide } from './process-wide.ts';

/** The queue of one kind of work, and its idle threads. */
export type ThreadPool = {
  readonly source: URL;
  readonly workerData: unknown;
  readonly limits: SemaphoreLimits;
  readonly slots: FairSemaphore;
  readonly idle: Thread[];
};
type Thread = { readonly worker: Worker; readBytes: number };

/** Whose turn it is, and how long it is worth waiting for. */
export type Turn = {
  /** Organizations take turns. */
  readonly organizationId: string;
  readonly deadlineAtMs: number;
  /** The clock of the deadline: work may wait before it is done. */
  readonly now: () => number;
  /** A caller that hung up leaves the queue, or the thread. */
  readonly hangUp?: AbortSignal | undefined;
};

type Work<Answer> = {
  /** What the thread is sent. */
  readonly request: unknown;
  readonly bytes: number;
  /** What the work usually takes: the wait leaves as much of the caller's time. */
  readonly usualMs: number;
  /** After its wait. */
  readonly timeoutMs: () => number;
  /** Whether the thread can be used again after this answer. */
  readonly isReusable: (answer: Answer) => boolean;
};

/** The queue is full, the turn would come after the caller's deadline, or the caller hung up. */
export class ThreadsBusy extends Error {
  override readonly name = 'ThreadsBusy';
}

/** The thread was ended, because the work took too long or too much memory. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
  readonly reason: 'too-long' | 'out-of-memory';
  constructor(reason: ThreadEnded['reason']) {
    super(`The thread was ended: ${reason}.`);
    this.reason = reason;
  }
}

// A file made to run for ever or to fill the memory costs only its thread, and a large one does not block the process.
const HEAP_MEGABYTES = 384;
// A thread is reused, because its start takes longer than most work. A library may keep every name that it ever read, so a
// thread is retired after some bytes.
const RETIRED_AFTER_BYTES = 32 * 1024 * 1024;

/** The threads of one kind of work, shared by all of this process. They run the file at `source`. */
export const threadPool = (
  name: string,
  { source, workerData, limits }: Pick<ThreadPool, 'source' | 'workerData' | 'limits'>,
): ThreadPool => processWide(name, () => ({ source, workerData, limits, slots: fairSemaphore(), idle: [] }));

/**
 * Has a thread answer a request. Throws ThreadsBusy when no thread is free in time, and ThreadEnded.
 * @example const pieces = await runInThread<Pieces>(pool, { request: { pdf, marks }, … }, turn)
 */
export async function runInThread<Answer>(pool: ThreadPool, work: Work<Answer>, turn: Turn): Promise<Answer> {
  const slot = await acquireSlot(pool, work, turn);
  try {
    return await runWithSlot(pool, work, turn.hangUp);
  } finally {
    slot.release();
  }
}

async function acquireSlot(
  { limits, slots }: ThreadPool,
  { usualMs }: Work<never>,
  { organizationId, deadlineAtMs, now, hangUp: signal }: Turn,
): Promise<Slot> {
  const maxWaitMs = deadlineAtMs - now() - usualMs;
  const slot = await slots.acquire(organizationId, limits, { maxWaitMs, signal });
  if (!slot) throw new ThreadsBusy('Too many others are waiting.');
  return slot;
}

async function runWithSlot<Answer>(
  pool: ThreadPool,
  work: Work<Answer>,
  hangUp: AbortSignal | undefined,
): Promise<Answer> {
  // Starting a thread fails in a process that is short of memory.
  const thread = pool.idle.pop() ?? startThread(pool);
  let isReusable = false;
  try {
    const answer = await ask(thread, work, hangUp);
    isReusable = work.isReusable(answer) && thread.readBytes < RETIRED_AFTER_BYTES;
    return answer;
  } finally {
    if (isReusable) returnThread(thread, pool);
    else await thread.worker.terminate();
  }
}

function startThread({ source, workerData, idle }: ThreadPool): Thread {
  const worker = new Worker(source, {
    workerData,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    // A library writes warnings about a file to the console.
    stdout: true,
    stderr: true,
  });
  const thread = { worker, readBytes: 0 };
  // A thread that ends while idle is not used again.
  worker.on('error', () => {});
  worker.on('exit', () => {
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
  });
  return thread;
}

function returnThread(thread: Thread, { idle }: ThreadPool): void {
  thread.worker.unref();
  idle.push(thread);
}

async function ask<Answer>(
  thread: Thread,
  { request, bytes, timeoutMs }: Work<Answer>,
  hangUp: AbortSignal | undefined,
): Promise<Answer> {
  const { worker } = thread;
  const ended = new AbortController();
  thread.readBytes += bytes;
  worker.ref();
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const once = <T>(event: string, then: (value: T) => void): void => {
        worker.once(event, then);
        ended.signal.addEventListener('abort', () => worker.off(event, then));
      };
      const timer = setTimeout(() => reject(new ThreadEnded('too-long')), timeoutMs());
      ended.signal.addEventListener('abort', () => clearTimeout(timer));
      const giveUp = (): void => reject(new ThreadsBusy('The caller hung up.'));
      hangUp?.addEventListener('abort', giveUp);
      ended.signal.addEventListener('abort', () => hangUp?.removeEventListener('abort', giveUp));
      once('message', resolve);
      once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadEnded('out-of-memory') : error),
      );
      once('exit', (code) => reject(new Error(`The thread ended with ${code} and answered nothing.`)));
      worker.postMessage(request);
    });
  } finally {
    ended.abort();
  }
}
