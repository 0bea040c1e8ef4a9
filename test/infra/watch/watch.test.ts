import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readDeclared } from '../../../infra/runtime/resources/read.ts';
import { ALARM_KINDS } from '../../../infra/watch/alarms.ts';
import { watchTemplate } from '../../../infra/watch/template.ts';
import { schemaProblems } from '../templates/schema.ts';
import { findCircle, ofType, references, type Template } from '../templates/template.ts';
import { type AlarmProperties, fires, metricsOf, type Read } from './alarm-state.ts';

const template = watchTemplate('.', { stage: 'prod' }) as unknown as Template & {
  Conditions: object;
  Parameters: object;
};
const alarms = ofType<AlarmProperties>(template, 'AWS::CloudWatch::Alarm').map(
  ({ Properties }) => Properties,
);
const queues = new Map(
  readDeclared('.', 'prod').queues.map(({ name, attributes }) => [name, attributes] as const),
);

/** A value that is still right, and one that is not. */
const LIMITS: Readonly<Record<string, (metric: Read) => readonly [fine: number, wrong: number]>> = {
  '5XXError': () => [4, 5],
  Errors: () => [4, 5],
  Throttles: () => [9, 10],
  ReadThrottleEvents: () => [9, 10],
  WriteThrottleEvents: () => [9, 10],
  ApproximateNumberOfMessagesVisible: () => [0, 1],
  // Two tries, or half of the time after which messages are dropped.
  ApproximateAgeOfOldestMessage: ({ dimensions }) => {
    const { VisibilityTimeout, MessageRetentionPeriod } = queues.get(dimensions.QueueName ?? '') ?? {};
    const seconds = Math.min(2 * Number(VisibilityTimeout), Number(MessageRetentionPeriod) / 2);
    return [seconds - 1, seconds];
  },
  DueOldest: () => [899, 900],
  Deliveries: () => [0, 1],
  ProfilesDegraded: () => [0, 1],
  ProfileCertificateDaysLeft: () => [30, 29],
  BackupAge: () => [172_799, 172_800],
};
/** The limit of a duration is that of its packaged function: templates.test.ts. */
const isDuration = ({ name }: Read): boolean => name === 'Duration';
const limitsOf = (metric: Read) => {
  const limits = LIMITS[metric.name]?.(metric);
  if (!limits) throw new Error(`There is no limit for ${metric.name}`);
  return limits;
};
const MISSING_IS_WRONG = ['DueOldest', 'ProfilesDegraded'];
const keyOf = ({ name, dimensions }: Read): string => JSON.stringify([name, dimensions]);

describe.each(alarms)('$AlarmName', (alarm) => {
  const metrics = metricsOf(alarm).filter((metric) => !isDuration(metric));

  test('fires by each of its metrics alone, when its value is wrong as long as the alarm looks', () => {
    for (const one of metrics) {
      const [fine, wrong] = limitsOf(one);
      const only = (value: number) => (metric: Read) => (keyOf(metric) === keyOf(one) ? value : undefined);
      expect([keyOf(one), fires(alarm, only(wrong)), fires(alarm, only(fine))]).toEqual([
        keyOf(one),
        true,
        false,
      ]);
    }
  });

  test('stays quiet at one wrong period of several, and at nothing measured unless a schedule measures it', () => {
    for (const one of metrics) {
      const [fine, wrong] = limitsOf(one);
      const once = (metric: Read, ago: number) =>
        keyOf(metric) === keyOf(one) ? (ago === 0 ? wrong : fine) : undefined;
      if (alarm.EvaluationPeriods > 1) expect(fires(alarm, once)).toBe(false);
      expect(fires(alarm, () => undefined)).toBe(MISSING_IS_WRONG.includes(one.name));
    }
  });

  test('is one that CloudWatch takes', () => {
    const read = alarm.Metrics.filter(({ MetricStat }) => MetricStat);
    expect(read.length).toBeLessThanOrEqual(10);
    expect(alarm.Metrics.length - read.length).toBeLessThanOrEqual(10);
    for (const { Id } of alarm.Metrics) expect(Id).toMatch(/^[a-z]\w*$/);
    const [{ period = 0 } = {}] = metricsOf(alarm);
    expect(period * alarm.EvaluationPeriods).toBeLessThanOrEqual(86_400);
    expect(JSON.stringify(alarm)).not.toContain('SEARCH');
  });
});

test('the template is one that CloudFormation takes, and imports nothing of other stacks', async () => {
  expect(await schemaProblems(template)).toEqual([]);
  expect(findCircle(template)).toBeUndefined();
  const known = [...Object.keys(template.Resources), 'AlarmTopic'];
  expect(references(template.Resources).filter((id) => !known.includes(id))).toEqual([]);
  expect(JSON.stringify(template)).not.toContain('Fn::ImportValue');
  expect(JSON.stringify(template).length).toBeLessThan(460_000);
});

test('a stage that has some services only is watched for these', () => {
  const some = watchTemplate('.', { stage: 'trial', services: ['hub', 'session'] });
  const names = JSON.stringify(some).match(/sinete-trial-[a-z]+/g) ?? [];
  expect([...new Set(names)].toSorted()).toEqual(['sinete-trial-hub', 'sinete-trial-session']);
});

// An alarm on what nobody measures would be on for good.
test('what is due is watched where a schedule measures it, and nowhere else', () => {
  const measuring = globSync('functions/**/workers/*.ts').flatMap(
    (file) => /sendDueMessages\('(\w+)'\)/.exec(readFileSync(file, 'utf8'))?.[1] ?? [],
  );
  const watched = alarms
    .filter(({ AlarmName }) => AlarmName.endsWith('-due-backlog'))
    .map(({ AlarmName }) => AlarmName.split('-')[2]);
  expect(watched.toSorted()).toEqual(measuring.toSorted());
});

// $0.10 a metric and month.
test('all alarms together cost less than $20 a month, as docs/operations.md says', () => {
  expect(alarms.flatMap(metricsOf).length).toBeLessThan(200);
  expect(alarms.length).toBeLessThan(60);
  expect(readFileSync('docs/operations.md', 'utf8')).toContain('less than $20 a month');
});

test('every kind of alarm has a section in docs/operations.md, and every section its alarm', () => {
  const [, after = ''] = readFileSync('docs/operations.md', 'utf8').split('\n## Alarms\n');
  const [section = ''] = after.split('\n## ');
  const headings = [...section.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(ALARM_KINDS);
});

test('every alarm tells the topic when it fires and when it ends, if there is one', () => {
  const tells = { 'Fn::If': ['HasTopic', [{ Ref: 'AlarmTopic' }], { Ref: 'AWS::NoValue' }] };
  for (const { Properties } of ofType(template, 'AWS::CloudWatch::Alarm'))
    expect(Properties).toMatchObject({ AlarmActions: tells, OKActions: tells });
});

test('the dashboard has the calls of every service, and graphs that do not overlap', () => {
  const [dashboard] = ofType<{ DashboardBody: { 'Fn::Sub': string } }>(
    template,
    'AWS::CloudWatch::Dashboard',
  );
  const { widgets } = JSON.parse(dashboard?.Properties.DashboardBody['Fn::Sub'] ?? '{}') as {
    widgets: { type: string; x: number; y: number; width: number; height: number; properties: object }[];
  };
  for (const [n, one] of widgets.entries()) {
    expect(one.x + one.width).toBeLessThanOrEqual(24);
    for (const other of widgets.slice(n + 1)) {
      const apart =
        one.x + one.width <= other.x ||
        other.x + other.width <= one.x ||
        one.y + one.height <= other.y ||
        other.y + other.height <= one.y;
      expect(apart, `${JSON.stringify(one)} and ${JSON.stringify(other)}`).toBe(true);
    }
  }
  for (const service of ['session', 'hub', 'pki', 'batch', 'compact', 'documents', 'credentials'])
    expect(JSON.stringify(widgets)).toContain(
      `["AWS/ApiGateway","Count","ApiName","sinete-prod-${service}"]`,
    );
});
