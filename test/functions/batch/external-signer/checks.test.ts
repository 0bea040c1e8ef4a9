import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makePass } from '../../../../functions/batch/external-signer/domain/pass.ts';
import {
  type Check,
  dropChecks,
  listChecks,
  queueChecks,
  removeChecks,
} from '../../../../functions/batch/external-signer/domain/sweep/checks.ts';
import { runChecks } from '../../../../functions/batch/external-signer/domain/sweep/run-checks.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { PlatformUnreachable } from '../../../../shared/platform/errors.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { killedAt } from '../../../faults/crash.ts';
import { logOf } from '../../../shared/http/log-of.ts';
import { BOUND, notificationStage } from './notification-stage.ts';

const { waiting } = notificationStage();
const OTHER = randomUUID();
const NEVER = Number.POSITIVE_INFINITY;

const counts = collection<{ readonly waiting: number }, 'checks'>({
  service: 'batch',
  name: 'count',
  id: () => 'checks',
  key: () => ({ pk: 'SIGNER', sk: 'CHECKS' }),
});
const counted = async () => (await counts.get('checks'))?.waiting ?? 0;

const check = (folderId = BOUND, atMs = Date.now()): Check => ({ documentId: randomUUID(), folderId, atMs });
const idsOf = (list: readonly Check[]) => list.map(({ documentId }) => documentId).toSorted();

/** Time passes only where a test says so. */
let nowMs = Date.now();
beforeEach(() => {
  nowMs += 60_000;
});
afterEach(() => vi.restoreAllMocks());
const looker = (hasTime: () => boolean = () => true) => ({
  logger: logger('batch'),
  now: () => nowMs,
  hasTime,
});

describe('checks that wait', () => {
  test('are counted once, however many ask for them at once', async () => {
    const list = Array.from({ length: 60 }, () => check());
    await Promise.all([
      queueChecks(list, NEVER),
      queueChecks(list.toReversed(), NEVER),
      ...list.slice(0, 5).map((one) => queueChecks([one], NEVER)),
    ]);
    expect(await waiting()).toEqual(idsOf(list));
    expect(await counted()).toBe(60);
  });

  test('never exceed the limit, however many come at once', async () => {
    vi.stubEnv('Signer__MaxWaitingChecks', '10');
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, () => queueChecks([check(), check()], NEVER)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect([(await waiting()).length, await counted()]).toEqual([10, 10]);
  });

  test('stay when they are asked for again while they are made', async () => {
    const list = [check(), check()];
    await queueChecks(list, NEVER);
    const read = await listChecks();
    await queueChecks(list.slice(0, 1), NEVER);
    await removeChecks(read);
    expect(await waiting()).toEqual(idsOf(list.slice(0, 1)));
    expect(await counted()).toBe(1);
  });

  test('are removed once by two who have made them', async () => {
    await queueChecks([check(), check(), check()], NEVER);
    const read = await listChecks();
    await Promise.all([removeChecks(read), removeChecks(read)]);
    expect([await waiting(), await counted()]).toEqual([[], 0]);
  });

  test('are dropped by a clean sweep that began after them', async () => {
    const [old, young, elsewhere] = [check(BOUND, 1_000), check(BOUND, 3_000), check(OTHER, 1_000)];
    await queueChecks([old, young, elsewhere], NEVER);
    await dropChecks([BOUND.toUpperCase()], 2_000);
    expect(await waiting()).toEqual(idsOf([young, elsewhere]));
    expect(await counted()).toBe(2);
  });

  test.each([0, 7, 100])('a count of %i that is not theirs is corrected', async (wrong) => {
    await queueChecks([check(), check()], NEVER);
    await counts.put({ waiting: wrong });
    await listChecks();
    expect(await counted()).toBe(2);
  });
});

describe('a worker', () => {
  test('reads each document once and then lets it go', async () => {
    const list = Array.from({ length: 70 }, () => check());
    await queueChecks(list, NEVER);
    const read: string[] = [];
    await runChecks(looker(), async (folderId, documentId, atMs) => {
      expect([folderId, atMs]).toEqual([BOUND, nowMs]);
      read.push(documentId);
    });
    expect(read.toSorted()).toEqual(idsOf(list));
    expect([await waiting(), await counted()]).toEqual([[], 0]);
  });

  test('reads a document again that was cited while it was read', async () => {
    const one = check();
    await queueChecks([one], NEVER);
    let reads = 0;
    await runChecks(looker(), async () => {
      reads += 1;
      if (reads === 1) await queueChecks([one], NEVER);
    });
    expect([reads, await waiting()]).toEqual([2, []]);
  });

  test('goes on after a document that it cannot take, and leaves it', async () => {
    const [bad, ...good] = [check(), check(), check()];
    await queueChecks([bad, ...good], NEVER);
    const read: string[] = [];
    const { lines } = await logOf(() =>
      runChecks(looker(), async (_, documentId) => {
        read.push(documentId);
        if (documentId === bad.documentId) throw new Error('no such thing');
      }),
    );
    expect(read.toSorted()).toEqual(idsOf([bad, ...good]));
    expect([await waiting(), await counted()]).toEqual([[bad.documentId], 1]);
    expect(lines).toEqual([expect.objectContaining({ level: 'WARN', documentId: bad.documentId })]);
  });

  test('stops in an outage, and the checks stay', async () => {
    const list = Array.from({ length: 100 }, () => check());
    await queueChecks(list, NEVER);
    let reads = 0;
    await logOf(() =>
      runChecks(looker(), async () => {
        reads += 1;
        throw new PlatformUnreachable('no answer');
      }),
    );
    expect(reads).toBeLessThanOrEqual(8);
    expect([(await waiting()).length, await counted()]).toEqual([100, 100]);
  });

  test('begins nothing when its time is over', async () => {
    await queueChecks([check()], NEVER);
    await runChecks(
      looker(() => false),
      async () => expect.unreachable(),
    );
    expect(await counted()).toBe(1);
  });

  test('leaves the checks to another that makes them, who sees those that came meanwhile', async () => {
    const [first, second] = [check(), check()];
    await queueChecks([first], NEVER);
    const read: string[] = [];
    await runChecks(looker(), async (_, documentId) => {
      read.push(documentId);
      if (documentId !== first.documentId) return;
      await queueChecks([second], NEVER);
      await runChecks(looker(), async () => expect.unreachable());
    });
    expect(read).toEqual([first.documentId, second.documentId]);
  });

  test('makes none while another has claimed them', async () => {
    await queueChecks([check()], NEVER);
    await makePass('checks', { now: () => nowMs }, async ({ last, end }) => {
      await runChecks(looker(), async () => expect.unreachable());
      await end(last);
    });
    await runChecks(looker(), async () => undefined);
    expect(await waiting()).toEqual([]);
  });

  test('does nothing without an external service', async () => {
    await queueChecks([check()], NEVER);
    vi.stubEnv('Signer__ApiKey', '');
    await runChecks(looker(), async () => expect.unreachable());
    expect(await counted()).toBe(1);
  });

  // Writes of a run: the claim, the deletion with its count, the end of the claim.
  test.each(
    [1, 2, 3].flatMap((write) => (['before', 'after'] as const).map((moment) => [moment, write] as const)),
  )(
    'that is killed %s its write %i leaves a check that is made later, and an exact count',
    async (moment, write) => {
      vi.spyOn(Math, 'random').mockReturnValue(0.9);
      await queueChecks([check(), check()], NEVER);
      const reads = new Set<string>();
      const read = async (_: string, documentId: string) => void reads.add(documentId);
      await killedAt(write, moment, () => runChecks(looker(), read));
      expect(await counted()).toBe((await waiting()).length);
      nowMs += 60_000;
      await runChecks(looker(), read);
      expect([reads.size, await waiting(), await counted()]).toEqual([2, [], 0]);
    },
  );
});
