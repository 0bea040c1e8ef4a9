import { Worker } from 'node:worker_threads';
import {
  type FairSemaphore,
  fairSemaphore,
  type SemaphoreLimits,
  type Slot,
} from '../../../../../shared/async/fair-semaphore.ts';
import { processWide } from '../../../../../shared/async/process-wide.ts';
import type { Order } from './draw.ts';

/** Why nothing was drawn: the original is encrypted or broken, or takes longer than anyone waits. */
export type NotDrawn = 'encrypted' | 'broken' | 'too-long';
export type Drawing = { readonly bytes: Uint8Array } | { readonly notDrawn: NotDrawn };

/** For whom something is drawn. */
export type DrawingTurn = {
  /** Organizations take turns. */
  readonly organizationId: string;
  readonly deadlineAtMs: number;
  /** A caller that hung up leaves the queue, or the thread. */
  readonly hangUp?: AbortSignal | undefined;
};

/** As many wait as may, the caller's time would be over before its turn came, or the caller is gone. */
export class DrawingBusy extends Error {
  override readonly name = 'DrawingBusy';
}

// Files that others made are drawn on in a thread apart. One that is made to be read for ever, or to fill the
// memory, costs that thread; and whoever shares the process is not kept waiting by a large one.
const HEAP_MEGABYTES = 384;
// A thread is used again, because its beginning takes longer than most drawings; but the library keeps every name
// that it ever met, so not for ever.
const RETIRED_AFTER_BYTES = 32 * 1024 * 1024;

type Thread = { readonly worker: Worker; readBytes: number };

/** Those who wait for a kind of drawing, and the threads that rest between two of them. */
type Line = {
  readonly limits: SemaphoreLimits;
  readonly slots: FairSemaphore;
  readonly idle: Thread[];
  readonly isHostile: boolean;
};

// Who asks for the drawing of hostile files waits for the time-out of each, and nobody else does: one organization holds
// at most two of the three threads. Whoever waits holds an original in memory.
const originals: Line = processWide('drawn-originals', () => ({
  limits: { slots: 3, maxWaiting: 12, share: 1 },
  slots: fairSemaphore(),
  idle: [],
  isHostile: true,
}));
// A manifest is drawn from our own data, in milliseconds, and never waits behind an original.
const manifests: Line = processWide('drawn-manifests', () => ({
  limits: { slots: 1, maxWaiting: 100, share: 4 },
  slots: fairSemaphore(),
  idle: [],
  isHostile: false,
}));
const lineOf = ({ kind }: Order): Line => (kind === 'manifest' ? manifests : originals);
// Far more than a manifest takes.
const MANIFEST_MS = 5_000;

/**
 * Draws an order in a thread apart. DrawingBusy when its turn does not come.
 * @example const drawing = await drawApart({ kind: 'manifest', manifest, title, atMs }, 20_000, turn);
 */
export async function drawApart(order: Order, timeoutMs: number, turn: DrawingTurn): Promise<Drawing> {
  const line = lineOf(order);
  const slot = await slotIn(line, line.isHostile ? timeoutMs : MANIFEST_MS, turn);
  try {
    return await drawIn(line, order, timeoutMs, turn);
  } finally {
    slot.release();
  }
}

async function drawIn(line: Line, order: Order, timeoutMs: number, turn: DrawingTurn): Promise<Drawing> {
  // A process that is short of memory has no thread to give.
  const thread = line.idle.pop() ?? newThread(line);
  let isSound = false;
  try {
    const drawing = await ask(thread, order, endOf(line, timeoutMs, turn), turn.hangUp);
    isSound = 'bytes' in drawing && thread.readBytes < RETIRED_AFTER_BYTES;
    return drawing;
  } finally {
    if (isSound) rest(thread, line);
    else await thread.worker.terminate();
  }
}

// Only a file that somebody else made can be one that is read for ever.
const endOf = ({ isHostile }: Line, timeoutMs: number, { deadlineAtMs }: DrawingTurn): number =>
  isHostile ? timeoutMs : Math.min(Math.max(timeoutMs, deadlineAtMs - Date.now()), MAX_TIMER_MS);
// A longer delay makes a timer fire at once.
const MAX_TIMER_MS = 2 ** 31 - 1;

async function slotIn({ limits, slots }: Line, drawingMs: number, turn: DrawingTurn): Promise<Slot> {
  const { organizationId, deadlineAtMs, hangUp: signal } = turn;
  // Enough is left of the caller's time to draw in.
  const slot = await slots.acquire(organizationId, limits, {
    maxWaitMs: deadlineAtMs - Date.now() - drawingMs,
    signal,
  });
  if (!slot) throw new DrawingBusy('As many drawings wait as may.');
  return slot;
}

// Where the thread begins. Of what is built, it is one folder over from wherever this code comes to be.
const isSource = import.meta.url.endsWith('.ts');
const THREAD = new URL(isSource ? './thread.ts' : '../documents.threads/drawn.mjs', import.meta.url);

function newThread({ idle, isHostile }: Line): Thread {
  const worker = new Worker(THREAD, {
    workerData: { isHostile },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    // The library warns on the console of what it meets in a file.
    stdout: true,
    stderr: true,
  });
  const thread = { worker, readBytes: 0 };
  // One that ends while it rests is not asked again.
  worker.on('error', () => {});
  worker.on('exit', () => {
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
  });
  return thread;
}

function rest(thread: Thread, { idle }: Line): void {
  thread.worker.unref();
  idle.push(thread);
}

async function ask(
  thread: Thread,
  order: Order,
  timeoutMs: number,
  hangUp: AbortSignal | undefined,
): Promise<Drawing> {
  const { worker } = thread;
  const over = new AbortController();
  thread.readBytes += 'original' in order ? order.original.length : 0;
  worker.ref();
  try {
    return await new Promise<Drawing>((resolve, reject) => {
      const once = <T>(event: string, then: (value: T) => void): void => {
        worker.once(event, then);
        over.signal.addEventListener('abort', () => worker.off(event, then));
      };
      const timer = setTimeout(() => resolve({ notDrawn: 'too-long' }), timeoutMs);
      over.signal.addEventListener('abort', () => clearTimeout(timer));
      const giveUp = (): void => reject(new DrawingBusy('The caller hung up.'));
      hangUp?.addEventListener('abort', giveUp);
      over.signal.addEventListener('abort', () => hangUp?.removeEventListener('abort', giveUp));
      once('message', resolve);
      once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve({ notDrawn: 'broken' }) : reject(error),
      );
      once('exit', (code) => reject(new Error(`The drawing thread ended with ${code} and drew nothing.`)));
      worker.postMessage(order);
    });
  } finally {
    over.abort();
  }
}
