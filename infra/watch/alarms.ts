import { alarmName } from '../resources.ts';
import { alarmId, type Watched, type WatchedFunction } from './watched.ts';

// Every kind of alarm has a section of its own in docs/operations.md that says what it means and what to do.
//
// One alarm is one expression over at most ten metrics, as many as CloudWatch takes, and each metric is $0.10 a month. So a
// service has one alarm of a kind for all its queues or functions, and a second one where they are more than ten.

export type Metric = {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly stat: 'Sum' | 'Maximum' | 'Minimum';
  /** Divides each value: the alarm then is about the share of this limit. */
  readonly per?: number;
};

export type Alarm = {
  readonly id: string;
  readonly name: string;
  readonly service: string;
  readonly kind: string;
  readonly text: string;
  readonly metrics: readonly Metric[];
  readonly combine: 'SUM' | 'MAX';
  readonly threshold: number;
  readonly isBelow: boolean;
  readonly periodSeconds: number;
  /** So many of the last so many periods. */
  readonly periods: readonly [breaching: number, looked: number];
  /** Nothing measured: either nothing happened, or what measures does not run. */
  readonly missing: 'notBreaching' | 'breaching';
};

type Kind = Pick<Alarm, 'text' | 'metrics' | 'threshold'> &
  Partial<Pick<Alarm, 'combine' | 'isBelow' | 'periodSeconds' | 'periods' | 'missing'>>;

const FIVE_MINUTES = 300;
const HOUR = 3_600;

const ofFunctions = (functions: readonly WatchedFunction[], name: string, stat: Metric['stat']): Metric[] =>
  functions.map((fn) => ({
    ...{ namespace: 'AWS/Lambda', name, dimensions: { FunctionName: fn.name }, stat },
    ...(name === 'Duration' && { per: fn.seconds * 1_000 }),
  }));

/** Of the table and of its indexes, each of which is throttled by itself. */
const ofTable = (table: string, indexes: readonly string[]): Metric[] =>
  [{}, ...indexes.map((GlobalSecondaryIndexName) => ({ GlobalSecondaryIndexName }))].flatMap((index) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => ({
      ...{
        namespace: 'AWS/DynamoDB',
        name,
        dimensions: { TableName: table, ...index },
        stat: 'Sum' as const,
      },
    })),
  );

const ofQueue = (queue: string, name: string, per?: number): Metric => ({
  ...{ namespace: 'AWS/SQS', name, dimensions: { QueueName: queue }, stat: 'Maximum' as const },
  ...(per !== undefined && { per }),
});

/** A metric that the services themselves write, in the embedded metric format. */
const own = (
  { stage, service }: Watched,
  name: string,
  stat: Metric['stat'],
  dimensions: Readonly<Record<string, string>> = {},
): Metric => ({
  namespace: `Sinete/${stage}`,
  name,
  dimensions: { Service: service, ...dimensions },
  stat,
});

const hasQueue = ({ queues, name }: Watched, queue: string): boolean =>
  queues.some((each) => each.name === `${name}-${queue}`);

/** The channels whose deliveries are counted. */
const channelsOf = (watched: Watched): string[] => [
  ...(hasQueue(watched, 'webhooks') ? ['webhook'] : []),
  ...(hasQueue(watched, 'mail') ? ['mail'] : []),
];

/** Every kind of alarm, and what it is for a service. One without metrics is none. */
const KINDS: Readonly<Record<string, (watched: Watched) => Kind>> = {
  errors: ({ name }) => ({
    text: 'Five calls or more within five minutes were answered with 5xx.',
    metrics: [{ namespace: 'AWS/ApiGateway', name: '5XXError', dimensions: { ApiName: name }, stat: 'Sum' }],
    threshold: 5,
  }),
  sockets: ({ sockets }) => ({
    text: 'Five events or more of WebSocket connections within five minutes failed.',
    metrics: ofFunctions(sockets, 'Errors', 'Sum'),
    threshold: 5,
  }),
  throttled: ({ name, indexes, workers, signing }) => ({
    text: 'Functions, the table or its index turned calls away in three periods of five minutes, one after another.',
    metrics: [...ofFunctions([...workers, ...signing], 'Throttles', 'Sum'), ...ofTable(name, indexes)],
    threshold: 10,
    periods: [3, 3],
  }),
  slow: ({ workers, signing }) => ({
    text: 'A function needed more than 95 % of the time that it has.',
    metrics: ofFunctions([...workers, ...signing], 'Duration', 'Maximum'),
    combine: 'MAX',
    threshold: 0.95,
  }),
  'dead-letters': ({ deadLetters }) => ({
    text: 'Messages or scheduled runs failed too often, and are work that was not done.',
    metrics: deadLetters.map((queue) => ofQueue(queue, 'ApproximateNumberOfMessagesVisible')),
    threshold: 1,
  }),
  'oldest-message': ({ queues }) => ({
    text: 'A message waits longer than two tries of it may take.',
    metrics: queues.map(({ name, maxAgeSeconds }) =>
      ofQueue(name, 'ApproximateAgeOfOldestMessage', maxAgeSeconds),
    ),
    combine: 'MAX',
    threshold: 1,
    periods: [2, 2],
  }),
  'due-backlog': (watched) => ({
    text: 'Work that is due waits for more than 15 minutes, or the schedule that looks for it does not run.',
    metrics: watched.hasDueWork ? [own(watched, 'DueOldest', 'Maximum')] : [],
    threshold: 900,
    periods: [2, 2],
    missing: 'breaching',
  }),
  deliveries: (watched) => ({
    text: 'A webhook or a mail was given up within the last hour.',
    metrics: channelsOf(watched).map((Channel) =>
      own(watched, 'Deliveries', 'Sum', { Channel, Outcome: 'exhausted' }),
    ),
    threshold: 1,
    periodSeconds: HOUR,
  }),
  profiles: (watched) => ({
    text: 'An enabled signing profile cannot sign, or the schedule that looks at the profiles does not run.',
    metrics: ofBatch(watched, own(watched, 'ProfilesDegraded', 'Maximum')),
    threshold: 1,
    // It is measured every five minutes, more or less.
    periodSeconds: 3 * FIVE_MINUTES,
    missing: 'breaching',
  }),
  certificates: (watched) => ({
    text: 'The certificate of an enabled profile ends within 30 days.',
    metrics: ofBatch(watched, own(watched, 'ProfileCertificateDaysLeft', 'Minimum')),
    threshold: 30,
    isBelow: true,
    periodSeconds: HOUR,
  }),
  backup: (watched) => ({
    text: 'There was no good backup for two days.',
    metrics: ofBatch(watched, own(watched, 'BackupAge', 'Minimum')),
    threshold: 48 * HOUR,
    periodSeconds: HOUR,
  }),
};

const ofBatch = ({ service }: Watched, metric: Metric): Metric[] => (service === 'batch' ? [metric] : []);

/** The names of the kinds. */
export const ALARM_KINDS: readonly string[] = Object.keys(KINDS);

/** As many metrics as an alarm takes. One that divides takes an expression more for each, and those are ten too. */
const MAX_METRICS = 10;
const MAX_DIVIDED = 9;

/** The alarms of a service. @example alarmsOf(watchedOf(root, 'hub', 'prod')).map(({ name }) => name) */
export const alarmsOf = (watched: Watched): Alarm[] =>
  Object.entries(KINDS).flatMap(([kind, of]) => {
    const { metrics, ...rest } = of(watched);
    return inGroups(metrics).map((group, n, { length }) => {
      const part = length > 1 ? `${kind}-${n + 1}` : kind;
      return {
        ...{ id: alarmId(watched.service, part), name: alarmName(watched.name, part) },
        ...{ service: watched.service, kind, combine: 'SUM', isBelow: false, missing: 'notBreaching' },
        ...{ periodSeconds: FIVE_MINUTES, periods: [1, 1] },
        ...rest,
        metrics: group,
      } satisfies Alarm;
    });
  });

/** Groups of about the same size, none larger than an alarm takes. */
function inGroups(metrics: readonly Metric[]): Metric[][] {
  const max = metrics.some(({ per }) => per !== undefined) ? MAX_DIVIDED : MAX_METRICS;
  const groups = Math.ceil(metrics.length / max);
  const size = Math.ceil(metrics.length / Math.max(groups, 1));
  return Array.from({ length: groups }, (_, n) => metrics.slice(n * size, (n + 1) * size));
}
