import { expect, test, vi } from 'vitest';
import { drawInWorker } from '../../../../../../functions/documents/domain/downloads/drawn/worker-pool.ts';

// Node fails so in a process that is short of memory or threads.
vi.mock('node:worker_threads', async (original) => ({
  ...(await original<object>()),
  Worker: class {
    constructor() {
      throw new Error('No thread can be had.');
    }
  },
}));

test('a thread that cannot be had costs no slot', async () => {
  const drawing = () =>
    drawInWorker(
      { kind: 'marked', original: Buffer.alloc(0), marks: [], title: 'Contrato', atMs: 0 },
      1_000,
      {
        ...{ organizationId: 'one', now: Date.now, deadlineAtMs: Date.now() + 1_050 },
      },
    );
  for (let times = 0; times < 4; times++) await expect(drawing()).rejects.toThrow('No thread can be had.');
});
