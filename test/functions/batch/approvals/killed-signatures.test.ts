import { afterEach, expect, test, vi } from 'vitest';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { everyItem } from '../../../stores/whole-table.ts';
import { ANA, CARLA } from './approval-stage.ts';
import { atEveryWrite, killedStage } from './killed-stage.ts';

// The service is killed at each of its writes in turn while somebody signs, and the page or the person goes on:
//
//   ana   |--prepares-- killed                               ana    |--prepares again, signs--|
//   ana   |--prepares--|--decision, signature-- killed       page   |--sends it again: not pending--|

const stage = await forFile(killedStage());
afterEach(() => {
  vi.useRealTimers();
});

const ATTEMPT_MS = 15 * 60_000;
/** How many attempts have no end yet. */
const openAttempts = async (): Promise<number> => {
  const items = await everyItem('batch');
  return items.filter(
    ({ pk, outcome }) => pk?.S?.startsWith('SIGNATURE-ATTEMPT#') && outcome?.S === undefined,
  ).length;
};

test.each([
  ['begins again', 1],
  ['sends its signature again', 2],
] as const)(
  'killed at a write of a signed approval, whose page %s: it is recorded once, with its signature',
  async (_, quorum) => {
    // Calls of a session are counted in the store once in six of a minute: all runs are to be of one minute.
    stage.stopClock(Date.now());
    const profile = `assinada-${quorum}`;
    const approval = { ...stage.approval, quorum, signerSet: 'ProfileAndApprovers' };
    await stage.profile({ name: profile, format: 'Cades', checkCnab240: true, approval });
    const counts = async () => [
      await stage.counted(`bulk_approvals_recorded_total{profile="${profile}"}`),
      await stage.attempts('signed'),
      await stage.counted(`bulk_jobs_released_by_approval_total{profile="${profile}"}`),
    ];
    const isReleased = quorum === 1;
    const ends = new Set<unknown>();
    const signAt = (moment: 'before' | 'after') => async (write: number) => {
      const { id } = await stage.waiting(profile);
      const before = await counts();
      const sign = isReleased ? () => stage.sign(ANA, id) : await preparedBy(id);
      const isKilled = await killedAt(write, moment, sign);
      // The page got no answer.
      const again = await sign();
      ends.add(again.outcome ?? again.code);
      const added = (await counts()).map((count, at) => count - (before[at] ?? 0));
      expect([write, ...added]).toEqual([write, 1, 1, isReleased ? 1 : 0]);
      expect((await stage.job(id)).approval?.decisions).toMatchObject([{ approver: ANA, isSigned: true }]);
      expect([await stage.isListed(id, 'pending'), await stage.isListed(id, 'decided')]).toEqual([
        false,
        true,
      ]);
      expect(await stage.isListed(id, 'pending', CARLA)).toBe(!isReleased);
      await stage.run();
      const state = isReleased ? 'Completed' : 'AwaitingApproval';
      expect(await stage.job(id)).toMatchObject({ state, errorCode: null });
      return isKilled;
    };
    const writes = await atEveryWrite(signAt('before'));
    // The attempt, its bytes, the decision, and the message to the worker; or the decision alone.
    expect([writes, await atEveryWrite(signAt('after'))]).toEqual(isReleased ? [4, 4] : [1, 1]);
    expect(ends).toEqual(new Set(['signed', 'approval.not-pending']));
  },
);

/** Ana's page has the bytes, and signs them. Answers how it sends the signature. */
async function preparedBy(id: string) {
  const { body } = await stage.prepareWith(ANA, id);
  const signature = await stage.signatureOf(ANA, body);
  return async () => (await stage.complete(ANA, body.attemptId, signature)).body;
}

// Ana      |--attempt a-- killed    |--attempt b, signs--|          outbox  |--a: its time is over, abandoned--|
test('attempts of pages that were killed are counted as abandoned, once', async () => {
  const approval = { ...stage.approval, signerSet: 'ProfileAndApprovers' };
  await stage.profile({ name: 'abandonada', format: 'Cades', checkCnab240: true, approval });
  const { id } = await stage.waiting('abandonada');
  stage.stopClock(Date.now() + ATTEMPT_MS);
  await stage.recover();
  const before = [await stage.attempts('abandoned'), await openAttempts()] as const;
  expect(before[1]).toBe(0);
  await atEveryWrite((write) => killedAt(write, 'after', () => stage.prepareWith(ANA, id)));
  const opened = await openAttempts();
  expect(opened).toBeGreaterThan(1);
  stage.stopClock(Date.now() + ATTEMPT_MS);
  await stage.recover();
  await stage.recover();
  expect([await stage.attempts('abandoned'), await openAttempts()]).toEqual([before[0] + opened, 0]);
});
