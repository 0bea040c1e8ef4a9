import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { giveBack, withSlot } from '../../../../functions/batch/jobs/domain/engine/slots.ts';
import { jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { retryJob } from '../../../../functions/batch/jobs/domain/retry-job.ts';
import { claimJob } from '../../../../functions/batch/pipeline/domain/claim-job.ts';
import { pausePipeline, resumePipeline } from '../../../../functions/batch/pipeline/domain/pipeline.ts';
import { runPipeline } from '../../../../functions/batch/pipeline/domain/run-pipeline.ts';
import { files } from '../../../../shared/files/files.ts';
import { signInPieces } from '../../../../shared/signing/sign-file.ts';
import { verifySignedFile } from '../../../../shared/signing/verification/verify-signed-file.ts';
import { AlreadyExists } from '../../../../shared/store/refusals.ts';
import { countCalls } from '../../../measure/calls.ts';
import { forFile } from '../../../runner/for-file.ts';
import { OPERATOR } from '../jobs/jobs-in-state.ts';
import { batchStage } from '../stage.ts';

// The real functions, which single tests interrupt.
vi.mock('../../../../shared/signing/sign-file.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../../shared/signing/sign-file.ts')>();
  return { ...original, signInPieces: vi.fn(original.signInPieces) };
});
vi.mock('../../../../shared/signing/verification/verify-signed-file.ts', async (importOriginal) => {
  const original =
    await importOriginal<typeof import('../../../../shared/signing/verification/verify-signed-file.ts')>();
  return { ...original, verifySignedFile: vi.fn(original.verifySignedFile) };
});

const stage = await forFile(batchStage());

const LATER_MS = 600_000;
const keysOf = async (prefix: string) => (await files('batch').list(prefix)).files.map(({ key }) => key);

// A worker stalls past its lease, after it has signed:
//
//   worker 1  |--Verifying, name reserved------------- stalls -------------------------------- output: refused
//   worker 2       lease over |--Failed, name freed--|--retry: Completed, output of this name--|
test('a worker that stalled past its lease never replaces the output of the retry', async () => {
  const { id } = await stage.upload('slow.bin', 'content');
  const stalled = await stage.claim();
  if (!stalled) throw new Error('It is the only job.');
  let retried = '';
  let output: Buffer | undefined;
  vi.mocked(verifySignedFile).mockImplementationOnce(async () => {
    await claimJob(Date.now() + LATER_MS);
    retried = (await retryJob(id, Date.now())).id;
    await stage.run();
    const found = await files('batch').get('output/slow.bin.p7m');
    output = found && (await buffer(found.stream));
    return { ok: true };
  });
  await stage.process(stalled);
  expect(await stage.job(retried)).toMatchObject({ state: 'Completed', outputName: 'slow.bin.p7m' });
  expect(await stage.job(id)).toMatchObject({ state: 'Failed', errorCode: 'job.interrupted' });
  const kept = await files('batch').get('output/slow.bin.p7m');
  expect(kept && (await buffer(kept.stream))).toEqual(output);
  expect(await keysOf('output/')).toEqual(['output/slow.bin.p7m']);
  expect(await keysOf('processing/')).toEqual([]);
});

test('a signed file that does not verify is not released: job.verification-failed', async () => {
  const { signInPieces: sign } = await vi.importActual<
    typeof import('../../../../shared/signing/sign-file.ts')
  >('../../../../shared/signing/sign-file.ts');
  vi.mocked(signInPieces).mockImplementationOnce(async function* (input, options) {
    const bytes = await buffer(sign(input, options));
    const at = bytes.indexOf('content to change');
    bytes[at] = 'C'.charCodeAt(0);
    yield bytes;
  });
  const { id } = await stage.upload('changed.bin', 'content to change');
  await stage.run();
  expect(await stage.job(id)).toMatchObject({ state: 'Failed', errorCode: 'job.verification-failed' });
  expect(await keysOf('output/changed')).toEqual([]);
});

describe('the queue', () => {
  test('with one slot is taken oldest first', async () => {
    const ids = [];
    for (const name of ['first', 'second', 'third']) ids.push((await stage.upload(`${name}.bin`, name)).id);
    const taken = [];
    for (let n = 0; n < ids.length; n++) {
      const claimed = await stage.claim();
      if (!claimed) break;
      taken.push(claimed.job.id);
      await stage.process(claimed);
    }
    expect(taken).toEqual(ids);
  });

  test('is begun with the job that woke the worker, and one that another has by now is passed over', async () => {
    const { id: first } = await stage.upload('waits.bin', 'one');
    const { id: second } = await stage.upload('wakes.bin', 'two');
    const known = [second];
    const woken = await claimJob(Date.now(), known);
    if (!woken) throw new Error('Two jobs wait.');
    expect(woken.job.id).toBe(second);
    await stage.process(woken);
    const next = await claimJob(Date.now(), [second]);
    if (!next) throw new Error('One job waits.');
    expect(next.job.id).toBe(first);
    await stage.process(next);
    expect(await claimJob(Date.now(), [first, second])).toBeUndefined();
  });

  // message   |--the job as it was created--|       |--the same again--|
  // worker 1                                 |--claims it, ends it--|
  // worker 2                                          |--refused: reads it: Completed: its slot is for the next job--|
  test('is begun with a job that came whole without a read, and one that has changed since takes no slot', async () => {
    const { id: first } = await stage.upload('waits-whole.bin', 'one');
    const { id: second } = await stage.upload('wakes-whole.bin', 'two');
    const whole = await jobs.get(second);
    if (!whole) throw new Error('It was uploaded.');
    let woken: Awaited<ReturnType<typeof claimJob>>;
    // No commit folds the counts: that is a call more.
    const { mockRestore } = vi.spyOn(Math, 'random').mockReturnValue(0.9);
    onTestFinished(mockRestore);
    const { byCommand } = await countCalls(async () => {
      woken = await claimJob(Date.now(), [whole]);
    });
    expect(byCommand).toEqual({ Query: 1, TransactWriteItems: 1 });
    if (!woken) throw new Error('Two jobs wait.');
    expect(woken.job.id).toBe(second);
    await stage.process(woken);
    const next = await claimJob(Date.now(), [whole]);
    if (!next) throw new Error('One job waits.');
    expect(next.job.id).toBe(first);
    await stage.process(next);
    expect(await stage.job(second)).toMatchObject({ state: 'Completed' });
  });

  test('is left alone while the pipeline is paused', async () => {
    await pausePipeline(OPERATOR, {}, Date.now());
    const { id } = await stage.upload('paused.bin', 'content');
    expect(await stage.run()).toMatchObject({ taken: 0 });
    expect(await stage.job(id)).toMatchObject({ state: 'Queued' });
    await resumePipeline(OPERATOR, {}, Date.now());
    expect(await stage.run()).toMatchObject({ taken: 1 });
  });
});

describe('a worker that is woken for a job', () => {
  test('takes that one alone where the queue has as many workers as slots, and a tick takes what is left', async () => {
    vi.stubEnv('Pipeline__MaxConcurrency', '2');
    const { id: first } = await stage.upload('first-woken.bin', 'one');
    const { id: second } = await stage.upload('second-woken.bin', 'two');
    expect(await runPipeline(stage.worker, second)).toEqual({ taken: 1, isOutOfTime: false });
    expect(await stage.job(first)).toMatchObject({ state: 'Queued' });
    expect(await runPipeline(stage.worker, second)).toEqual({ taken: 0, isOutOfTime: false });
    expect(await stage.run()).toEqual({ taken: 1, isOutOfTime: false });
    expect(await stage.job(first)).toMatchObject({ state: 'Completed' });
  });

  test('goes on to the others where there is one slot: Lambda has two workers, and one is turned away', async () => {
    vi.stubEnv('Pipeline__MaxConcurrency', '1');
    await stage.upload('turned-away.bin', 'one');
    const { id } = await stage.upload('woken.bin', 'two');
    expect(await runPipeline(stage.worker, id)).toEqual({ taken: 2, isOutOfTime: false });
  });
});

describe('a slot', () => {
  test('that its process gave back is tried first, and the slots are read only where it is taken', async () => {
    vi.stubEnv('Pipeline__MaxConcurrency', '4');
    const tried: number[] = [];
    const take = async (number: number) => {
      tried.push(number);
      if (number === 3) throw new AlreadyExists('Slot 3 is taken.');
      return number;
    };
    giveBack(2);
    const known = await countCalls(() => withSlot('queued', take));
    expect([tried, known.byCommand]).toEqual([[2], {}]);
    giveBack(3);
    const read = await countCalls(() => withSlot('queued', take));
    expect(read.byCommand).toEqual({ Query: 2 });
    expect(tried.slice(1)).toEqual([3, expect.toBeOneOf([0, 1, 2])]);
  });

  test('is none where all are taken, and one beyond Pipeline:MaxConcurrency is not tried', async () => {
    vi.stubEnv('Pipeline__MaxConcurrency', '2');
    giveBack(7);
    const tried: number[] = [];
    const found = await withSlot('queued', async (number) => {
      tried.push(number);
      throw new AlreadyExists('Taken.');
    });
    expect(found).toBeUndefined();
    expect(tried.toSorted()).toEqual([0, 1]);
  });
});
