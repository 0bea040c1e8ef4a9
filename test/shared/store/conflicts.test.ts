import { expect, test } from 'vitest';
import { commit } from '../../../shared/store/commit.ts';
import { TEMPLATE } from '../../stores/own-stores.ts';
import { jobs, newJob } from './jobs.ts';
import { requestsOf } from './requests.ts';

const COMMITS = 6;

// The tables of npm test cancel transactions that meet, as AWS does. Other stores may let them wait.
const minRequests = process.env[TEMPLATE] === undefined ? COMMITS : COMMITS + 1;

test('commits that meet on an item all land, because the canceled ones are sent again', async () => {
  const shared = newJob();
  const both = async () => {
    const own = newJob();
    await commit([jobs.putting(shared), jobs.creating(own)]);
    return own.id;
  };
  let ids: readonly string[] = [];
  const sent = await requestsOf(async () => {
    ids = await Promise.all(Array.from({ length: COMMITS }, both));
  });
  expect(await jobs.getMany(ids)).toHaveLength(COMMITS);
  expect(await jobs.get(shared.id)).toMatchObject(shared);
  expect(sent.TransactWriteItems).toBeGreaterThanOrEqual(minRequests);
});
