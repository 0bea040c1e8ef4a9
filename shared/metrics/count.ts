import { freezesAfterRun } from '../async/freezes-after-run.ts';
import { processWide } from '../async/process-wide.ts';
import { isLocal } from '../settings/names.ts';
import {
  type CounterName,
  type DimensionsOf,
  type GaugeName,
  LATENCY_SECONDS,
  METRICS,
  type MetricName,
  OTHER,
} from './table.ts';

/** What was counted of one metric with one set of dimension values. */
export type Series = {
  readonly name: MetricName;
  readonly dimensions: Readonly<Record<string, string>>;
  /** The sum of a counter or of a distribution, the last value of a gauge. */
  value: number;
  /** When a gauge was measured. */
  atMs?: number;
  /** Of a distribution: how many lie in each bucket, the last one without a bound. */
  readonly buckets?: number[];
  /** Of a distribution that goes to CloudWatch. */
  readonly values?: number[];
};

type Dimensions = Readonly<Record<string, string>>;

// Of one run on AWS, until its line is written; elsewhere of the process, as long as it lives.
const counted = processWide('metrics', () => new Map<string, Series>());
const declared = processWide('metric-values', () => new Map<string, Set<string>>());
const listeners = processWide('metric-listeners', () => new Set<() => void>());

/**
 * Declares values of a dimension whose names are in the code. Others are counted as `other`.
 * @example declareValues('Queue', ['uploads']);
 */
export function declareValues(dimension: 'Code' | 'Queue' | 'Task', values: readonly string[]): void {
  const known = declared.get(dimension) ?? new Set();
  for (const value of values) known.add(value);
  declared.set(dimension, known);
}

type ValueSets = Readonly<Record<string, readonly string[] | 'declared'>>;

/** Every value that a dimension of a metric can have. */
export function valuesOf(name: MetricName, dimension: string): readonly string[] {
  const set = (METRICS[name].dimensions as ValueSets)[dimension] ?? [];
  return set === 'declared' ? [...(declared.get(dimension) ?? []), OTHER] : set;
}

function isKnown(name: MetricName, dimension: string, value: string): boolean {
  const set = (METRICS[name].dimensions as ValueSets)[dimension] ?? [];
  return set === 'declared' ? declared.get(dimension)?.has(value) === true : set.includes(value);
}

/** Whether metrics go to CloudWatch: on AWS, in a deployed stage. */
export const isEmitting = (): boolean => freezesAfterRun() && !isLocal();

/** Has it called after each count. */
export const onCounted = (listener: () => void): void => void listeners.add(listener);

/** All that was counted. */
export const countedSeries = (): readonly Series[] => [...counted.values()];

/** The same, to begin anew. */
export function takeCounted(): readonly Series[] {
  const taken = countedSeries();
  counted.clear();
  return taken;
}

function change(name: MetricName, given: Dimensions, apply: (series: Series) => void): void {
  const dimensions = Object.fromEntries(
    Object.keys(METRICS[name].dimensions).map((dimension) => {
      const value = given[dimension] ?? OTHER;
      return [dimension, isKnown(name, dimension, value) ? value : OTHER];
    }),
  );
  const key = [name, ...Object.values(dimensions)].join(' ');
  const isDistribution = METRICS[name].kind === 'distribution';
  const series: Series = counted.get(key) ?? {
    ...{ name, dimensions, value: 0 },
    ...(isDistribution && { buckets: [...LATENCY_SECONDS, 0].fill(0), values: [] }),
  };
  counted.set(key, series);
  apply(series);
  for (const listener of listeners) listener();
}

/**
 * Counts something. It costs no call: it goes out with the log, or is kept in the process until it is asked for.
 * @example count('Signatures', { Service: 'session', Format: 'Pades', Custody: 'vault' });
 */
export function count<Name extends CounterName>(
  name: Name,
  dimensions: DimensionsOf<Name>,
  amount = 1,
): void {
  change(name, dimensions, (series) => {
    series.value += amount;
  });
}

/** Sets a gauge to what was measured now. @example setGauge('JobsWaiting', { Service: 'batch' }, queued); */
export function setGauge<Name extends GaugeName>(
  name: Name,
  dimensions: DimensionsOf<Name>,
  value: number,
): void {
  change(name, dimensions, (series) => {
    series.value = value;
    series.atMs = Date.now();
  });
}

// Longer than the runs of one minute take to begin, and shorter than the minute.
const TOGETHER_MS = 45_000;

/**
 * Sets a gauge that several runs of a minute measure, each its share of the work: the largest of them counts.
 * @example raiseGauge('DueOldest', { Service: 'documents' }, seconds);
 */
export const raiseGauge = <Name extends GaugeName>(
  name: Name,
  dimensions: DimensionsOf<Name>,
  value: number,
): void => settle(name, dimensions, { value, choose: Math.max, withinMs: TOGETHER_MS });

const HOUR_MS = 3_600_000;

/**
 * Sets a gauge that is measured item by item, in many runs: the least of an hour counts.
 * @example lowerGauge('VaultCertificateDaysLeft', { Service: 'session' }, days);
 */
export const lowerGauge = <Name extends GaugeName>(
  name: Name,
  dimensions: DimensionsOf<Name>,
  value: number,
): void => settle(name, dimensions, { value, choose: Math.min, withinMs: HOUR_MS });

type Measured = {
  readonly value: number;
  readonly choose: (known: number, measured: number) => number;
  readonly withinMs: number;
};

function settle(name: GaugeName, dimensions: Dimensions, { value, choose, withinMs }: Measured): void {
  change(name, dimensions, (series) => {
    const nowMs = Date.now();
    const isTogether = nowMs - (series.atMs ?? 0) < withinMs;
    series.value = isTogether ? choose(series.value, value) : value;
    if (!isTogether) series.atMs = nowMs;
  });
}

/** Adds the time that a call took. */
export function observeLatency(dimensions: DimensionsOf<'Latency'>, milliseconds: number): void {
  // A clock that was set back makes a time negative.
  const observed = Math.max(0, milliseconds);
  const bucket = LATENCY_SECONDS.findIndex((bound) => observed <= bound * 1_000);
  const at = bucket < 0 ? LATENCY_SECONDS.length : bucket;
  change('Latency', dimensions, (series) => {
    const { buckets, values } = series;
    series.value += observed;
    if (buckets) buckets[at] = (buckets[at] ?? 0) + 1;
    if (isEmitting()) values?.push(observed);
  });
}
