import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Figure } from '../measure/figures.ts';

/** What 100 documents a second into one organization ask of stores that cancel transactions that meet, as AWS does. */
export async function figures(): Promise<Figure[]> {
  const run = fork(new URL('./soak/run.ts', import.meta.url), {
    env: { ...process.env, Log__Level: 'ERROR' },
    // The functions log to the first stream, which is for the figures.
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const ended = once(run, 'exit').then(() => Promise.reject(new Error('The soak ended early.')));
  const [figures] = (await Promise.race([once(run, 'message'), ended])) as [Figure[]];
  ended.catch(() => undefined);
  return figures;
}
