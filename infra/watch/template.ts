import { SERVICES } from '../../shared/settings/names.ts';
import { type Alarm, alarmsOf, type Metric } from './alarms.ts';
import { dashboardBody } from './dashboard.ts';
import { watchedOf } from './watched.ts';

/** @example watchStackName('prod') // 'sinete-prod-watch' */
export const watchStackName = (stage: string): string => `sinete-${stage}-watch`;

export type WatchOptions = { readonly stage: string; readonly services?: readonly string[] };

/**
 * The CloudFormation template of the stack that watches the services of a stage. It names what other stacks have and
 * imports nothing of them, so that stacks come and go in any order.
 * @example watchTemplate(root, { stage: 'prod', services: ['session', 'documents'] })
 */
export function watchTemplate(root: string, { stage, services = SERVICES }: WatchOptions) {
  const watched = services.map((service) => watchedOf(root, service, stage));
  const alarms = watched.flatMap(alarmsOf);
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: `Alarms and the dashboard of stage ${stage} of Sinete.`,
    Parameters: {
      AlarmTopic: {
        Type: 'String',
        Default: '',
        Description:
          'The ARN of the SNS topic that is told of alarms and of their end. None: alarms tell nobody.',
        AllowedPattern: '^(arn:[^:]+:sns:[^:]+:\\d{12}:.+)?$',
      },
    },
    Conditions: { HasTopic: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'AlarmTopic' }, ''] }] } },
    Resources: {
      ...Object.fromEntries(alarms.map((alarm) => [alarm.id, alarmResource(alarm)])),
      Dashboard: {
        Type: 'AWS::CloudWatch::Dashboard',
        Properties: {
          DashboardName: `sinete-${stage}`,
          DashboardBody: {
            'Fn::Sub': dashboardBody(
              watched,
              alarms.map(({ id }) => id),
            ),
          },
        },
      },
    },
  };
}

const ACTIONS = { 'Fn::If': ['HasTopic', [{ Ref: 'AlarmTopic' }], { Ref: 'AWS::NoValue' }] };

const alarmResource = (alarm: Alarm) => ({
  Type: 'AWS::CloudWatch::Alarm',
  Properties: {
    AlarmName: alarm.name,
    AlarmDescription: `${alarm.text} See "${alarm.kind}" in docs/operations.md.`,
    AlarmActions: ACTIONS,
    OKActions: ACTIONS,
    Metrics: queriesOf(alarm),
    ComparisonOperator: alarm.isBelow ? 'LessThanThreshold' : 'GreaterThanOrEqualToThreshold',
    Threshold: alarm.threshold,
    DatapointsToAlarm: alarm.periods[0],
    EvaluationPeriods: alarm.periods[1],
    TreatMissingData: alarm.missing,
  },
});

/** A query for each metric, one for each that is divided, and one that combines them: the alarm looks at that one. */
function queriesOf({ metrics, combine, periodSeconds }: Alarm): object[] {
  const read = metrics.map((metric, n) => ({
    ...{ Id: `m${n}`, MetricStat: statOf(metric, periodSeconds), ReturnData: false },
  }));
  const divided = metrics.flatMap(({ per }, n) =>
    per === undefined ? [] : [{ Id: `e${n}`, Expression: `m${n} / ${per}`, ReturnData: false }],
  );
  const ids = metrics.map(({ per }, n) => (per === undefined ? `m${n}` : `e${n}`));
  const result = { Id: 'result', Expression: `${combine}([${ids.join(', ')}])`, ReturnData: true };
  return [...read, ...divided, result];
}

const statOf = ({ namespace, name, dimensions, stat }: Metric, Period: number) => ({
  Metric: {
    Namespace: namespace,
    MetricName: name,
    Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
  },
  Period,
  Stat: stat,
});
