import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Figure } from '../measure/figures.ts';

/** What the delivery of webhooks promises, measured on the embedded engine's stores and queues. */
export async function figures(): Promise<Figure[]> {
  const run = fork(new URL('./run.ts', import.meta.url), {
    env: { ...process.env, Log__Level: 'ERROR' },
  });
  const ended = once(run, 'exit').then(() => Promise.reject(new Error('The bench of webhooks ended early.')));
  const [figures] = (await Promise.race([once(run, 'message'), ended])) as [Figure[]];
  ended.catch(() => undefined);
  return figures;
}
