import { expect, test } from 'vitest';
import { forFile } from '../../../runner/for-file.ts';
import { ownStrictStores } from '../../own-stores.ts';
import { approvalStage, paid, personOf } from './approval-stage.ts';

// On AWS transactions that meet on an item are canceled, and not refused by their conditions:
//
//   ana    |--reads version 1----- 1 of 30 --|
//   bruno    |--reads version 1------ canceled: TransactionConflict, again and again ------ reads version 2 -- 2 of 30 --|

const stage = await forFile(approvalStage(async () => (await ownStrictStores()).stop));

test('of fifty decisions at once on a store that cancels transactions that meet, none is lost or doubled', async () => {
  const approvers = Array.from({ length: 50 }, (_, number) => personOf(number));
  await stage.profile({ name: 'crowd', checkCnab240: true, approval: { quorum: 30, approvers } });
  const { id } = await stage.upload('crowd.rem', paid(), { profile: 'crowd' });
  await stage.run();
  const answers = await Promise.all(approvers.map(({ email }) => stage.decide(id, { email })));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(30);
  expect(statuses.filter((status) => status === 409)).toHaveLength(20);
  expect(answers.filter((answer) => (answer.json() as { released?: boolean }).released)).toHaveLength(1);
  expect((await stage.job(id)).approval?.decisions).toHaveLength(30);
  expect(await stage.counted('bulk_approvals_recorded_total{profile="crowd"}')).toBe(30);
  expect(await stage.counted('bulk_jobs_released_by_approval_total{profile="crowd"}')).toBe(1);
});
