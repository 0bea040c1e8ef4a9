import { afterEach, describe, expect, test, vi } from 'vitest';
import { markKeyReached } from '../../../../functions/batch/external-signer/domain/folder-job/end-folder-job.ts';
import { jobList } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { retryJob } from '../../../../functions/batch/jobs/domain/retry-job.ts';
import { claimJob, recoverJobs } from '../../../../functions/batch/pipeline/domain/claim-job.ts';
import { readFlight } from '../../../../functions/batch/pipeline/domain/flight.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import type { Call, Interference, RemoteDocument } from './folder-platform.ts';
import { folderStage, HOLDER, OTHER, SILENCE_SECONDS } from './folder-stage.ts';

// A worker is killed at each write of a run, before or after it took effect. Another finds its slot when the lease is
// over:
//
//   worker 1  |--read--start-- killed                              worker 2  |--back to the queue--signs--|
//   worker 1  |--read--start--key reached--sign--complete-- killed worker 2  |--asks the platform--Completed--|
//
// Whatever the moment: one job for a document, which ends; never two signatures; no slot stays taken.

const stage = await forFile(folderStage());
afterEach(() => {
  stage.platform.documents.clear();
  stage.platform.interfere = () => undefined;
});

// Both: the platform is called between two writes.
const MOMENTS = ['before', 'after'] as const;

async function expectEnded(document: RemoteDocument): Promise<string> {
  const [job, ...others] = await stage.jobsOf(document);
  if (!job) throw new Error('The document has no job.');
  expect(others).toEqual([]);
  expect((await readFlight()).slots).toEqual([]);
  const { ids } = await jobList({ state: job.state as 'Completed' }).page({ page: 1, pageSize: 200 });
  expect(ids).toContain(job.id);
  expect(document.signatures.length).toBeLessThanOrEqual(1);
  if (job.state === 'Completed') expect(document.signatures).toHaveLength(1);
  return job.errorCode === null ? job.state : job.errorCode;
}

describe.each(MOMENTS)('killed %s a write', (moment) => {
  test('of a sweep: the document has one job, and is signed once', async () => {
    for (let write = 1; ; write++) {
      const document = stage.put(`sweep-${moment}-${write}.pdf`);
      const wasKilled = await killedAt(write, moment, () => stage.sweep());
      // The claim of the killed sweep ends by itself.
      await stage.sweep(() => Date.now() + 60_000);
      await stage.recover();
      expect(await expectEnded(document)).toBe('Completed');
      if (!wasKilled) return expect(write).toBeGreaterThan(2);
    }
  });

  test('of a run: the job ends once, and the document is never signed twice', async () => {
    const ends: string[] = [];
    for (let write = 1; ; write++) {
      const document = stage.put(`run-${moment}-${write}.pdf`);
      await stage.take(document);
      const wasKilled = await killedAt(write, moment, () => stage.run());
      await stage.recover();
      ends.push(await expectEnded(document));
      if (!wasKilled) break;
    }
    // Claim, key reached, Verifying, Completed. Only a worker that is killed between key and answer leaves it open.
    expect(new Set(ends)).toEqual(
      new Set(['Completed', ...(moment === 'after' ? ['signer-folder.interrupted'] : [])]),
    );
    expect(ends.length).toBeGreaterThan(4);
  });

  test('of a recovery: the next one goes on', async () => {
    for (let write = 1; ; write++) {
      const document = stage.put(`recovery-${moment}-${write}.pdf`);
      await strand(document, 'signed');
      const wasKilled = await killedAt(write, moment, () => claimJob(later()));
      await recoverAgain();
      expect(await expectEnded(document)).toBe('Completed');
      if (!wasKilled) return expect(write).toBeGreaterThan(2);
    }
  });
});

const later = (): number => Date.now() + 600_000;

/** The claim of a killed recovery ends by itself. */
async function recoverAgain(): Promise<void> {
  const { slots } = await readFlight();
  await recoverJobs(slots, later() + 60_000);
}

/** Leaves a job whose worker was killed past the key: before the platform had the signature, or after. */
async function strand(document: RemoteDocument, where: 'before' | 'signed'): Promise<string> {
  const { id } = await stage.take(document);
  // The second write of a run says that the key is used next; the third, that the platform took the signature.
  expect(await killedAt(3, 'before', () => stage.run())).toBe(true);
  expect(document.signatures).toHaveLength(1);
  if (where === 'before') {
    document.signatures.length = 0;
    document.status = 'Pending';
    for (const action of document.flowActions) action.status = 'Pending';
  }
  return id;
}

describe('a job whose worker is gone past the key', () => {
  const answered = async (document: RemoteDocument, call: () => Interference): Promise<string> => {
    stage.platform.interfere = (name: Call) => (name === 'read' ? call() : undefined);
    await stage.recover();
    stage.platform.interfere = () => undefined;
    return expectEnded(document);
  };

  test('is completed where the platform has the signature', async () => {
    const document = stage.put('has-it.pdf');
    await strand(document, 'signed');
    expect(await answered(document, () => undefined)).toBe('Completed');
  });

  test('is judged by the certificate that signed, whatever the profile has by now', async () => {
    const document = stage.put('renewed.pdf');
    const id = await strand(document, 'signed');
    for (const action of document.flowActions) action.completedBy = [{ identifier: HOLDER }];
    await stage.bind('folder', stage.folderId, OTHER);
    expect((await stage.job(id)).folderDocument).toMatchObject({ cpf: HOLDER });
    expect(await answered(document, () => undefined)).toBe('Completed');
    await stage.bind('folder', stage.folderId);
  });

  test('is canceled where the document moved on', async () => {
    const document = stage.put('moved.pdf');
    await strand(document, 'before');
    document.status = 'Refused';
    expect(await answered(document, () => undefined)).toBe('Canceled');
  });

  test.each([
    ['still waits', undefined],
    ['does not answer', 'silence'],
    ['answers HTML', { status: 200, body: '<html>' }],
  ] as const)('fails where the document %s, and signs again only by a retry', async (_, interference) => {
    const document = stage.put('open.pdf');
    const id = await strand(document, 'before');
    expect(await answered(document, () => interference)).toBe('signer-folder.interrupted');
    await stage.sweep();
    expect(await stage.jobsOf(document)).toHaveLength(1);
    expect(document.signatures).toEqual([]);
    const retried = await retryJob(id, Date.now());
    await stage.run();
    expect(await stage.job(retried.id)).toMatchObject({ state: 'Completed', parentJobId: id });
    expect(document.signatures).toHaveLength(1);
  });
});

describe('the limits of a recovery', () => {
  /** A clock that moves by a step at each look, or only when a test says so. */
  const clockOf = (stepMs: number) => {
    let ms = later();
    return { now: () => (ms += stepMs), advance: (by: number) => (ms += by) };
  };

  test('a read has 10 s', async () => {
    const document = stage.put('slow.pdf');
    await strand(document, 'before');
    stage.platform.interfere = (call) => (call === 'read' ? 'silence' : undefined);
    // By its own limit a call may take an hour. By the clock of the recovery, half a second of ten is left to it.
    vi.stubEnv('Signer__RequestTimeout', '3600');
    const clock = clockOf(9_500);
    await recoverJobs((await readFlight()).slots, later(), { now: clock.now });
    vi.stubEnv('Signer__RequestTimeout', SILENCE_SECONDS);
    expect(await expectEnded(document)).toBe('signer-folder.interrupted');
  });

  test('all reads have 30 s; the other jobs wait for the next recovery', async () => {
    const documents = [1, 2, 3, 4, 5].map((n) => stage.put(`many-${n}.pdf`));
    const stranded = await strandTogether(documents);
    const clock = clockOf(0);
    let reads = 0;
    stage.platform.interfere = (call) => {
      if (call !== 'read') return undefined;
      reads += 1;
      clock.advance(10_000);
      return { status: 500 };
    };
    await recoverJobs((await readFlight()).slots, later(), { now: clock.now });
    expect(reads).toBe(3);
    const states = async () => {
      const found = await Promise.all(stranded.map((id) => stage.job(id)));
      return found.map(({ state }) => state).toSorted();
    };
    expect(await states()).toEqual(['Failed', 'Failed', 'Failed', 'Processing', 'Processing']);
    await recoverJobs((await readFlight()).slots, later(), { now: clock.now });
    expect(await states()).toEqual(['Failed', 'Failed', 'Failed', 'Failed', 'Failed']);
    expect((await readFlight()).slots).toEqual([]);
  });

  test('other workers claim their jobs while one waits for an answer', async () => {
    const document = stage.put('asked.pdf');
    await strand(document, 'before');
    const { id } = await stage.upload('beside.bin', 'content');
    stage.platform.interfere = (call) => (call === 'read' ? 'silence' : undefined);
    const asking = claimJob(later());
    await expect.poll(() => stage.platform.calls.at(-1)).toBe('read');
    const claimed = await claimJob(later());
    expect(claimed?.job.id).toBe(id);
    await asking;
    if (claimed) await stage.process(claimed);
    expect(await expectEnded(document)).toBe('signer-folder.interrupted');
  });

  /** Jobs of several workers that are killed together past the key. */
  async function strandTogether(documents: readonly RemoteDocument[]): Promise<string[]> {
    await stage.sweep();
    vi.stubEnv('Pipeline__MaxConcurrency', String(documents.length));
    const ids: string[] = [];
    for (const _ of documents) {
      const claimed = await stage.claim();
      if (!claimed) throw new Error('No job waits.');
      await markKeyReached(claimed.job, HOLDER, Date.now());
      ids.push(claimed.job.id);
    }
    return ids;
  }
});

test('a job that strands five workers before the key fails, and signs again by a retry', async () => {
  const document = stage.put('deadly.pdf');
  const { id } = await stage.take(document);
  for (let claims = 1; claims <= 5; claims++) {
    expect(await stage.job(id)).toMatchObject({ state: 'Queued' });
    expect((await stage.claim())?.job.fence).toBe(claims);
    await recoverJobs((await readFlight()).slots, later());
  }
  expect(await stage.job(id)).toMatchObject({ errorMessage: expect.stringMatching(/5 workers in a row/) });
  expect(await expectEnded(document)).toBe('signer-folder.signature-failed');
  const retried = await retryJob(id, Date.now());
  await stage.run();
  expect(await stage.job(retried.id)).toMatchObject({ state: 'Completed' });
});

test('a worker that stalled before the key loses its job, and signs nothing', async () => {
  const document = stage.put('stalled.pdf');
  await stage.take(document);
  const claimed = await stage.claim();
  if (!claimed) throw new Error('No job waits.');
  stage.platform.calls.length = 0;
  stage.platform.interfere = async (call) => {
    if (call === 'start') await recoverJobs((await readFlight()).slots, later());
    return undefined;
  };
  await stage.process(claimed);
  expect(stage.platform.calls).toEqual(['read', 'action-url', 'start']);
  expect(await stage.job(claimed.job.id)).toMatchObject({ state: 'Queued', errorCode: null });
  stage.platform.interfere = () => undefined;
  await stage.run();
  expect(await expectEnded(document)).toBe('Completed');
  expect(document.signatures).toHaveLength(1);
});
