import { Worker } from 'node:worker_threads';
import type { Order } from './draw.ts';

/** Why nothing was drawn: the original is encrypted or broken, or takes longer than anyone waits. */
export type NotDrawn = 'encrypted' | 'broken' | 'too-long';
export type Drawing = { readonly bytes: Uint8Array } | { readonly notDrawn: NotDrawn };

// Files that others made are drawn on in a thread apart. One that is made to be read for ever, or to fill the
// memory, costs that thread; and whoever shares the process is not kept waiting by a large one.
const HEAP_MEGABYTES = 384;
const MOST_AT_ONCE = 2;
// A thread is used again, because its beginning takes longer than most drawings; but the library keeps every name
// that it ever met, so not for ever.
const RETIRED_AFTER_BYTES = 32 * 1024 * 1024;

type Thread = { readonly worker: Worker; readBytes: number };
const idle: Thread[] = [];

/**
 * Draws an order in a thread apart.
 * @example const drawing = await drawApart({ kind: 'manifest', manifest, title, atMs }, 20_000);
 */
export async function drawApart(order: Order, timeoutMs: number): Promise<Drawing> {
  await turn();
  const thread = idle.pop() ?? newThread();
  let isSound = false;
  try {
    const drawing = await ask(thread, order, timeoutMs);
    isSound = 'bytes' in drawing && thread.readBytes < RETIRED_AFTER_BYTES;
    return drawing;
  } finally {
    if (isSound) rest(thread);
    else await thread.worker.terminate();
    running--;
    waiting.shift()?.();
  }
}

let running = 0;
const waiting: (() => void)[] = [];

async function turn(): Promise<void> {
  while (running >= MOST_AT_ONCE) await new Promise<void>((begin) => waiting.push(begin));
  running++;
}

// Where the thread begins. Of what is built, it is one folder over from wherever this code comes to be.
const isSource = import.meta.url.endsWith('.ts');
const THREAD = new URL(isSource ? './thread.ts' : '../documents.threads/drawn.mjs', import.meta.url);

function newThread(): Thread {
  const worker = new Worker(THREAD, {
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

function rest(thread: Thread): void {
  thread.worker.unref();
  idle.push(thread);
}

async function ask(thread: Thread, order: Order, timeoutMs: number): Promise<Drawing> {
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
