import { describe, expect, test } from 'vitest';
import { cancelDocumentOf } from '../../../../functions/batch/external-signer/domain/dispatch/cancel-document.ts';
import { passRecords } from '../../../../functions/batch/external-signer/domain/pass.ts';
import { cancelJob } from '../../../../functions/batch/jobs/domain/cancel-job.ts';
import type { Job } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { retryJob } from '../../../../functions/batch/jobs/domain/retry-job.ts';
import { readFlight } from '../../../../functions/batch/pipeline/domain/flight.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { OPERATOR } from '../jobs/jobs-in-state.ts';
import { signerStage } from './stage.ts';

// The service is killed at each of its writes in turn, before or after it took effect. The external service goes on.

const stage = await forFile(signerStage());

/** The claim of the pass of a killed process ends. */
async function endClaim(): Promise<void> {
  const record = await passRecords.get('poll');
  if (record) await passRecords.change(record, { leaseEndsAtMs: 0 });
}

/** The job and its retries, the newest last. */
async function endOf(job: Job): Promise<Job> {
  if (job.state !== 'Failed') return job;
  expect(job.errorCode).toBe('job.interrupted');
  const { id } = await retryJob(job.id, Date.now());
  await stage.run();
  return stage.job(id);
}

// A process that is killed before a write leaves what one leaves that is killed after the write before it.
describe('killed after a write', () => {
  test('of a dispatch: one document, whether the job waits or was interrupted and is retried', async () => {
    const ends = new Set<string>();
    for (let write = 1; ; write++) {
      const { id } = await stage.upload(`dispatch-${write}.pdf`, stage.pdf, { profile: 'signer' });
      const wasKilled = await killedAt(write, 'after', () => stage.run());
      await stage.recover();
      await stage.run();
      const job = await stage.job(id);
      ends.add(job.state);
      const last = await endOf(job);
      expect(last).toMatchObject({ state: 'AwaitingSigner' });
      const pending = [...stage.platform.of(id), ...(last.id === id ? [] : stage.platform.of(last.id))];
      expect(pending.map((document) => document.id)).toEqual([last.dispatch?.documentId]);
      expect((await readFlight()).slots).toEqual([]);
      if (!wasKilled) {
        expect([...ends].toSorted()).toEqual(['AwaitingSigner', 'Failed']);
        return expect(write).toBeGreaterThan(4);
      }
    }
  });

  test('of a conclusion: the output is released once, from the one document', async () => {
    for (const { id } of stage.platform.documents.values()) stage.platform.documents.delete(id);
    await stage.poll();
    const ends = new Set<string>();
    for (let write = 1; ; write++) {
      const waiting = await stage.dispatched(`concluded-${write}.pdf`);
      await stage.conclude(waiting);
      const wasKilled = await killedAt(write, 'after', () => stage.poll());
      await stage.recover();
      await endClaim();
      await stage.poll();
      const job = await stage.job(waiting.id);
      ends.add(job.state);
      const last = await endOf(job);
      await stage.poll();
      expect((await stage.job(last.id)).state).toBe('Completed');
      expect(stage.platform.of(last.id)).toHaveLength(last.id === job.id ? 1 : 0);
      expect(await stage.keysOf(`output/concluded-${write}.`)).toHaveLength(1);
      expect(await stage.keysOf(`processing/${job.id}`)).toEqual([]);
      expect((await readFlight()).slots).toEqual([]);
      if (!wasKilled) {
        expect([...ends].toSorted()).toEqual(['Completed', 'Failed']);
        return expect(write).toBeGreaterThan(4);
      }
    }
  });

  test('of a cancel: the document is canceled there if the job is here, and the history says so once', async () => {
    for (let write = 1; ; write++) {
      const waiting = await stage.dispatched(`canceled-${write}.pdf`);
      const wasKilled = await killedAt(write, 'after', () =>
        cancelJob(OPERATOR, { id: waiting.id }, Date.now()).then(() =>
          cancelDocumentOf(
            { jobId: waiting.id, documentId: waiting.dispatch?.documentId ?? '', reason: 'Canceled.' },
            true,
            Date.now,
          ),
        ),
      );
      await stage.recover();
      const job = await stage.job(waiting.id);
      const document = stage.documentOf(waiting);
      if (job.state === 'Canceled') {
        expect(document.status).toBe('Canceled');
        expect(
          job.history.filter(({ message }) => message.includes('at the external service.')),
        ).toHaveLength(1);
        expect(await stage.keysOf(`processing/${job.id}`)).toEqual([]);
        expect(await stage.keysOf(`error/${job.id}`)).toHaveLength(1);
      } else {
        expect([job.state, document.status]).toEqual(['AwaitingSigner', 'Pending']);
        document.status = 'Refused';
        await endClaim();
        await stage.poll();
      }
      if (!wasKilled) return expect(write).toBeGreaterThan(2);
    }
  });
});
