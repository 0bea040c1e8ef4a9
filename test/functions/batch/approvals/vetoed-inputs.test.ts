import { buffer } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { handler as takeArrivals } from '../../../../functions/batch/folders/workers/take-arrivals.ts';
import { settleFilesOf } from '../../../../functions/batch/jobs/domain/engine/settle-files.ts';
import { type Job, jobs, stagedKey } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { jobList } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { findUnsettled } from '../../../../functions/batch/jobs/domain/job/tasks.ts';
import { type Files, files } from '../../../../shared/files/files.ts';
import { dropAllCached } from '../../../../shared/store/cached.ts';
import { forFile } from '../../../runner/for-file.ts';
import { arrivalOf } from '../folders/arrival-stage.ts';
import { startShareServer } from '../shares/share-server.ts';
import { ANA, approvalStage, paid } from './approval-stage.ts';

afterEach(() => {
  vi.useRealTimers();
});

const HOUR_MS = 3_600_000;
const inbox = (name: string) => `input/inbox/${name}`;
const bucket = () => files('batch');
const put = (key: string, content: string, store: Files = bucket()) =>
  store.put(key, Buffer.from(content, 'latin1'), { contentType: 'application/octet-stream' });
const textOf = async (key: string, store: Files = bucket()) => {
  const found = await store.get(key);
  return found && (await buffer(found.stream)).toString('latin1');
};
const jobsOf = async (fileName: string): Promise<Job[]> => {
  const { ids } = await jobList().slice({ offset: 0, limit: 200 });
  const found = (await jobs.getMany(ids)).filter((job) => job.fileName === fileName);
  return found.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
};
const isSettled = async (id: string) => (await findUnsettled([id])).size === 0;
const veto = (id: string) => stage.decide(id, { email: ANA.email, decision: 'rejected' });

/** A file of the watched folder that waits for approval. */
async function dropped(name: string) {
  const content = paid();
  await put(inbox(name), content);
  await takeArrivals(arrivalOf(inbox(name)));
  await stage.run();
  const [job] = await jobsOf(name);
  if (job?.state !== 'AwaitingApproval') throw new Error(`${name} does not wait: ${job?.errorMessage}`);
  return { job, content };
}

const stage = await forFile(approvalStage());
const server = await forFile(startShareServer());
await server.share('acme');
vi.stubEnv('Storage__Inputs', 'inbox=input/inbox');
await stage.profile({ name: 'aprovacao', inputFolder: 'inbox' });

describe('the file of a watched folder that is rejected', () => {
  test('is removed from there', async () => {
    const { job, content } = await dropped('watched.rem');
    await veto(job.id);
    expect(await textOf('output/watched.reject.rem')).toBe(content);
    expect([await textOf(inbox('watched.rem')), await textOf(stagedKey(job))]).toEqual([
      undefined,
      undefined,
    ]);
    expect((await bucket().list(inbox('watched'))).files).toEqual([]);
    // A late notification of the deleted file starts no job.
    await takeArrivals(arrivalOf(inbox('watched.rem')));
    expect(await jobsOf('watched.rem')).toHaveLength(1);
  });

  test('stays where the name is taken, and its watcher does not take it again', async () => {
    const { job, content } = await dropped('known.rem');
    await put('output/known.reject.rem', 'of the partner');
    await veto(job.id);
    expect(await textOf(inbox('known.rem'))).toBe(content);
    expect(await textOf(`error/${job.id}/known.rem`)).toBe(content);
    await takeArrivals(arrivalOf(inbox('known.rem')));
    expect(await jobsOf('known.rem')).toHaveLength(1);
  });

  //   job 1    |--parked--------------- veto: not the file that was rejected, left --|
  //   partner             |--rewrites--|                                              watcher |--job 2--|
  test('is left where it was rewritten meanwhile, and is a new candidate of its watcher', async () => {
    const { job, content } = await dropped('corrected.rem');
    const corrected = paid();
    await put(inbox('corrected.rem'), corrected);
    await veto(job.id);
    expect(await textOf('output/corrected.reject.rem')).toBe(content);
    expect(await textOf(inbox('corrected.rem'))).toBe(corrected);
    expect(await stage.job(job.id)).toMatchObject({
      state: 'Canceled',
      isRejected: true,
      errorCode: 'job.input-diverged',
    });
    await takeArrivals(arrivalOf(inbox('corrected.rem')));
    await stage.run();
    const [, second] = await jobsOf('corrected.rem');
    expect(second).toMatchObject({ state: 'AwaitingApproval', approval: { decisions: [] } });
    expect(second?.approval?.contentSha256).not.toBe(job.approval?.contentSha256);
  });

  test('that another process holds is removed when its lease is over', async () => {
    const { job, content } = await dropped('held.rem');
    const untilMs = Date.now() + HOUR_MS / 2;
    const lease = JSON.stringify({ holder: 'scanner 7', until: new Date(untilMs).toISOString() });
    await put(`${inbox('held.rem')}.lease`, lease);
    expect((await veto(job.id)).json()).toMatchObject({ terminated: true });
    expect(await textOf('output/held.reject.rem')).toBe(content);
    expect([await textOf(inbox('held.rem')), await isSettled(job.id)]).toEqual([content, false]);
    expect(await settleFilesOf(job.id, untilMs - 60_000)).toBe('held');
    vi.useFakeTimers({ toFake: ['Date'], now: untilMs + 1_000 });
    expect(await settleFilesOf(job.id, Date.now())).toBe('settled');
    expect([await textOf(inbox('held.rem')), await isSettled(job.id)]).toEqual([undefined, true]);
    expect(await textOf('output/held.reject.rem')).toBe(content);
  });
});

describe('on a remote work share', () => {
  const work = () => server.at('trabalho');
  beforeAll(async () => {
    await stage.run();
    vi.stubEnv('Storage__Work', 'share:acme/trabalho');
    dropAllCached();
  });

  test('a rejected file goes back to output/ of the share, and the original is removed', async () => {
    const { job, content } = await dropped('remote.rem');
    expect(await textOf(stagedKey(job), work())).toBe(content);
    await veto(job.id);
    expect(await textOf('output/remote.reject.rem', work())).toBe(content);
    expect([await textOf(stagedKey(job), work()), await textOf(inbox('remote.rem'))]).toEqual([
      undefined,
      undefined,
    ]);
    expect((await bucket().list('output/remote')).files).toEqual([]);
    expect(await isSettled(job.id)).toBe(true);
  });

  test('a file of that name that belongs to no job is not replaced', async () => {
    const { job, content } = await dropped('remote-taken.rem');
    await put('output/remote-taken.reject.rem', 'of the partner', work());
    await veto(job.id);
    expect(await textOf('output/remote-taken.reject.rem', work())).toBe('of the partner');
    expect(await textOf(`error/${job.id}/remote-taken.rem`, work())).toBe(content);
    expect(await textOf(inbox('remote-taken.rem'))).toBe(content);
    const { outputName, history } = await stage.job(job.id);
    expect([outputName, history.at(-1)?.message]).toEqual([
      null,
      expect.stringMatching(/^The file is not in output\//),
    ]);
  });

  test('the veto stands while the share fails, and the file goes back when it answers', async () => {
    const { job, content } = await dropped('remote-away.rem');
    await server.misbehave({ does: { answer: 500, code: 'InternalError' } });
    expect((await veto(job.id)).json()).toMatchObject({ terminated: true });
    expect(await settleFilesOf(job.id, Date.now())).toBe('held');
    expect(await textOf(inbox('remote-away.rem'))).toBe(content);
    await server.misbehave();
    expect(await settleFilesOf(job.id, Date.now())).toBe('settled');
    expect(await textOf('output/remote-away.reject.rem', work())).toBe(content);
    expect([await textOf(inbox('remote-away.rem')), await isSettled(job.id)]).toEqual([undefined, true]);
  });
});
