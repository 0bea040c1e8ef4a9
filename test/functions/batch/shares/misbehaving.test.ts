import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Job } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { findUnsettled } from '../../../../functions/batch/jobs/domain/job/tasks.ts';
import { retryJob } from '../../../../functions/batch/jobs/domain/retry-job.ts';
import { removeShare } from '../../../../functions/batch/storage/domain/change-share.ts';
import { ring } from '../../../certificates/rings.ts';
import { forFile } from '../../../runner/for-file.ts';
import type { Fault } from './share-process.ts';
import { shareStage } from './share-stage.ts';

const stage = await forFile(shareStage());
beforeEach(() => stage.server.misbehave());

/** A file in the folder with its queued job. */
async function queued(content = 'a contract, long enough to be cut in two') {
  const name = stage.newName();
  await stage.drop(name, content);
  expect((await stage.scan())[name]).toBe('enqueued');
  const [job] = await stage.jobsOf(name);
  if (!job) throw new Error('The file has a job.');
  return { name, content, job };
}

const ended = ({ id }: Job): Promise<Job> => stage.job(id);

/** The failed job can be retried once the share is well, and its file is signed and deleted then. */
async function expectRecovery(name: string, job: Job): Promise<void> {
  expect(await stage.outputsOf(name)).toEqual([]);
  const retry = await retryJob(job.id, Date.now());
  await stage.run();
  expect(await ended(retry)).toMatchObject({ state: 'Completed', errorCode: null });
  expect(await stage.outputsOf(name)).toHaveLength(1);
  expect(await stage.contentOf(name)).toBeUndefined();
}

const runWith = (does: Fault['does']) =>
  does === 'hang' || does === 'stall' ? stage.impatiently(stage.run) : stage.run();

const ANSWERS_500 = { answer: 500, code: 'InternalError' };
const WHILE_STAGING: readonly (readonly [string, Fault['does'], RegExp])[] = [
  ['answers 500', ANSWERS_500, /The share acme answers 500 \(InternalError\)\. Wait/],
  ['hangs', 'hang', /The share acme is not reachable \((ETIMEDOUT|TimeoutError)\)/],
  ['sends half of the file and hangs', 'stall', /The share acme is not reachable/],
  ['sends half of the file and closes', 'truncate', /The share acme is not reachable \(ECONNRESET\)/],
  ['closes the connection', 'close', /The share acme is not reachable \(ECONNRESET\)/],
  ['has lost its bucket', { answer: 404, code: 'NoSuchBucket' }, /The share acme has no such bucket/],
  ['no longer lets the key in', { answer: 403, code: 'AccessDenied' }, /does not let this key do that/],
];

describe('while a file is staged', () => {
  test.each(WHILE_STAGING)('a share that %s fails the job, and nothing is lost or signed', async (...row) => {
    const [, does, sentence] = row;
    const { name, content, job } = await queued();
    await stage.server.misbehave({ method: 'GET', path: `${name}$`, does });
    await runWith(does);
    const failed = await ended(job);
    expect(failed).toMatchObject({ state: 'Failed', errorCode: 'job.signing-failed', staged: null });
    expect(failed.errorMessage).toMatch(sentence);
    expect(failed.errorMessage).toMatch(/When it is as it should be, retry\.$/);
    const asked = (await stage.server.misbehave()).filter((each) => each === `GET /entrada/entrada/${name}`);
    expect(asked.length).toBeLessThanOrEqual(2);
    expect(await stage.contentOf(name)).toBe(content);
    expect(await stage.scan()).toMatchObject({ [name]: 'known' });
    await expectRecovery(name, failed);
  });

  test('a connection that is closed once is tried again', async () => {
    const { name, job } = await queued();
    await stage.server.misbehave({ method: 'GET', path: `${name}$`, times: 1, does: 'close' });
    await stage.run();
    expect(await ended(job)).toMatchObject({ state: 'Completed', errorCode: null });
  });

  test('a share that is slow is waited for while it sends', async () => {
    const { name, job } = await queued();
    await stage.server.misbehave({ path: name, does: 'slow' });
    await stage.run();
    expect(await ended(job)).toMatchObject({ state: 'Completed', errorCode: null });
    expect(await stage.contentOf(name)).toBeUndefined();
  });

  test('a server that ends fails the job, and the file is signed when it is back', async () => {
    const { name, job } = await queued();
    await stage.server.misbehave({ method: 'GET', path: `${name}$`, does: 'die' });
    await stage.run();
    await stage.server.ended();
    expect(await ended(job)).toMatchObject({ state: 'Failed', errorCode: 'job.signing-failed' });
    await expect(stage.scan()).rejects.toThrow();
    await stage.server.restart();
    await expectRecovery(name, job);
  });
});

describe('while the file of a completed job is deleted', () => {
  test.each([
    ['answers 500', ANSWERS_500],
    ['hangs', 'hang'],
    ['closes the connection', 'close'],
    ['has lost its bucket', { answer: 404, code: 'NoSuchBucket' }],
  ] as const)('a share that %s is asked again later', async (_, does) => {
    const { name, content, job } = await queued();
    await stage.server.misbehave({ method: 'DELETE', path: `${name}$`, does });
    await runWith(does);
    expect(await ended(job)).toMatchObject({ state: 'Completed', errorCode: null });
    expect(await findUnsettled([job.id])).toEqual(new Set([job.id]));
    await stage.server.misbehave();
    expect(await stage.contentOf(name)).toBe(content);
    expect((await stage.scan())[name]).toBe('known');
    await stage.settle(job);
    expect(await stage.contentOf(name)).toBeUndefined();
    expect(await findUnsettled([job.id])).toEqual(new Set());
    expect(await stage.jobsOf(name)).toHaveLength(1);
  });

  test.each(['die', 'die-after'] as const)('a server that ends (%s) loses nothing', async (does) => {
    const { name, job } = await queued();
    await stage.server.misbehave({ method: 'DELETE', path: `${name}$`, does });
    await stage.run();
    await stage.server.ended();
    await stage.settle(job);
    await stage.server.restart();
    await stage.settle(job);
    expect(await stage.contentOf(name)).toBeUndefined();
    expect(await ended(job)).toMatchObject({ state: 'Completed', errorCode: null });
    expect(await findUnsettled([job.id])).toEqual(new Set());
    expect(await stage.outputsOf(name)).toHaveLength(1);
  });

  test('a server that ended after the signature is asked when it is back', async () => {
    const { name, content, job } = await queued();
    const claimed = await stage.claim();
    if (!claimed) throw new Error('A job waits.');
    // The lease of the deletion is the third write: that of the staging was written and removed before.
    await stage.server.misbehave({ method: 'PUT', path: `${name}.lease$`, skip: 1, does: 'die' });
    await stage.process(claimed);
    await stage.server.ended();
    await stage.server.restart();
    expect(await stage.contentOf(name)).toBe(content);
    await stage.settle(job);
    expect(await stage.contentOf(name)).toBeUndefined();
  });
});

describe('a share that cannot be used', () => {
  afterEach(async () => {
    await stage.server.share(stage.share);
  });

  test('because it was removed while jobs waited: they fail, and a retry is refused', async () => {
    const { name, content, job } = await queued();
    await removeShare(stage.share, { force: true });
    await stage.run();
    const failed = await ended(job);
    expect(failed).toMatchObject({ state: 'Failed', errorCode: 'job.input-missing' });
    expect(failed.errorMessage).toContain('There is no share acme. Add it: npm run admin -- shares add acme');
    await expect(retryJob(job.id, Date.now())).rejects.toMatchObject({ code: 'job.input-missing' });
    expect(await stage.contentOf(name)).toBe(content);
    await stage.server.share(stage.share);
    await expectRecovery(name, failed);
  });

  test('because it was removed after the signature: the job is settled, and the file stays', async () => {
    const { name, content, job } = await queued();
    await stage.server.misbehave({ method: 'DELETE', path: `${name}$`, does: ANSWERS_500 });
    await stage.run();
    await removeShare(stage.share, { force: true });
    await stage.settle(job);
    expect(await findUnsettled([job.id])).toEqual(new Set());
    expect(await stage.contentOf(name)).toBe(content);
    await stage.server.misbehave();
    await stage.inbox.remove(name);
  });

  test('because its secret does not open', async () => {
    const { name, job } = await queued();
    const { Sealing__Keys: right } = process.env;
    vi.stubEnv('Sealing__Keys', ring(8));
    stage.forgetClients();
    await expect(stage.scan()).rejects.toThrow('The secret of the share acme does not open');
    await stage.run();
    const failed = await ended(job);
    expect(failed.state).toBe('Failed');
    expect(failed.errorMessage).toContain('which Sealing:Keys does not have. Put the line of that key back');
    vi.stubEnv('Sealing__Keys', right);
    await expectRecovery(name, failed);
  });
});
