import { constants, setPriority } from 'node:os';
import { platform } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { type DrawRequest, draw } from './draw.ts';
import { NotDrawable } from './original.ts';
import type { Drawing } from './worker-pool.ts';

// On Linux each thread has a priority of its own: a file that keeps this one busy takes only what others leave. Elsewhere
// it would be that of the process.
if (workerData.isHostile && platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

// What drawing.ts begins in a thread apart. The library that draws is here alone: a function that only hands out a
// stored file never pays for it.
parentPort?.on('message', async (order: DrawRequest) => parentPort?.postMessage(await drawOrReport(order)));

async function drawOrReport(order: DrawRequest): Promise<Drawing> {
  try {
    return { bytes: await draw(order) };
  } catch (error) {
    if (error instanceof NotDrawable) return { notDrawn: error.reason };
    throw error;
  }
}
