import { beforeEach, describe, expect, test } from 'vitest';
import { forFile } from '../../../runner/for-file.ts';
import { shareStage } from './share-stage.ts';

const stage = await forFile(shareStage());
beforeEach(() => stage.server.misbehave());

describe('a folder on a share', () => {
  test('a file that the watcher finds is signed into output/ and deleted there', async () => {
    const name = stage.newName();
    await stage.drop(name, 'a contract');
    await stage.drop(`${name}.tmp`, 'half of a');
    await stage.watch();
    await stage.run();
    expect(await stage.jobsOf(name)).toMatchObject([{ state: 'Completed', errorCode: null }]);
    expect(await stage.outputsOf(name)).toHaveLength(1);
    expect((await stage.inbox.list('')).files.map(({ key }) => key)).toEqual([`${name}.tmp`]);
    await stage.inbox.remove(`${name}.tmp`);
  });

  test('a file of it is known while it has a job, and its job says where it was', async () => {
    const name = stage.newName();
    await stage.drop(name, 'a contract');
    expect(await stage.scan()).toMatchObject({ [name]: 'enqueued' });
    expect(await stage.scan()).toMatchObject({ [name]: 'active' });
    await stage.run();
    const [job, ...others] = await stage.jobsOf(name);
    expect(others).toEqual([]);
    expect(job).toMatchObject({
      state: 'Completed',
      errorCode: null,
      inputShare: 'acme',
      originalPath: `share:acme/entrada/${name}`,
      staged: { length: 10, etag: expect.stringMatching(/^"[0-9a-f]{32}"$/) },
    });
    expect(await stage.outputsOf(name)).toHaveLength(1);
    expect((await stage.inbox.list('')).files).toEqual([]);
  });

  test('a file with the same bytes and another entity tag than when it was staged stays', async () => {
    const name = stage.newName();
    await stage.drop(name, 'first content');
    await stage.scan();
    const claimed = await stage.claim();
    if (!claimed) throw new Error('A job waits.');
    // Of the reads of the file the first stages it. The second compares it.
    await stage.server.misbehave({ method: 'GET', path: `${name}$`, skip: 1, times: 1, does: 'other-tag' });
    await stage.process(claimed);
    expect(await stage.job(claimed.job.id)).toMatchObject({
      state: 'Completed',
      errorCode: 'job.input-diverged',
    });
    expect(await stage.contentOf(name)).toBe('first content');
  });

  test('a file that is rewritten while it is signed stays, and its job is completed', async () => {
    const name = stage.newName();
    await stage.drop(name, 'before');
    await stage.scan();
    const claimed = await stage.claim();
    if (!claimed) throw new Error('A job waits.');
    // The server ends at the deletion's read of the file, so the rewriting comes in between.
    await stage.server.misbehave({ method: 'GET', path: `${name}$`, skip: 1, does: 'close' });
    await stage.process(claimed);
    await stage.server.misbehave();
    await stage.drop(name, 'after!');
    const job = await stage.job(claimed.job.id);
    await stage.settle(job);
    expect(await stage.job(job.id)).toMatchObject({ state: 'Completed', errorCode: 'job.input-diverged' });
    expect(await stage.contentOf(name)).toBe('after!');
  });
});

describe('a share with false entity tags', () => {
  test('another tag at every look: the watcher waits for a file that is never stable, and takes none', async () => {
    const name = stage.newName();
    await stage.drop(name, 'a contract');
    await stage.server.misbehave({ does: 'other-tag' });
    await stage.watch();
    expect(await stage.jobsOf(name)).toEqual([]);
    await stage.server.misbehave();
    expect(await stage.contentOf(name)).toBe('a contract');
    await stage.inbox.remove(name);
  });

  test('another tag at every look after that: the file is signed once and never deleted', async () => {
    const name = stage.newName();
    await stage.drop(name, 'a contract');
    await stage.server.misbehave({ does: 'other-tag' });
    for (let n = 0; n < 3; n++) {
      await stage.scan();
      await stage.run();
    }
    const [signed, ...refused] = await stage.jobsOf(name);
    expect(signed).toMatchObject({ state: 'Completed', errorCode: 'job.input-diverged' });
    expect(refused.map(({ state, errorCode }) => [state, errorCode])).toEqual(
      refused.map(() => ['Failed', 'file.already-processed']),
    );
    expect(refused).not.toEqual([]);
    expect(await stage.outputsOf(name)).toHaveLength(1);
    await stage.server.misbehave();
    expect(await stage.contentOf(name)).toBe('a contract');
  });

  test('one tag for every content: a file rewritten to the same length is told by its hash, and stays', async () => {
    const name = stage.newName();
    await stage.drop(name, 'before');
    await stage.server.misbehave({ does: 'one-tag' });
    await stage.scan();
    const claimed = await stage.claim();
    if (!claimed) throw new Error('A job waits.');
    await stage.server.misbehave(
      { method: 'GET', path: `${name}$`, skip: 1, does: 'close' },
      { does: 'one-tag' },
    );
    await stage.process(claimed);
    await stage.drop(name, 'after!');
    await stage.server.misbehave({ does: 'one-tag' });
    await stage.settle(claimed.job);
    expect(await stage.job(claimed.job.id)).toMatchObject({
      state: 'Completed',
      errorCode: 'job.input-diverged',
    });
    expect(await stage.contentOf(name)).toBe('after!');
  });
});
