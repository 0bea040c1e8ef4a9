import { beforeAll, describe, expect, test } from 'vitest';
import { type Json, openService, type Service } from './support/contract.ts';
import { SANDBOX_KEY } from './support/engine.ts';
import { file, form } from './support/files.ts';
import { sharedEngine } from './support/shared-engine.ts';

const { url } = sharedEngine();

let batch: Service;
let compact: Service;
beforeAll(async () => {
  batch = await openService(url, 'batch', SANDBOX_KEY);
  compact = await openService(url, 'compact', SANDBOX_KEY);
});

// The jobs of compact are those of batch, which has no limit of a minute: it is asked until one ends.
const becomes = (id: string, status: string) =>
  expect.poll(async () => (await batch.call('getJob', { path: { id } })).json.status).toBe(status);

describe('the compact surface', () => {
  test('is healthy and ready', async () => {
    expect((await compact.call('getHealth', { key: null })).json.healthy).toBe(true);
    expect((await compact.call('getReady', { key: null })).json.ready).toBe(true);
    expect((await compact.call('getLiveness', { key: null })).json.status).toBe('ok');
    await compact.call('getOpenapi', { key: null });
  });

  test('signs a file, and shows its job', async () => {
    const body = form({
      file: file('Payments of April', 'outside-april.txt', 'text/plain'),
      externalReference: 'order-4711',
    });
    const { jobId, statusUrl } = (await compact.call('uploadFile', { body, expect: 202 })).json;
    expect(statusUrl).toBe(`${url}/compact/api/jobs/${jobId}`);
    await becomes(jobId, 'Completed');
    const job = (await compact.call('getJob', { path: { jobId } })).json;
    expect(job).toMatchObject({ status: 'Completed', externalReference: 'order-4711' });
    const output = await compact.call('getJobOutput', { path: { jobId } });
    expect(output.bytes[0]).toBe(0x30);
    const query = { externalReferenceContains: 'ORDER-4711', status: 'Completed' };
    const { items } = (await compact.call('listJobs', { query })).json;
    expect(items.map(({ id }: Json) => id)).toContain(jobId);
  });

  test('retries a failed job', async () => {
    const uploaded = await batch.call('uploadFile', {
      query: { profile: 'expired' },
      body: form({ file: file('No key fits', 'outside-compact-expired.txt', 'text/plain') }),
    });
    const { jobId } = uploaded.json;
    await becomes(jobId, 'Failed');
    const retried = await compact.call('retryJob', { path: { jobId }, expect: 202 });
    expect(retried.json.retryOf).toBe(jobId);
    await becomes(retried.json.jobId, 'Failed');
  });

  test('scans folders, cleans up and counts', async () => {
    await compact.call('rescanInput');
    await compact.call('runCleanup');
    const metrics = (await compact.call('getMetrics')).json;
    const counts: number[] = Object.values(metrics.jobsBySource);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(metrics.totalJobs);
  });

  test('was asked for every operation of its contract', () => {
    expect(compact.unplayed()).toEqual([]);
  });
});
