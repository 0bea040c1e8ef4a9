// What infra/*.yml declares, read without CloudFormation: the tables, buckets and queues, their names and
// references resolved.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CreateTableCommandInput, TimeToLiveSpecification } from '@aws-sdk/client-dynamodb';
import type { CORSRule } from '@aws-sdk/client-s3';
import {
  type BucketNotification,
  readNotifications,
} from '../../../shared/embedded/objects/notification-rules.ts';
import { LOCAL_STAGE, SERVICES } from '../../../shared/settings/names.ts';
import { type Resource, readResources } from '../../resources.ts';
import { allowUploadOrigins } from '../../stack/cors.ts';
import { explain } from './explain.ts';
import { type Names, resolver } from './intrinsics.ts';

export type DeclaredTable = {
  logicalId: string;
  name: string;
  input: TableInput;
  timeToLive?: TimeToLiveSpecification;
};
export type TableInput = Required<Pick<CreateTableCommandInput, 'AttributeDefinitions' | 'KeySchema'>> &
  Pick<CreateTableCommandInput, 'GlobalSecondaryIndexes' | 'LocalSecondaryIndexes'>;
export type DeclaredBucket = {
  logicalId: string;
  name: string;
  cors: CORSRule[];
  notifications: BucketNotification[];
};
export type DeclaredQueue = {
  logicalId: string;
  name: string;
  arn: string;
  attributes: Record<string, string>;
};

/** The tables, buckets and queues of every file. */
export type Declared = {
  tables: DeclaredTable[];
  buckets: DeclaredBucket[];
  queues: DeclaredQueue[];
};

type Properties = Record<string, unknown>;

/**
 * Reads `infra/*.yml` below a folder, with every name and reference as it is on the stage.
 * @example readDeclared(process.cwd(), 'local').queues.map(({ name }) => name)
 */
export function readDeclared(root: string, stage: string, hasSandbox = stage === LOCAL_STAGE): Declared {
  const resources = new Map<string, Resource>();
  const files = new Map<string, string>();
  for (const name of declaring(root, hasSandbox)) {
    const own = readResources(root, name);
    allowUploadOrigins(own);
    for (const [id, resource] of Object.entries(own)) {
      // All services may be deployed as one stack, and there one would replace the other.
      if (resources.has(id))
        throw new Error(`infra/${name}.yml declares ${id}, which another file declares too.`);
      resources.set(id, resource);
      files.set(id, `infra/${name}.yml`);
    }
  }
  const names: Names = {
    stage,
    account: process.env.AWS_ACCOUNT_ID ?? '000000000000',
    region: process.env.AWS_REGION ?? 'us-east-1',
  };
  const resolve = resolver(names, resources);
  // Only the properties that matter here are resolved: the rest may use more of CloudFormation.
  const ofType = <T>(
    type: string,
    wanted: string[],
    read: (logicalId: string, properties: Properties) => T,
  ) =>
    [...resources].flatMap(([id, { Type, Properties = {} }]) => {
      if (Type !== type) return [];
      const picked = wanted.filter((name) => name in Properties).map((name) => [name, Properties[name]]);
      return [read(id, resolve(Object.fromEntries(picked)) as Properties)];
    });

  const queues = ofType('AWS::SQS::Queue', ['QueueName', ...QUEUE_ATTRIBUTES], (id, properties) =>
    readQueue(id, properties, String(resolve({ 'Fn::GetAtt': [id, 'Arn'] }))),
  );
  const findQueue = (reference: unknown): string => {
    const arn = resolve(reference);
    const queue = queues.find((candidate) => candidate.arn === arn);
    if (!queue) throw new Error(`infra/*.yml declares no queue ${arn}`);
    if (queue.name.endsWith('.fifo')) throw new Error('S3 sends to no FIFO queue');
    return queue.arn;
  };
  const notificationsOf = (id: string): BucketNotification[] => {
    const { NotificationConfiguration } = resources.get(id)?.Properties ?? {};
    try {
      return readNotifications({ NotificationConfiguration }, findQueue);
    } catch (error) {
      throw new Error(`${files.get(id)}: ${id}: ${explain(error)}`, { cause: error });
    }
  };

  return {
    tables: ofType('AWS::DynamoDB::Table', TABLE_PROPERTIES, readTable),
    buckets: ofType('AWS::S3::Bucket', ['BucketName', 'CorsConfiguration'], (id, properties) =>
      readBucket(id, properties, notificationsOf(id)),
    ),
    queues,
  };
}

/** The services, and whoever else has a file of its own. */
function declaring(root: string, hasSandbox: boolean): string[] {
  const own = readdirSync(join(root, 'infra')).flatMap((file) => /^(.+)\.yml$/.exec(file)?.[1] ?? []);
  const left = hasSandbox ? ['service'] : ['service', 'sandbox'];
  return [...new Set([...SERVICES, ...own.filter((name) => !left.includes(name))])].toSorted();
}

const TABLE_PROPERTIES = [
  'TableName',
  'AttributeDefinitions',
  'KeySchema',
  'GlobalSecondaryIndexes',
  'LocalSecondaryIndexes',
  'TimeToLiveSpecification',
];
function readTable(logicalId: string, properties: Properties): DeclaredTable {
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, LocalSecondaryIndexes } =
    properties as unknown as TableInput;
  const timeToLive = properties.TimeToLiveSpecification as TimeToLiveSpecification | undefined;
  return {
    logicalId,
    name: nameOf(logicalId, properties.TableName),
    input: { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, LocalSecondaryIndexes },
    ...(timeToLive ? { timeToLive } : {}),
  };
}

// CloudFormation and the API call three of these by different names.
type CloudFormationCorsRule = {
  Id?: string;
  AllowedHeaders?: string[];
  AllowedMethods: string[];
  AllowedOrigins: string[];
  ExposedHeaders?: string[];
  MaxAge?: number;
};
function readBucket(
  logicalId: string,
  properties: Properties,
  notifications: BucketNotification[],
): DeclaredBucket {
  const { CorsRules = [] } = (properties.CorsConfiguration ?? {}) as { CorsRules?: CloudFormationCorsRule[] };
  const cors = CorsRules.map(({ Id, ExposedHeaders, MaxAge, ...rule }) => ({
    ...rule,
    ID: Id,
    ExposeHeaders: ExposedHeaders,
    MaxAgeSeconds: MaxAge,
  }));
  return { logicalId, name: nameOf(logicalId, properties.BucketName), cors, notifications };
}

// What changes how a queue behaves. Encryption is the cloud's business.
const QUEUE_ATTRIBUTES = [
  'VisibilityTimeout',
  'MessageRetentionPeriod',
  'DelaySeconds',
  'ReceiveMessageWaitTimeSeconds',
  'RedrivePolicy',
];
function readQueue(logicalId: string, properties: Properties, arn: string): DeclaredQueue {
  const attributes = QUEUE_ATTRIBUTES.flatMap((name) => {
    const value = properties[name];
    if (value === undefined) return [];
    return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
  });
  return {
    logicalId,
    name: nameOf(logicalId, properties.QueueName),
    arn,
    attributes: Object.fromEntries(attributes),
  };
}

function nameOf(logicalId: string, name: unknown): string {
  if (typeof name === 'string') return name;
  throw new Error(`infra: ${logicalId} declares no name. Functions find it by name, so it needs one.`);
}
