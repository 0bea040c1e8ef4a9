import { expect, test } from 'vitest';
import { watchTemplate } from '../../../infra/watch/template.ts';
import { ofType, type Properties, references, type Template } from '../templates/template.ts';
import { type AlarmProperties, fires, metricsOf, type Read } from './alarm-state.ts';

/** Tests of what is watched, on the packaged template of a service. */
export function watchRules(service: string, templateOf: () => Template): void {
  const watch = watchTemplate('.', { stage: 'prod', services: [service] }) as unknown as Template;
  const alarms = ofType<AlarmProperties>(watch, 'AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
  const watched = (metric: string, dimension: string): unknown[] =>
    alarms
      .flatMap(metricsOf)
      .filter(({ name }) => name === metric)
      .map(({ dimensions }) => dimensions[dimension]);

  /** The functions that queues, schedules and WebSockets call. */
  const workers = (): Properties[] => {
    const template = templateOf();
    const sources = ofType(template, 'AWS::Lambda::EventSourceMapping').map(
      (each) => each.Properties.FunctionName,
    );
    const rules = ofType(template, 'AWS::Events::Rule').map((each) => each.Properties.Targets);
    const sockets = ofType(template, 'AWS::ApiGatewayV2::Integration').map(
      (each) => each.Properties.IntegrationUri,
    );
    return [...new Set(references([...sources, ...rules, ...sockets]))].flatMap((id): Properties[] => {
      const fn = template.Resources[id];
      return fn ? [fn.Properties] : [];
    });
  };

  test('is watched: its API, its table, every queue, and every function that queues, schedules and WebSockets call', () => {
    const template = templateOf();
    expect(watched('5XXError', 'ApiName')).toEqual([template.Resources.ApiGatewayRestApi?.Properties.Name]);
    const [table] = ofType(template, 'AWS::DynamoDB::Table');
    expect(new Set(watched('WriteThrottleEvents', 'TableName'))).toEqual(
      new Set([table?.Properties.TableName]),
    );
    const indexes = (table?.Properties.GlobalSecondaryIndexes ?? []) as { IndexName: string }[];
    expect(watched('ReadThrottleEvents', 'GlobalSecondaryIndexName').filter(Boolean)).toEqual(
      indexes.map(({ IndexName }) => IndexName),
    );
    const queues = ofType(template, 'AWS::SQS::Queue').map(({ Properties }) => String(Properties.QueueName));
    expect(watched('ApproximateNumberOfMessagesVisible', 'QueueName').toSorted()).toEqual(
      queues.filter((name) => name.endsWith('-dead')).toSorted(),
    );
    expect(watched('ApproximateAgeOfOldestMessage', 'QueueName').toSorted()).toEqual(
      queues.filter((name) => !name.endsWith('-dead')).toSorted(),
    );
    const names = workers().map(({ FunctionName }) => FunctionName);
    for (const metric of ['Duration', 'Throttles'])
      expect(watched(metric, 'FunctionName')).toEqual(expect.arrayContaining(names));
  });

  test('has an alarm for each such function that fires above 95 % of its own time, and not below', () => {
    const functions = ofType<{ FunctionName: string; Timeout: number }>(
      templateOf(),
      'AWS::Lambda::Function',
    ).map(({ Properties }) => Properties);
    const slow = alarms.filter((alarm) => metricsOf(alarm).some(({ name }) => name === 'Duration'));
    for (const alarm of slow)
      for (const { dimensions } of metricsOf(alarm)) {
        const fn = functions.find(({ FunctionName }) => FunctionName === dimensions.FunctionName);
        const taking = (share: number) => (metric: Read) =>
          metric.dimensions.FunctionName === fn?.FunctionName ? share * 1000 * (fn?.Timeout ?? 0) : undefined;
        expect([dimensions, fires(alarm, taking(0.96)), fires(alarm, taking(0.94))]).toEqual([
          dimensions,
          true,
          false,
        ]);
      }
  });
}
