import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Figure } from '../measure/figures.ts';
import type { SweepRun } from './sweeps/run.ts';

const MINUTE_SECONDS = 60;

/** The sweeper's time for the busiest minute of a day of ten million documents. */
export async function figures(): Promise<Figure[]> {
  const model = await runOn('model');
  const engine = await runOn('engine');
  return [
    {
      name: 'the sweep of the busiest minute of a day with 10 million documents of 1,000 organizations, against its minute',
      ratio: model.seconds / MINUTE_SECONDS,
      promised: { atMost: 1 },
      detail: `midnight, when all deadlines by day end: ${model.detail}; one of four runs sent ${inWords(model)}, with DynamoDB at 5 ms and SQS at 10 ms`,
    },
    {
      name: 'the same of the busiest minute of working hours, on the local engine, in one run',
      ratio: engine.seconds / MINUTE_SECONDS,
      promised: { atMost: 1 },
      detail: `${engine.detail}; sent ${inWords(engine)}`,
    },
  ];
}

const inWords = ({ messages, seconds, cpuSeconds }: SweepRun): string =>
  `${messages} in ${seconds.toFixed(1)} s, of which ${cpuSeconds.toFixed(1)} s of processor`;

async function runOn(stores: 'model' | 'engine'): Promise<SweepRun> {
  const run = fork(new URL('./sweeps/run.ts', import.meta.url), [stores], {
    env: { ...process.env, Log__Level: 'ERROR' },
  });
  const ended = once(run, 'exit').then(() => Promise.reject(new Error('The bench of sweeps ended early.')));
  const [result] = (await Promise.race([once(run, 'message'), ended])) as [SweepRun];
  ended.catch(() => undefined);
  return result;
}
