import { join } from 'node:path';
import { deployedSeconds } from '../plugins/deployed.ts';
import type { FunctionConfig, Functions } from '../plugins/framework.ts';
import { logicalPrefix, type Resource, readResources, readYaml } from '../resources.ts';

export type WatchedFunction = { readonly name: string; readonly seconds: number };
export type WatchedQueue = { readonly name: string; readonly maxAgeSeconds: number };

/** What a deployed service has that CloudWatch measures, by the names that its stack gives. */
export type Watched = {
  readonly service: string;
  readonly stage: string;
  /** Its API and its table have the name of its stack. */
  readonly name: string;
  /** The indexes of its table. */
  readonly indexes: readonly string[];
  /** Functions that no caller of the REST API waits for: those of queues, schedules and WebSockets. */
  readonly workers: readonly WatchedFunction[];
  /** Those of WebSockets, whose API has no name that CloudWatch measures by. */
  readonly sockets: readonly WatchedFunction[];
  /** Functions on the path of a signature, which functions.yml lets reserve concurrency. */
  readonly signing: readonly WatchedFunction[];
  readonly queues: readonly WatchedQueue[];
  readonly deadLetters: readonly string[];
  /** Whether a schedule sends what is due: messages whose first sending failed, and work for later. */
  readonly hasDueWork: boolean;
};

/**
 * Reads what to watch of a service out of its own declarations, so that a new function or queue is watched by being there.
 * @example watchedOf(root, 'documents', 'prod').deadLetters // ['sinete-prod-documents-uploads-dead', …]
 */
export function watchedOf(root: string, service: string, stage: string): Watched {
  const name = `sinete-${stage}-${service}`;
  const functions = readYaml<Functions>(join(root, 'functions', service, 'functions.yml'));
  const those = (isWatched: (fn: FunctionConfig) => boolean): WatchedFunction[] =>
    Object.entries(functions)
      .filter(([, fn]) => isWatched(fn))
      .map(([key, fn]) => ({ name: `sinete-${stage}-${key}`, seconds: deployedSeconds(fn) }));
  const resources = Object.entries(readResources(root, service));
  const queues = resources
    .filter(([, { Type }]) => Type === 'AWS::SQS::Queue')
    .map(([id, { Properties = {} }]) => ({ id, ...queueOf(Properties, stage) }));
  const isDead = ({ id }: { id: string }): boolean => id.endsWith('DeadLetter');
  return {
    service,
    stage,
    name,
    indexes: resources.flatMap(([, { Type, Properties = {} }]) =>
      Type === 'AWS::DynamoDB::Table' ? indexesOf(Properties) : [],
    ),
    workers: those(({ events }) => events.some((event) => event.sqs || event.schedule || event.websocket)),
    sockets: those(({ events }) => events.some((event) => event.websocket)),
    signing: those(({ reservedConcurrency }) => reservedConcurrency !== undefined),
    queues: queues
      .filter((queue) => !isDead(queue))
      .map((queue) => ({ name: queue.name, maxAgeSeconds: queue.maxAgeSeconds })),
    deadLetters: queues.filter(isDead).map((queue) => queue.name),
    hasDueWork: Object.values(functions).some(
      ({ handler }) => handler === `dist/${service}/send-due.handler`,
    ),
  };
}

const indexesOf = ({ GlobalSecondaryIndexes = [] }: NonNullable<Resource['Properties']>): string[] =>
  (GlobalSecondaryIndexes as { IndexName: string }[]).map(({ IndexName }) => IndexName);

const STAGE_VARIABLE = `\${sls:stage}`;

/** Twice as long as a message that failed once is hidden; in time, where a queue drops messages sooner than that. */
function queueOf(properties: NonNullable<Resource['Properties']>, stage: string): WatchedQueue {
  const { QueueName, VisibilityTimeout, MessageRetentionPeriod } = properties;
  return {
    name: String(QueueName).replace(STAGE_VARIABLE, stage),
    maxAgeSeconds: Math.min(2 * Number(VisibilityTimeout ?? 30), Number(MessageRetentionPeriod) / 2),
  };
}

/** @example alarmId('documents', 'dead-letters') // 'DocumentsDeadLettersAlarm' */
export const alarmId = (service: string, kind: string): string =>
  `${logicalPrefix(service)}${kind.split('-').map(logicalPrefix).join('')}Alarm`;
