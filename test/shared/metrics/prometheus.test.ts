import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runStopWork } from '../../../shared/async/on-stop.ts';
import {
  count,
  countedSeries,
  observeLatency,
  raiseGauge,
  setGauge,
  takeCounted,
} from '../../../shared/metrics/count.ts';
import { METRICS_FOLDER, readProcesses, shareMetrics } from '../../../shared/metrics/processes.ts';
import { renderSeries } from '../../../shared/metrics/prometheus.ts';
import { METRICS } from '../../../shared/metrics/table.ts';
import { parsePrometheus } from '../../functions/batch/operations/prometheus.ts';

beforeEach(() => void takeCounted());
afterEach(() => {
  vi.unstubAllEnvs();
  takeCounted();
});

const WEBHOOK = { Service: 'documents', Channel: 'webhook' } as const;

function countSome(): void {
  count('Deliveries', { ...WEBHOOK, Outcome: 'delivered' }, 2);
  count('Deliveries', { ...WEBHOOK, Outcome: 'exhausted' });
  for (const ms of [3, 10, 40, 999, 60_000]) observeLatency({ Service: 'session' }, ms);
}

test('the text has every metric with its type and help, and the sums of all processes', () => {
  countSome();
  setGauge('DueBacklog', { Service: 'pki' }, 7);
  const first = countedSeries().map((series) => structuredClone(series));
  vi.useFakeTimers({ now: Date.now() + 60_000 });
  setGauge('DueBacklog', { Service: 'pki' }, 3);
  vi.useRealTimers();
  const families = parsePrometheus(renderSeries([countedSeries(), first, []]));
  for (const { series, help, kind } of Object.values(METRICS))
    expect(families.get(series)).toMatchObject({
      help,
      type: kind === 'distribution' ? 'histogram' : kind,
    });
  expect(families.get('sinete_deliveries_total')?.samples).toEqual([
    {
      name: 'sinete_deliveries_total',
      labels: { service: 'documents', channel: 'webhook', outcome: 'delivered' },
      value: 4,
    },
    {
      name: 'sinete_deliveries_total',
      labels: { service: 'documents', channel: 'webhook', outcome: 'exhausted' },
      value: 2,
    },
  ]);
  // The newest measurement of a gauge counts, whichever process made it.
  expect(families.get('sinete_due_backlog')?.samples).toMatchObject([{ value: 3 }]);
});

test('what each process measures of itself is the sum or the largest of those that live', () => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  const measured = (delay: number, waiting: number) => {
    setGauge('HostLoopDelay', { Service: 'host' }, delay);
    setGauge('HostWaitingCalls', { Service: 'host' }, waiting);
    return countedSeries().map((series) => structuredClone(series));
  };
  const ended = measured(9, 90);
  vi.advanceTimersByTime(60_000);
  const families = parsePrometheus(renderSeries([ended, measured(0.2, 3), measured(0.1, 4)]));
  const shown = (name: string) => families.get(name)?.samples.map(({ value }) => value);
  expect(shown('sinete_host_event_loop_delay_seconds')).toEqual([0.2]);
  expect(shown('sinete_host_waiting_calls')).toEqual([7]);
  vi.useRealTimers();
});

test('of the sweeps of one minute the largest value counts, and that of the next minute follows', () => {
  const shown = () => countedSeries().find(({ name }) => name === 'DueOldest')?.value;
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  const sweep = (value: number) => raiseGauge('DueOldest', { Service: 'documents' }, value);
  for (const value of [0, 40, 7]) sweep(value);
  expect(shown()).toBe(40);
  vi.advanceTimersByTime(60_000);
  sweep(0);
  expect(shown()).toBe(0);
  sweep(3);
  expect(shown()).toBe(3);
  vi.useRealTimers();
});

test('a latency is in every bucket from its own on, with its sum in seconds', () => {
  countSome();
  const { samples = [] } =
    parsePrometheus(renderSeries([countedSeries()])).get('sinete_latency_seconds') ?? {};
  const buckets = samples.flatMap(({ labels: { le }, value }) => (le ? [[le, value]] : []));
  expect(buckets).toEqual([
    ...[
      ['0.01', 2],
      ['0.025', 2],
      ['0.05', 3],
      ['0.1', 3],
      ['0.25', 3],
      ['0.5', 3],
      ['1', 4],
      ['2.5', 4],
    ],
    ...[
      ['5', 4],
      ['10', 4],
      ['30', 4],
      ['+Inf', 5],
    ],
  ]);
  expect(samples.slice(-2)).toMatchObject([
    { name: 'sinete_latency_seconds_sum', value: 61.052 },
    { name: 'sinete_latency_seconds_count', value: 5 },
  ]);
});

test('the counts of a process that has ended stay, and those of one that lives are as of now', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-metrics-'));
  vi.stubEnv(METRICS_FOLDER, folder);
  shareMetrics();
  countSome();
  await runStopWork();
  // As another process left it, and as it is while it is being written.
  writeFileSync(join(folder, '1-1.json'), JSON.stringify(countedSeries()));
  writeFileSync(join(folder, '2-1.new'), '[{"na');
  count('Deliveries', { ...WEBHOOK, Outcome: 'delivered' });
  const processes = readProcesses();
  expect(processes).toHaveLength(2);
  const { samples = [] } = parsePrometheus(renderSeries(processes)).get('sinete_deliveries_total') ?? {};
  expect(samples.map(({ value }) => value)).toEqual([5, 2]);
  rmSync(folder, { recursive: true });
});
