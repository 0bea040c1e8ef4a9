import { parentPort, workerData } from 'node:worker_threads';
import { takeLowPriority } from '../../../../../shared/async/low-priority.ts';
import { draw } from './draw.ts';
import type { Drawing, DrawRequest } from './draw-request.ts';
import { fill, NotFillable, readFields } from './fill.ts';
import { merge, NotMergeable } from './merge/merge.ts';
import { NotDrawable } from './original.ts';
import { drawTextPages } from './text-pages.ts';

// A file that keeps this thread busy takes only spare time.
if (workerData.isHostile) takeLowPriority();

// worker-pool.ts starts this thread. Only the thread loads the PDF library, so a function that sends a stored file never
// pays for it.
parentPort?.on('message', async (request: DrawRequest) =>
  parentPort?.postMessage(await drawOrReport(request)),
);

async function drawOrReport(request: DrawRequest): Promise<Drawing> {
  try {
    if (request.kind === 'merged') return { merged: await merge(request) };
    if (request.kind === 'fields') return { fields: await orBroken(readFields(request.original)) };
    if (request.kind === 'text') return { bytes: await drawTextPages(request) };
    return { bytes: request.kind === 'filled' ? await orBroken(fill(request)) : await draw(request) };
  } catch (error) {
    if (error instanceof NotMergeable) return { notMerged: { part: error.part, reason: error.reason } };
    if (error instanceof NotDrawable)
      return { notDrawn: error.reason === 'signed' ? 'broken' : error.reason };
    if (error instanceof NotFillable)
      return { notFilled: { reason: error.reason, explanation: error.message } };
    throw error;
  }
}

/** A hostile or broken file can fail anywhere. */
const orBroken = <T>(reading: Promise<T>): Promise<T> =>
  reading.catch((error: unknown) => {
    if (error instanceof NotDrawable || error instanceof NotFillable) throw error;
    throw new NotDrawable('broken', { cause: error });
  });
