import { expect, test, vi } from 'vitest';
import { shareSync } from '../../../shared/embedded/shared-sync.ts';
import { trackSync } from '../../../shared/embedded/synced.ts';

/** A tracker of a database whose disk ends a sync when the test says so. */
function tracked({ version = 1, commits = 0, witnessed = 0 } = {}) {
  const disk = { syncs: [] as PromiseWithResolvers<void>[], witnessed };
  const sync = (): Promise<void> => {
    const one = Promise.withResolvers<void>();
    disk.syncs.push(one);
    return one.promise;
  };
  const tracker = trackSync(
    {
      folder: '/data',
      log: { sync, syncNow: vi.fn(), close: vi.fn() },
      witness: {
        last: () => BigInt(disk.witnessed),
        write: (number) => {
          disk.witnessed = number;
        },
      },
    },
    { dataVersion: () => version, commits: () => commits },
  );
  return { disk, tracker };
}

//   commit 1  |--sync-----------------|--answer--|
//   read           |--sees 1, waits---|--answer--|
test('a read is answered after the commit that it may have seen is on the disk', async () => {
  const { disk, tracker } = tracked({ commits: 1 });
  const order: string[] = [];
  tracker.add(1, () => order.push('commit'));
  const read = tracker.settled().then(() => order.push('read'));
  await Promise.resolve();
  expect(order).toEqual([]);
  disk.syncs[0]?.resolve();
  await read;
  expect(order).toEqual(['commit', 'read']);
  expect(disk.witnessed).toBe(1);
});

test('a commit of another process is synced before it is told, once, and not where that process has done it', async () => {
  const { disk, tracker } = tracked({ commits: 5, witnessed: 4 });
  const told = vi.fn();
  const first = tracker.settled().then(told);
  await Promise.resolve();
  expect(told).not.toHaveBeenCalled();
  disk.syncs[0]?.resolve();
  await first;
  await tracker.settled();
  expect(disk.syncs).toHaveLength(1);

  const done = tracked({ commits: 5, witnessed: 5 });
  await done.tracker.settled();
  expect(done.disk.syncs).toHaveLength(0);
});

// What is written behind a gap in the log is lost with a power cut, though its own sync succeeds.
test('after a sync that failed nothing is answered any more', async () => {
  const { disk, tracker } = tracked({ commits: 1 });
  const settle = vi.fn();
  tracker.add(1, settle);
  const read = tracker.settled();
  disk.syncs[0]?.reject(new Error('EIO: i/o error, fdatasync'));
  const refusal = { name: 'ServiceUnavailable', message: expect.stringContaining('did not keep') };
  await expect(read).rejects.toMatchObject(refusal);
  expect(settle).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(refusal));
  await expect(tracker.settled()).rejects.toMatchObject(refusal);
  expect(tracker.loss()).toMatchObject(refusal);
  expect(disk.witnessed).toBe(0);
});

test('callers who come during a sync share the next one', async () => {
  const syncs: PromiseWithResolvers<void>[] = [];
  const sync = shareSync(() => {
    const one = Promise.withResolvers<void>();
    syncs.push(one);
    return one.promise;
  });
  const [first, second, third] = [sync(), sync(), sync()];
  expect(syncs).toHaveLength(1);
  expect(second).toBe(third);
  // The failure of one is not that of the next.
  syncs[0]?.reject(new Error('no'));
  await expect(first).rejects.toThrow('no');
  await vi.waitUntil(() => syncs.length === 2);
  syncs[1]?.resolve();
  await second;
  void sync();
  expect(syncs).toHaveLength(3);
});
