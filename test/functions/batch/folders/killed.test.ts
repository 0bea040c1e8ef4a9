import { describe, expect, test } from 'vitest';
import { handler as takeArrivals } from '../../../../functions/batch/folders/workers/take-arrivals.ts';
import { claimJob } from '../../../../functions/batch/pipeline/domain/claim-job.ts';
import { readFlight } from '../../../../functions/batch/pipeline/domain/flight.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { arrivalOf, arrivalStage } from './arrival-stage.ts';

// The service is killed at each of its writes in turn, from the notification of a file to the end of its job. The queue
// delivers the notification again, another worker finds the slot without a worker, and the sweeper what is left:
//
//   worker 1  |--job--|--lease, copy, no lease--sign--output--Completed--lease, delete, no lease-- killed anywhere
//   worker 2                                                    |--notification again--|--slot--|--sweep--|
//
// Whatever the moment: one job for the file. Completed: one output, and the file is gone. Failed: no output, and the
// file is there. No lease stays.

const stage = await forFile(arrivalStage());

const LATER_MS = 600_000;

async function recover(key: string): Promise<void> {
  await takeArrivals(arrivalOf(key));
  const claimed = await claimJob(Date.now() + LATER_MS);
  if (claimed) await stage.process(claimed);
  await stage.run();
  await stage.sweep(LATER_MS);
  await takeArrivals(arrivalOf(key));
  await stage.run();
}

// A process that is killed before a write leaves what one leaves that is killed after the write before it.
describe('killed after a write', () => {
  test('from the arrival of a file to its end: it is signed at most once, and deleted only if it was', async () => {
    const ends = new Set<string>();
    for (let write = 1; ; write++) {
      const name = `killed-${write}.bin`;
      const key = `input/inbox/${name}`;
      await stage.put(key, name);
      const wasKilled = await killedAt(write, 'after', async () => {
        await takeArrivals(arrivalOf(key));
        await stage.run();
      });
      await recover(key);
      const jobs = await stage.jobsOf(name);
      expect(jobs).toHaveLength(1);
      const [job] = jobs;
      ends.add(job?.state ?? '');
      const [inputs, outputs] = [await stage.keysOf(key), await stage.keysOf(`output/${name}`)];
      if (job?.state === 'Completed') {
        expect([inputs, outputs]).toEqual([[], [`output/${name}.p7m`]]);
        expect(job.errorCode).toBeNull();
      } else {
        expect(job).toMatchObject({ state: 'Failed', errorCode: 'job.interrupted' });
        expect([inputs, outputs]).toEqual([[key], []]);
        expect(await stage.textOf(key)).toBe(name);
      }
      expect(await stage.keysOf(`processing/${job?.id}`)).toEqual([]);
      expect((await readFlight()).slots).toEqual([]);
      if (!wasKilled) {
        expect([...ends].toSorted()).toEqual(['Completed', 'Failed']);
        return expect(write).toBeGreaterThan(10);
      }
    }
  });

  test('from the arrival of a refused file to its place in error/: one Failed job, and the file is not lost', async () => {
    for (let write = 1; ; write++) {
      const name = `refused-${write}.bin`;
      const key = `input/inbox/${name}`;
      await stage.upload(name, 'the first of its name');
      await stage.run();
      await stage.put(key, name);
      const wasKilled = await killedAt(write, 'after', () => takeArrivals(arrivalOf(key)));
      await recover(key);
      const failed = (await stage.jobsOf(name)).filter(({ state }) => state === 'Failed');
      expect(failed).toMatchObject([{ errorCode: 'file.already-processed' }]);
      expect(await stage.keysOf(key)).toEqual([]);
      expect(await stage.textOf(`error/${failed[0]?.id}/${name}`)).toBe(name);
      if (!wasKilled) return expect(write).toBeGreaterThan(4);
    }
  });
});
