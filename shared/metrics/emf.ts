// CloudWatch embedded metric format: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
import { stage } from '../settings/names.ts';
import type { Series } from './count.ts';
import { METRICS, type MetricName } from './table.ts';

// The limit of one metric in one line.
const MAX_VALUES = 100;

type Line = {
  /** The members of the line that are values of dimensions. */
  readonly dimensions: Record<string, string>;
  /** The members that are values of metrics, and the metrics by the names of their dimensions. */
  readonly values: Map<MetricName, number | readonly number[]>;
  readonly directives: Map<string, MetricName[]>;
};

/**
 * The log lines of what a run has counted: mostly one. A member of a line has one value, so that metrics which differ in a
 * dimension of the same name, or a metric with two sets of values, need another line.
 */
export function emfLines(counted: readonly Series[], nowMs: number): string[] {
  const lines: Line[] = [];
  for (const { name, dimensions, value, values } of counted) {
    const amounts = values ? chunksOf(values) : [value];
    for (const amount of amounts) {
      const line = lines.find((each) => fits(each, name, dimensions)) ?? newLine(lines);
      Object.assign(line.dimensions, dimensions);
      line.values.set(name, amount);
      const set = Object.keys(dimensions).join();
      line.directives.set(set, [...(line.directives.get(set) ?? []), name]);
    }
  }
  return lines.map((line) => render(line, nowMs));
}

const chunksOf = (values: readonly number[]): (readonly number[])[] =>
  Array.from({ length: Math.ceil(values.length / MAX_VALUES) }, (_, n) =>
    values.slice(n * MAX_VALUES, (n + 1) * MAX_VALUES),
  );

const fits = (line: Line, name: MetricName, dimensions: Readonly<Record<string, string>>): boolean =>
  !line.values.has(name) &&
  Object.entries(dimensions).every(([dimension, value]) => (line.dimensions[dimension] ?? value) === value);

function newLine(lines: Line[]): Line {
  const line: Line = { dimensions: {}, values: new Map(), directives: new Map() };
  lines.push(line);
  return line;
}

const render = ({ dimensions, values, directives }: Line, Timestamp: number): string =>
  JSON.stringify({
    _aws: {
      Timestamp,
      CloudWatchMetrics: [...directives].map(([set, names]) => ({
        Namespace: `Sinete/${stage()}`,
        Dimensions: [set.split(',')],
        Metrics: names.map((Name) => ({ Name, Unit: METRICS[Name].unit })),
      })),
    },
    ...dimensions,
    ...Object.fromEntries(values),
  });
