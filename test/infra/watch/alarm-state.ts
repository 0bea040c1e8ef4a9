// What CloudWatch makes of an alarm's own queries. It knows the few expressions that the alarms use, and refuses others.

type MetricStat = {
  readonly Metric: {
    readonly Namespace: string;
    readonly MetricName: string;
    readonly Dimensions: readonly { readonly Name: string; readonly Value: string }[];
  };
  readonly Period: number;
  readonly Stat: string;
};
type Query = {
  readonly Id: string;
  readonly MetricStat?: MetricStat;
  readonly Expression?: string;
  readonly ReturnData: boolean;
};
export type AlarmProperties = {
  readonly AlarmName: string;
  readonly Metrics: readonly Query[];
  readonly ComparisonOperator: string;
  readonly Threshold: number;
  readonly DatapointsToAlarm: number;
  readonly EvaluationPeriods: number;
  readonly TreatMissingData: string;
};

export type Read = {
  readonly namespace: string;
  readonly name: string;
  readonly stat: string;
  readonly period: number;
  readonly dimensions: Readonly<Record<string, string>>;
};

const readOf = ({ Metric, Period, Stat }: MetricStat): Read => ({
  namespace: Metric.Namespace,
  name: Metric.MetricName,
  stat: Stat,
  period: Period,
  dimensions: Object.fromEntries(Metric.Dimensions.map(({ Name, Value }) => [Name, Value])),
});

/** The metrics that an alarm reads. */
export const metricsOf = ({ Metrics }: AlarmProperties): Read[] =>
  Metrics.flatMap(({ MetricStat }) => (MetricStat ? [readOf(MetricStat)] : []));

type Value = number | undefined;

/** The value of a query in one period, in which each metric has one value or none. */
function valueIn(alarm: AlarmProperties, id: string, feed: (metric: Read) => Value): Value {
  const query = alarm.Metrics.find((each) => each.Id === id);
  if (!query) throw new Error(`${alarm.AlarmName} has no query ${id}`);
  if (query.MetricStat) return feed(readOf(query.MetricStat));
  const [, combine, list = ''] = /^(SUM|MAX)\(\[(.+)\]\)$/.exec(query.Expression ?? '') ?? [];
  if (combine) {
    const values = list.split(', ').flatMap((each) => valueIn(alarm, each, feed) ?? []);
    if (values.length === 0) return undefined;
    return combine === 'MAX' ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0);
  }
  const [, divided = '', by] = /^(\w+) \/ ([\d.]+)$/.exec(query.Expression ?? '') ?? [];
  if (by === undefined) throw new Error(`${alarm.AlarmName}: ${query.Expression} is not known`);
  const value = valueIn(alarm, divided, feed);
  return value === undefined ? undefined : value / Number(by);
}

const COMPARISONS: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

/** Whether an alarm fires: `feed` has the value of a metric in each period, 0 for the newest one. */
export function fires(alarm: AlarmProperties, feed: (metric: Read, periodsAgo: number) => Value): boolean {
  const [result, ...others] = alarm.Metrics.filter(({ ReturnData }) => ReturnData);
  if (!result || others.length > 0) throw new Error(`${alarm.AlarmName} must return one result`);
  const isBreaching = (value: Value): boolean =>
    value === undefined
      ? alarm.TreatMissingData === 'breaching'
      : COMPARISONS[alarm.ComparisonOperator]?.(value, alarm.Threshold) === true;
  const breaching = Array.from({ length: alarm.EvaluationPeriods }, (_, ago) =>
    valueIn(alarm, result.Id, (metric) => feed(metric, ago)),
  ).filter(isBreaching);
  return breaching.length >= alarm.DatapointsToAlarm;
}
