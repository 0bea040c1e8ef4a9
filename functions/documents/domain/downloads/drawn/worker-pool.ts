import { Worker } from 'node:worker_threads';
import {
  type FairSemaphore,
  fairSemaphore,
  type SemaphoreLimits,
  type Slot,
} from '../../../../../shared/async/fair-semaphore.ts';
import { processWide } from '../../../../../shared/async/process-wide.ts';
import type { Drawing, DrawRequest } from './draw-request.ts';

export type DrawingOptions = {
  /** Organizations take turns. */
  readonly organizationId: string;
  readonly deadlineAtMs: number;
  /** The clock of the deadline: a request may wait before it is drawn. */
  readonly now: () => number;
  /** A caller that hung up leaves the queue, or the thread. */
  readonly hangUp?: AbortSignal | undefined;
};

/** The queue is full, the turn would come after the caller's deadline, or the caller hung up. */
export class DrawingBusy extends Error {
  override readonly name = 'DrawingBusy';
}

// Files of others are drawn on in a separate thread. A file made to run for ever or to fill the memory costs only that
// thread, and a large one does not block the process.
const HEAP_MEGABYTES = 384;
// A thread is reused, because its start takes longer than most drawings. The library keeps every name that it ever
// read, so a thread is retired after some bytes.
const RETIRED_AFTER_BYTES = 32 * 1024 * 1024;

type Thread = { readonly worker: Worker; readBytes: number };

/** The queue of one kind of drawing, and its idle threads. */
type WorkerGroup = {
  readonly limits: SemaphoreLimits;
  readonly slots: FairSemaphore;
  readonly idle: Thread[];
  readonly isHostile: boolean;
};

// Hostile files delay only their own organization: it holds at most two of the three threads. Every waiting request
// holds an original in memory, so the queue is short.
const originals: WorkerGroup = processWide('drawn-originals', () => ({
  limits: { slots: 3, maxWaiting: 12, share: 1 },
  slots: fairSemaphore(),
  idle: [],
  isHostile: true,
}));
// A manifest is drawn from our own data in milliseconds, and never waits behind an original.
const manifests: WorkerGroup = processWide('drawn-manifests', () => ({
  limits: { slots: 1, maxWaiting: 100, share: 4 },
  slots: fairSemaphore(),
  idle: [],
  isHostile: false,
}));
const groupOf = ({ kind }: DrawRequest): WorkerGroup => (kind === 'manifest' ? manifests : originals);
// Far more than a manifest takes.
const MAX_MANIFEST_MS = 5_000;

/**
 * Draws in a worker thread. Throws DrawingBusy when no slot is free in time.
 * @example const drawing = await drawInWorker({ kind: 'manifest', manifest, title, atMs }, 20_000, options);
 */
export async function drawInWorker(
  request: DrawRequest,
  timeoutMs: number,
  options: DrawingOptions,
): Promise<Drawing> {
  const group = groupOf(request);
  const slot = await acquireSlot(group, group.isHostile ? timeoutMs : MAX_MANIFEST_MS, options);
  try {
    return await drawWith(group, request, timeoutMs, options);
  } finally {
    slot.release();
  }
}

async function drawWith(
  group: WorkerGroup,
  request: DrawRequest,
  timeoutMs: number,
  options: DrawingOptions,
): Promise<Drawing> {
  // Starting a thread fails in a process that is short of memory.
  const thread = group.idle.pop() ?? startThread(group);
  let isReusable = false;
  try {
    const drawing = await runInThread(thread, request, timeoutOf(group, timeoutMs, options), options.hangUp);
    isReusable =
      ('bytes' in drawing || 'merged' in drawing || 'fields' in drawing) &&
      thread.readBytes < RETIRED_AFTER_BYTES;
    return drawing;
  } finally {
    if (isReusable) returnThread(thread, group);
    else await thread.worker.terminate();
  }
}

// Only files of others can run for ever.
const timeoutOf = (
  { isHostile }: WorkerGroup,
  timeoutMs: number,
  { deadlineAtMs, now }: DrawingOptions,
): number => (isHostile ? timeoutMs : Math.min(Math.max(timeoutMs, deadlineAtMs - now()), MAX_TIMER_MS));
// A timer with a longer delay fires at once.
const MAX_TIMER_MS = 2 ** 31 - 1;

async function acquireSlot(
  { limits, slots }: WorkerGroup,
  drawingMs: number,
  { organizationId, deadlineAtMs, now, hangUp: signal }: DrawingOptions,
): Promise<Slot> {
  // The wait leaves enough of the caller's time to draw.
  const maxWaitMs = deadlineAtMs - now() - drawingMs;
  const slot = await slots.acquire(organizationId, limits, { maxWaitMs, signal });
  if (!slot) throw new DrawingBusy('Too many drawings are waiting.');
  return slot;
}

// The source of the thread. In a bundle it is in a folder beside that of any function or chunk.
const isSource = import.meta.url.endsWith('.ts');
const THREAD = new URL(isSource ? './thread.ts' : '../documents.threads/drawn.mjs', import.meta.url);

function startThread({ idle, isHostile }: WorkerGroup): Thread {
  const worker = new Worker(THREAD, {
    workerData: { isHostile },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    // The library writes warnings about a file to the console.
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

function returnThread(thread: Thread, { idle }: WorkerGroup): void {
  thread.worker.unref();
  idle.push(thread);
}

const readBytesOf = (request: DrawRequest): number =>
  request.kind === 'merged' ? request.bytes : 'original' in request ? request.original.length : 0;

async function runInThread(
  thread: Thread,
  request: DrawRequest,
  timeoutMs: number,
  hangUp: AbortSignal | undefined,
): Promise<Drawing> {
  const { worker } = thread;
  const ended = new AbortController();
  thread.readBytes += readBytesOf(request);
  worker.ref();
  try {
    return await new Promise<Drawing>((resolve, reject) => {
      const once = <T>(event: string, then: (value: T) => void): void => {
        worker.once(event, then);
        ended.signal.addEventListener('abort', () => worker.off(event, then));
      };
      const timer = setTimeout(() => resolve({ notDrawn: 'too-long' }), timeoutMs);
      ended.signal.addEventListener('abort', () => clearTimeout(timer));
      const giveUp = (): void => reject(new DrawingBusy('The caller hung up.'));
      hangUp?.addEventListener('abort', giveUp);
      ended.signal.addEventListener('abort', () => hangUp?.removeEventListener('abort', giveUp));
      once('message', resolve);
      once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve({ notDrawn: 'broken' }) : reject(error),
      );
      once('exit', (code) => reject(new Error(`The drawing thread ended with ${code} and drew nothing.`)));
      worker.postMessage(request);
    });
  } finally {
    ended.abort();
  }
}
