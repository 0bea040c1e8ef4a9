import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { count, countedSeries, takeCounted } from '../../../shared/metrics/count.ts';
import { emfLines } from '../../../shared/metrics/emf.ts';
import { METRICS } from '../../../shared/metrics/table.ts';
import { consume } from '../../../shared/queue/consume.ts';
import { Poison } from '../../../shared/queue/errors.ts';
import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { call } from '../../requests/http-event.ts';
import { logOf } from '../http/log-of.ts';
import { errors, sample } from '../http/sample.ts';

// As on Lambda. The stores of the tests are those of the local stage, so that nothing here asks them.
beforeEach(() => {
  vi.stubEnv('AWS_LAMBDA_RUNTIME_API', '127.0.0.1:9001');
  vi.stubEnv('STAGE', 'prod');
  takeCounted();
});
afterEach(() => {
  vi.unstubAllEnvs();
  takeCounted();
});

type Directive = {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
};
type Line = Record<string, unknown> & { _aws: { Timestamp: number; CloudWatchMetrics: Directive[] } };

/** What CloudWatch makes of lines, by its specification: sums by metric and dimensions, and how many values there were. */
function extract(lines: readonly Record<string, unknown>[]) {
  const sums: Record<string, number> = {};
  const samples: Record<string, number> = {};
  for (const line of lines.filter((each): each is Line => '_aws' in each))
    for (const { Namespace, Dimensions, Metrics } of line._aws.CloudWatchMetrics) {
      expect([Namespace, Dimensions.length]).toEqual(['Sinete/prod', 1]);
      for (const names of Dimensions)
        for (const { Name, Unit } of Metrics) {
          expect(Unit).toBe(METRICS[Name as keyof typeof METRICS].unit);
          for (const name of names) expect(line[name]).toEqual(expect.any(String));
          const key = [Name, ...names.map((name) => `${name}=${line[name]}`)].join(' ');
          const values = [line[Name]].flat() as number[];
          expect(values.length).toBeLessThanOrEqual(100);
          sums[key] = (sums[key] ?? 0) + values.reduce((sum, value) => sum + value, 0);
          samples[key] = (samples[key] ?? 0) + values.length;
        }
    }
  return { sums, samples };
}

const endpoint = (run: () => Promise<unknown>) =>
  sample({ name: 'hub' }).endpoint(
    {
      route: 'GET /thing',
      summary: 'Thing',
      answers: { 200: z.object({ ok: z.boolean() }) },
      refuses: ['Refused'],
      access: 'public',
    },
    run as never,
  );
const fine = endpoint(async () => ({ ok: true }));
const refusing = endpoint(() => Promise.reject(errors.refuse('Refused')));
const failing = endpoint(() => Promise.reject(new Error('lost')));

const batchOf = (...bodies: object[]): SQSEvent =>
  ({
    Records: bodies.map((body, n) => ({
      messageId: `m${n}`,
      body: JSON.stringify(body),
      attributes: { ApproximateReceiveCount: '1' },
      messageAttributes: {},
    })),
  }) as unknown as SQSEvent;

test('the lines of a scripted run are what happened in it, and one for each run of a function', async () => {
  const uploads = consume(
    { service: 'documents', queue: 'uploads', message: z.object({ n: z.number() }), maxReceives: 3 },
    async () => undefined,
  );
  const sweep = scheduleHandler('pki', 'sweep', async () => undefined);
  const broken = scheduleHandler('pki', 'sweep', () => Promise.reject(new Error('lost')));
  const { lines } = await logOf(async () => {
    for (const handler of [fine, fine, refusing, failing, fine]) await call(handler);
    await uploads(batchOf({ n: 1 }, { n: 2 }, { n: 3 }));
    await sweep();
    await broken().catch(() => undefined);
  });
  const emitted = lines.filter((line) => '_aws' in line);
  expect(emitted).toHaveLength(5 + 1 + 2);
  const { sums, samples } = extract(lines);
  const { 'Latency Service=hub': latency, ...counts } = sums;
  expect(counts).toEqual({
    'Calls Service=hub Outcome=ok': 3,
    'Calls Service=hub Outcome=refused': 1,
    'Calls Service=hub Outcome=failed': 1,
    'Refusals Service=hub Code=Refused': 1,
    'Refusals Service=hub Code=Unexpected': 1,
    'Messages Service=documents Queue=uploads Outcome=done': 3,
    'Runs Service=pki Task=sweep Outcome=done': 1,
    'Runs Service=pki Task=sweep Outcome=failed': 1,
  });
  expect(latency).toBeGreaterThanOrEqual(0);
  expect(samples['Latency Service=hub']).toBe(5);
  expect(countedSeries()).toEqual([]);
  for (const line of emitted) expect(JSON.stringify(line).length).toBeLessThan(700);
});

test('what differs in one dimension goes into lines of its own, and nothing is lost', () => {
  for (const Outcome of ['delivered', 'retried', 'delivered'] as const)
    count('Deliveries', { Service: 'documents', Channel: 'webhook', Outcome });
  count('Messages', { Service: 'documents', Queue: 'unheard-of', Outcome: 'done' });
  count('Conflicts', { Service: 'documents' }, 4);
  const lines = emfLines(takeCounted(), 1_700_000_000_000).map((line) => JSON.parse(line));
  expect(lines).toHaveLength(3);
  expect(extract(lines).sums).toEqual({
    'Deliveries Service=documents Channel=webhook Outcome=delivered': 2,
    'Deliveries Service=documents Channel=webhook Outcome=retried': 1,
    'Messages Service=documents Queue=other Outcome=done': 1,
    'Conflicts Service=documents': 4,
  });
});

test('the batch service, which has counters of its own, counts neither calls nor messages here', async () => {
  const jobs = consume(
    { service: 'batch', queue: 'jobs', message: z.object({}), maxReceives: 3 },
    async () => undefined,
  );
  const calls = sample({ name: 'batch' }).endpoint(
    { route: 'GET /thing', summary: 'Thing', answers: { 200: z.object({}) }, access: 'public' },
    async () => ({}),
  );
  const { lines } = await logOf(async () => {
    await jobs(batchOf({}));
    await call(calls);
  });
  expect(lines.filter((line) => '_aws' in line)).toEqual([]);
});

test('a message that is given up is dead, one that fails is retried', async () => {
  vi.stubEnv('STAGE', 'local');
  const settle = consume(
    { service: 'documents', queue: 'tasks', message: z.object({ poison: z.boolean() }), maxReceives: 3 },
    async ({ poison }) => {
      throw poison ? new Poison('No such thing.') : new Error('not yet');
    },
  );
  await logOf(() => settle(batchOf({ poison: true }, { poison: false })));
  expect(countedSeries().map(({ dimensions, value }) => [dimensions.Outcome, value])).toEqual(
    expect.arrayContaining([
      ['dead', 1],
      ['retried', 1],
    ]),
  );
});

test('outside a deployment nothing is written', async () => {
  vi.stubEnv('STAGE', 'local');
  const { lines } = await logOf(() => call(fine));
  expect(lines.filter((line) => '_aws' in line)).toEqual([]);
});
