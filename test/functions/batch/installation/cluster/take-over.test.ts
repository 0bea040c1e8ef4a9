import { expect, test } from 'vitest';
import { sendHeartbeat } from '../../../../../functions/batch/installation/cluster/domain/heartbeat.ts';
import { instances } from '../../../../../functions/batch/installation/cluster/domain/instance.ts';
import { recordServiceStopped } from '../../../../../functions/batch/installation/cluster/domain/stop-instance.ts';
import { slots } from '../../../../../functions/batch/jobs/domain/engine/slots.ts';
import { claimJob, recoverJobs } from '../../../../../functions/batch/pipeline/domain/claim-job.ts';
import { readFlight } from '../../../../../functions/batch/pipeline/domain/flight.ts';
import { files } from '../../../../../shared/files/files.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { clusterStage, STALE_MS } from './cluster-stage.ts';

const stage = await forFile(clusterStage());

const LEASE_MS = 120_000;

/** A job that an instance has claimed. */
async function claimedBy(instance: string, fileName: string, nowMs: number) {
  const { id } = await stage.upload(fileName, 'content');
  const claimed = await stage.as(instance, () => claimJob(nowMs));
  if (claimed?.job.id !== id) throw new Error(`${instance} did not claim ${fileName}.`);
  return claimed;
}

/** A look for jobs of an instance that is live then. */
const lookFor = (instance: string, nowMs: number) =>
  stage.as(instance, async () => {
    await sendHeartbeat(nowMs);
    return claimJob(nowMs);
  });

const slotsOf = async (instance: string) =>
  (await readFlight()).slots.filter((slot) => slot.instance === instance);

//   north  |--heartbeat, claim-------------------------- stalls ----------------|--Completed: refused
//   south        |--live: nothing--|  (stale) |--job: Failed, JobTakenOver--|
test('a live instance ends the jobs of a stale one at once, and later writes of the stale one are refused', async () => {
  const nowMs = Date.now();
  const claimed = await claimedBy('north', 'north.bin', nowMs);
  const { id } = claimed.job;
  await lookFor('south', nowMs + STALE_MS - 1);
  expect(await stage.job(id)).toMatchObject({ state: 'Processing', instance: 'north' });
  // Its lease has not ended.
  expect(claimed.slot.leaseEndsAtMs).toBeGreaterThan(nowMs + STALE_MS);
  await lookFor('south', nowMs + STALE_MS);
  const failed = await stage.job(id);
  expect(failed).toMatchObject({ state: 'Failed', errorCode: 'job.interrupted' });
  expect(await slotsOf('north')).toEqual([]);
  const [event, ...more] = await stage.eventsOf('JobTakenOver', 'north.bin');
  expect(event).toMatchObject({ jobId: id, profileName: 'default' });
  expect(event?.message).toMatch(/\bsouth took the job over from north\b/);
  expect(more).toEqual([]);

  await stage.as('north', () => stage.process(claimed));
  expect(await stage.job(id)).toEqual(failed);
  expect((await files('batch').list('output/north')).files).toEqual([]);
});

test('of several live instances that look at once, one takes each job over', async () => {
  const nowMs = Date.now();
  const { job } = await claimedBy('old', 'crowd.bin', nowMs);
  const atMs = nowMs + STALE_MS;
  for (const name of ['south', 'west']) await stage.as(name, () => sendHeartbeat(atMs));
  const flight = await readFlight();
  const found = flight.slots.filter(({ instance }) => instance === 'old');
  expect(found).toHaveLength(1);
  const recovering = ['south', 'west', 'south', 'west'].map((name) =>
    stage.as(name, () => recoverJobs(found, atMs, flight)),
  );
  await Promise.all(recovering);
  expect(await stage.job(job.id)).toMatchObject({ state: 'Failed', errorCode: 'job.interrupted' });
  expect(await stage.eventsOf('JobTakenOver', 'crowd.bin')).toHaveLength(1);
  expect(await stage.eventsOf('JobFailed', 'crowd.bin')).toHaveLength(1);
});

test('nothing is taken from a live instance, even if a lease of its own has ended: it recovers that job itself', async () => {
  const nowMs = Date.now();
  const { job } = await claimedBy('alive', 'lease.bin', nowMs);
  const laterMs = nowMs + LEASE_MS;
  for (let atMs = nowMs; atMs < laterMs; atMs += STALE_MS / 2)
    await stage.as('alive', () => sendHeartbeat(atMs));
  await lookFor('south', laterMs);
  expect(await stage.job(job.id)).toMatchObject({ state: 'Processing' });
  await lookFor('alive', laterMs);
  expect(await stage.job(job.id)).toMatchObject({ state: 'Failed', errorCode: 'job.interrupted' });
  expect(await stage.eventsOf('JobTakenOver', 'lease.bin')).toEqual([]);
});

//   slow   |--claim--- stalls ---|--look: resumes--|--Completed--|
//   south                  |--reads: stale-----------|--job: Failed: refused
test('an instance that resumes between the look and the take-over keeps its jobs', async () => {
  const nowMs = Date.now();
  const claimed = await claimedBy('slow', 'slow.bin', nowMs);
  const flight = await readFlight();
  const atMs = nowMs + STALE_MS;
  await stage.as('slow', () => sendHeartbeat(atMs));
  const found = flight.slots.filter(({ instance }) => instance === 'slow');
  await stage.as('south', () => recoverJobs(found, atMs, flight));
  expect(await stage.job(claimed.job.id)).toMatchObject({ state: 'Processing' });
  await stage.as('slow', () => stage.process(claimed));
  expect(await stage.job(claimed.job.id)).toMatchObject({ state: 'Completed' });
  expect(await stage.eventsOf('JobTakenOver', 'slow.bin')).toEqual([]);
});

test('a job that a stopped instance left is taken over at once', async () => {
  const nowMs = Date.now();
  const { job } = await claimedBy('halted', 'halted.bin', nowMs);
  await stage.as('halted', () => recordServiceStopped(nowMs + 1));
  await lookFor('south', nowMs + 2);
  expect(await stage.job(job.id)).toMatchObject({ state: 'Failed', errorCode: 'job.interrupted' });
  expect(await stage.eventsOf('JobTakenOver', 'halted.bin')).toHaveLength(1);
});

test('a job of an instance without a row is left until its lease ends', async () => {
  const nowMs = Date.now();
  const { job, slot } = await claimedBy('ancient', 'ancient.bin', nowMs);
  const row = await instances.get('ancient');
  if (row) await instances.delete(row);
  await lookFor('south', nowMs + 1);
  expect(await stage.job(job.id)).toMatchObject({ state: 'Processing' });
  await lookFor('south', slot.leaseEndsAtMs);
  expect(await stage.job(job.id)).toMatchObject({ state: 'Failed' });
  expect(await stage.eventsOf('JobTakenOver', 'ancient.bin')).toHaveLength(1);
});

test('the slot of a stale instance whose job has ended is freed without an event', async () => {
  const nowMs = Date.now();
  const { job, slot } = await claimedBy('left', 'left.bin', nowMs);
  await lookFor('south', nowMs + STALE_MS);
  const { version: _, ...again } = slot;
  await slots.create(again);
  await lookFor('south', nowMs + STALE_MS);
  expect(await slotsOf('left')).toEqual([]);
  expect(await stage.eventsOf('JobTakenOver', job.fileName)).toHaveLength(1);
});
