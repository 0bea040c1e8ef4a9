import { MAX_TIMER_MS } from '../../../../../shared/async/deadline.ts';
import { runInThread, ThreadEnded, type Turn, threadPool } from '../../../../../shared/async/thread-pool.ts';
import type { Drawing, DrawRequest } from './draw-request.ts';

// The source of the thread. In a bundle it is in a folder beside that of any function or chunk.
const isSource = import.meta.url.endsWith('.ts');
const source = new URL(isSource ? './thread.ts' : '../documents.threads/drawn.mjs', import.meta.url);

// Hostile files delay only their own organization: it holds at most two of the three threads. Every waiting request
// holds an original in memory, so the queue is short.
const originals = threadPool('drawn-originals', {
  source,
  workerData: { isHostile: true },
  limits: { slots: 3, maxWaiting: 12, share: 1 },
});
// A manifest is drawn from our own data in milliseconds, and never waits behind an original.
const manifests = threadPool('drawn-manifests', {
  source,
  workerData: { isHostile: false },
  limits: { slots: 1, maxWaiting: 100, share: 4 },
});
// Far more than a manifest takes.
const MAX_MANIFEST_MS = 5_000;

/**
 * Draws in a worker thread. Throws ThreadsBusy when no slot is free in time.
 * @example const drawing = await drawInWorker({ kind: 'manifest', manifest, title, atMs }, 20_000, turn);
 */
export async function drawInWorker(request: DrawRequest, timeoutMs: number, turn: Turn): Promise<Drawing> {
  const isHostile = request.kind !== 'manifest';
  const untilDeadline = (): number => Math.max(timeoutMs, turn.deadlineAtMs - turn.now());
  try {
    return await runInThread<Drawing>(
      isHostile ? originals : manifests,
      {
        ...{ request, bytes: readBytesOf(request), isReusable },
        usualMs: isHostile ? timeoutMs : MAX_MANIFEST_MS,
        // Only files of others can run for ever.
        timeoutMs: () => (isHostile ? timeoutMs : Math.min(untilDeadline(), MAX_TIMER_MS)),
      },
      turn,
    );
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    return { notDrawn: error.reason === 'too-long' ? 'too-long' : 'broken' };
  }
}

const isReusable = (drawing: Drawing): boolean =>
  'bytes' in drawing || 'merged' in drawing || 'fields' in drawing;

const readBytesOf = (request: DrawRequest): number =>
  request.kind === 'merged' ? request.bytes : 'original' in request ? request.original.length : 0;
