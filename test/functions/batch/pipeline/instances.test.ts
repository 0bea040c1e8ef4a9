import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { jobList } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { readFlight } from '../../../../functions/batch/pipeline/domain/flight.ts';
import { files } from '../../../../shared/files/files.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ownStrictStores } from '../../own-stores.ts';
import { batchStage } from '../stage.ts';

const JOBS = 24;
const INSTANCES = ['north', 'south'];
const MAX_CONCURRENCY = 8;

const stage = await forFile(batchStage(async () => (await ownStrictStores()).stop));

function startInstance(name: string) {
  const env = {
    ...process.env,
    Cluster__InstanceName: name,
    Pipeline__MaxConcurrency: String(MAX_CONCURRENCY),
    Log__Level: 'ERROR',
  };
  const path = new URL('worker-process.ts', import.meta.url).pathname;
  return spawn(process.execPath, [path], { env, stdio: ['pipe', 'inherit', 'inherit'] });
}

// Twice twelve workers on one store that cancels transactions that meet:
//
//   north  |--claims the oldest--|--claims--   at most 8 in flight
//   south  |--claims the oldest: refused, takes the next--|   at most 8 in flight
test('two instances share one store: no job is claimed twice, and each keeps to its MaxConcurrency', async () => {
  const uploaded = [];
  for (let n = 0; n < JOBS; n++) uploaded.push(await stage.upload(`file-${n}.bin`, `content ${n}`));
  const instances = INSTANCES.map(startInstance);
  const most: Record<string, number> = {};
  for (;;) {
    const { slots } = await readFlight();
    for (const name of INSTANCES) {
      const inFlight = slots.filter(({ instance }) => instance === name).length;
      most[name] = Math.max(most[name] ?? 0, inFlight);
    }
    const { total } = await jobList({ state: 'Completed' }).page({ page: 1, pageSize: 1 });
    if (total === JOBS) break;
  }
  for (const { stdin } of instances) stdin.end();
  await Promise.all(instances.map((instance) => once(instance, 'exit')));

  for (const name of INSTANCES) expect(most[name]).toBeLessThanOrEqual(MAX_CONCURRENCY);
  const ended = await jobs.getMany(uploaded.map(({ id }) => id));
  for (const { history, fence } of ended) {
    expect(history.map(({ status }) => status)).toEqual(['Queued', 'Processing', 'Verifying', 'Completed']);
    expect(fence).toBe(1);
  }
  expect(new Set(ended.map(({ instance }) => instance))).toEqual(new Set(INSTANCES));
  expect((await readFlight()).slots).toEqual([]);
  const { files: outputs } = await files('batch').list('output/');
  expect(outputs).toHaveLength(JOBS);
}, 120_000);
