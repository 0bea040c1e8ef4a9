import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as getMetrics } from '../../../../functions/batch/endpoints/get-metrics.ts';
import { gaugesOf } from '../../../../functions/batch/operations/domain/gauges.ts';
import { counting, metricsLedger, observing } from '../../../../functions/batch/operations/domain/metrics.ts';
import { METRICS } from '../../../../functions/batch/operations/domain/metrics-table.ts';
import { handler as pause } from '../../../../functions/batch/pipeline/endpoints/pause-pipeline.ts';
import { handler as resume } from '../../../../functions/batch/pipeline/endpoints/resume-pipeline.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { AlreadyExists } from '../../../../shared/store/refusals.ts';
import { runs } from '../../../faults/fuzz.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { loseNextAnswer, requestsOf } from '../../../shared/store/requests.ts';
import { ownStores } from '../../own-stores.ts';
import { parsePrometheus } from './prometheus.ts';

const headers = { 'X-API-Key': SANDBOX_KEY };
const scrape = async () => {
  const { status, text } = await call(getMetrics, { headers });
  expect(status).toBe(200);
  return parsePrometheus(text);
};
const samplesOf = async (name: string) => (await scrape()).get(name)?.samples ?? [];
const totalOf = async (name: string, labels: Record<string, string> = {}) => {
  const found = (await samplesOf(name)).filter((each) =>
    Object.entries(labels).every(([label, value]) => each.labels[label] === value),
  );
  return found.reduce((sum, { value }) => sum + value, 0);
};

await forFile(ownStores());
beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('GET /api/metrics', () => {
  test('shows every metric of the table with its type and help, and series without labels from 0', async () => {
    const families = await scrape();
    expect([...families.keys()]).toEqual(Object.keys(METRICS));
    for (const [name, { type, help, labels }] of Object.entries(METRICS)) {
      expect(families.get(name)).toMatchObject({ type, help });
      if (Object.keys(labels).length > 0) continue;
      const samples = families.get(name)?.samples ?? [];
      expect(samples.length).toBeGreaterThan(0);
      expect(samples.filter(({ value }) => value !== 0)).toEqual([]);
    }
  });

  test('is in the text format 0.0.4 of Prometheus', async () => {
    const { headers: answered } = await call(getMetrics, { headers });
    expect(answered['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  test('asks for the key, unless Metrics:RequireApiKey is false', async () => {
    expect((await call(getMetrics)).json()).toMatchObject({ status: 401, code: 'auth.invalid-credentials' });
    vi.stubEnv('Metrics__RequireApiKey', 'false');
    expect((await call(getMetrics)).status).toBe(200);
    vi.stubEnv('Auth__ApiKey', '');
    expect((await call(getMetrics)).status).toBe(200);
  });

  test('costs the same after many counts as after a few: a query for each shard, and the gauges', async () => {
    const few = await requestsOf(scrape);
    for (let n = 0; n < 10; n++)
      await Promise.all(
        Array.from({ length: 25 }, () => commit([counting('bulk_log_sink_dropped_total', {}, 400)])),
      );
    await metricsLedger.fold();
    expect(await totalOf('bulk_log_sink_dropped_total')).toBe(100_000);
    expect(await requestsOf(scrape)).toEqual(few);
    // Three shards of the metrics and their node, the pipeline, two partitions of slots, and three shards of the jobs.
    expect(few).toEqual({ Query: 9, BatchGetItem: 1 });
  });
});

describe('a counter', () => {
  test('is exact under concurrent writers, by its labels', async () => {
    const outcomes = ['signed', 'conflict', 'abandoned'] as const;
    const writes = Array.from({ length: 120 }, (_, n) => {
      const outcome = outcomes[n % 3] ?? 'signed';
      return commit([counting('bulk_approver_signatures_total', { outcome, means: 'cloud' }, n)]);
    });
    await Promise.all([...writes, scrape(), metricsLedger.fold()]);
    const samples = await samplesOf('bulk_approver_signatures_total');
    const expected = outcomes.map((outcome, k) => ({
      name: 'bulk_approver_signatures_total',
      labels: { outcome, means: 'cloud' },
      value: Array.from({ length: 40 }, (_, n) => 3 * n + k).reduce((sum, n) => sum + n),
    }));
    const byOutcome = (one: { labels: { outcome?: string } }, other: { labels: { outcome?: string } }) =>
      (one.labels.outcome ?? '') < (other.labels.outcome ?? '') ? -1 : 1;
    expect(samples.toSorted(byOutcome)).toEqual(expected.toSorted(byOutcome));
  });

  test('counts what was committed, once: a refused change counts nothing, a repeated request nothing more', async () => {
    type Thing = { readonly id: string };
    const things = collection<Thing, string>({
      service: 'batch',
      name: 'thing',
      id: ({ id }) => id,
      key: (id) => ({ pk: `THING#${id}`, sk: 'THING' }),
    });
    const thing = { id: randomUUID() };
    const before = await totalOf('bulk_jobs_failed_total');
    loseNextAnswer('TransactWriteItems');
    await things.create(thing, { also: [counting('bulk_jobs_failed_total')] });
    await expect(things.create(thing, { also: [counting('bulk_jobs_failed_total')] })).rejects.toThrow(
      AlreadyExists,
    );
    expect(await totalOf('bulk_jobs_failed_total')).toBe(before + 1);
  });

  test('and all else that a commit counts are one item of its transaction', async () => {
    const sent = await requestsOf(() =>
      commit([
        counting('bulk_jobs_completed_total'),
        counting('bulk_jobs_verify_skipped_total', { profile: 'default' }),
        observing('bulk_signing_duration_seconds', { format: 'Xades' }, 1),
      ]),
    );
    expect(sent.PutItem).toBe(1);
    expect(sent.TransactWriteItems ?? 0).toBeLessThanOrEqual(1);
  });

  test('has labels of any text, which a reader gets back', async () => {
    const written = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
          fc.constantFrom('(upload)', 'a"b', 'a\\b', 'a\nb', 'a\\nb', '}', ',', '="', ' 0.25', '\\', '"'),
        ),
        async (folder) => {
          written.set(folder, (written.get(folder) ?? 0) + 1);
          await commit([counting('bulk_jobs_enqueued_total', { folder })]);
        },
      ),
      { numRuns: runs(60) },
    );
    await metricsLedger.fold();
    const read = (await samplesOf('bulk_jobs_enqueued_total')).map(({ labels, value }) => [
      labels.folder,
      value,
    ]);
    expect(new Map(read as [string, number][])).toEqual(written);
  });

  test('with a label as long as a book is one series of bounded length', async () => {
    await commit([counting('bulk_inputs_diverged_total', { profile: '𝒙'.repeat(100_000) })]);
    const [sample] = await samplesOf('bulk_inputs_diverged_total');
    expect(sample).toMatchObject({ labels: { profile: '𝒙'.repeat(64) }, value: 1 });
  });
});

test('a histogram counts each observation in every bucket whose bound it does not exceed', async () => {
  const observed = [0, 0.05, 0.050001, 0.3, 2, 61, -1];
  const writes = observed.map((seconds) =>
    observing('bulk_signing_duration_seconds', { format: 'Pades' }, seconds),
  );
  await Promise.all(writes.map((write) => commit([write])));
  const pades = (await samplesOf('bulk_signing_duration_seconds')).filter(
    ({ labels }) => labels.format === 'Pades',
  );
  const bucketsOf = pades.flatMap(({ labels, value }) => (labels.le ? [[labels.le, value] as const] : []));
  const real = observed.map((seconds) => Math.max(0, seconds));
  expect(bucketsOf).toEqual(
    [...METRICS.bulk_signing_duration_seconds.buckets, Number.POSITIVE_INFINITY].map((bound) => [
      bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound),
      real.filter((seconds) => seconds <= bound).length,
    ]),
  );
  const of = (suffix: string) => pades.find(({ name }) => name.endsWith(suffix))?.value;
  expect([of('_sum'), of('_count')]).toEqual([63.400001, 7]);
});

test('a pause or resume is counted when it changes something, and shown by the gauge', async () => {
  const act = (action: typeof pause) => call(action, { method: 'POST', headers, address: randomUUID() });
  for (const action of [resume, pause, pause, pause, resume, resume, pause]) await act(action);
  expect(await totalOf('bulk_pipeline_pause_total')).toBe(2);
  expect(await totalOf('bulk_pipeline_resume_total')).toBe(1);
  expect(await totalOf('bulk_pipeline_paused')).toBe(1);
  await act(resume);
  expect(await totalOf('bulk_pipeline_paused')).toBe(0);
});

test('gauges show the pipeline as it is at the scrape', () => {
  const jobs = { isPaused: true, inFlight: 3, awaitingSigner: 0, awaitingApproval: 5 };
  const pipeline = { ...jobs, queued: 8, failed: 9, liveInstances: 2, staleInstances: 1 };
  expect(gaugesOf(pipeline, { lastSizeBytes: 9_000, lastSuccessSeconds: 1_700_000_000 })).toEqual({
    bulk_pipeline_paused: 1,
    bulk_jobs_in_flight: 3,
    bulk_jobs_awaiting_signer: 0,
    bulk_jobs_awaiting_approval: 5,
    bulk_cluster_instances_live: 2,
    bulk_cluster_instances_stale: 1,
    bulk_backup_last_size_bytes: 9_000,
    bulk_backup_last_success_timestamp_seconds: 1_700_000_000,
  });
});
