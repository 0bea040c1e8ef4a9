import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { logicalPrefix, readResources } from '../../infra/resources.ts';

// No emulator refuses a call for want of a permission, so a call that the roles forget is first missed on AWS.

/** What a call is authorized as, where it is not its own name. */
const AUTHORIZED_AS: Record<string, string[]> = {
  TransactGetItems: ['GetItem'],
  TransactWriteItems: ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
  HeadObject: ['GetObject'],
  CopyObject: ['GetObject', 'PutObject'],
  ListObjectsV2: ['ListBucket'],
  DeleteObjects: ['DeleteObject'],
  SendMessageBatch: ['SendMessage'],
};

/** What Lambda and the upload library do in the role's name, without a command in our code. */
const ON_OUR_BEHALF = [
  'logs:CreateLogStream',
  'logs:PutLogEvents',
  'sqs:ReceiveMessage',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  's3:AbortMultipartUpload',
];

/** The actions that the shared code needs, from the commands that it imports. */
function needed(): Set<string> {
  const code = globSync('{shared,functions}/**/*.ts')
    .filter((path) => !path.startsWith('functions/sandbox'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const actions = [...code.matchAll(/import \{([^}]*)\} from '@aws-sdk\/client-(\w+)'/g)].flatMap(
    ([, names = '', client]) =>
      [...names.matchAll(/(\w+)Command\b/g)].flatMap(([, call = '']) =>
        (AUTHORIZED_AS[call] ?? [call]).map((action) => `${client}:${action}`),
      ),
  );
  return new Set([...actions, ...ON_OUR_BEHALF]);
}

type Statement = { Effect: string; Action: string | string[]; Resource: unknown };
type Role = { Properties: { Policies: { PolicyDocument: { Statement: Statement[] } }[] } };

const statementsOf = (service: string): Statement[] => {
  const role = readResources('.', service)[`${logicalPrefix(service)}Role`] as unknown as Role;
  return role.Properties.Policies.flatMap((policy) => policy.PolicyDocument.Statement);
};

const allowed = (service: string): Set<string> =>
  new Set(statementsOf(service).flatMap(({ Action }) => Action));

test('a role allows every call that our code makes, and none that it does not', () => {
  // The document platform uses a table, a bucket and queues; the others use no more than it does, faces and backups apart.
  const stores = [...needed()].filter((action) => !isOfFaces(action) && !isOfBackups(action));
  expect([...allowed('documents')].sort()).toEqual(stores.sort());
});

const isOfFaces = (action: string) => action.startsWith('rekognition:');
// The scans are those of a restore, which an operator makes.
const isOfBackups = (action: string) => /^dynamodb:(Scan|Describe|Export)|^s3:PutObjectAcl$/.test(action);

test('batch’s role alone allows an export of its table, for backups', () => {
  const exports = [...needed()].filter((action) => isOfBackups(action) && action !== 'dynamodb:Scan');
  for (const service of ['session', 'hub', 'pki', 'batch', 'compact', 'documents', 'credentials'])
    expect([service, [...allowed(service)].filter(isOfBackups).sort()]).toEqual([
      service,
      service === 'batch' ? [...exports, 's3:PutObjectAcl'].sort() : [],
    ]);
});

test('the PKI core’s role allows the calls that it makes to judge faces, and none that it does not', () => {
  const faces = [...needed()].filter(isOfFaces).sort();
  expect(faces.length).toBeGreaterThan(5);
  expect([...allowed('pki')].filter(isOfFaces).sort()).toEqual(faces);
});

test('every service’s role allows the same calls on its table', () => {
  const onTables = (service: string) =>
    [...allowed(service)].filter((action) => action.startsWith('dynamodb:') && !isOfBackups(action)).sort();
  for (const service of ['session', 'hub', 'pki', 'batch', 'compact', 'credentials']) {
    expect(onTables(service), service).toEqual(onTables('documents'));
  }
});

describe('compact’s role', () => {
  const TABLE = `table/sinete-\${sls:stage}-batch`;
  const arnOf = (kind: string, name: string) => ({
    'Fn::Sub': `arn:\${AWS::Partition}:${kind}:\${AWS::Region}:\${AWS::AccountId}:${name}`,
  });
  const bucket = `arn:\${AWS::Partition}:s3:::sinete-\${sls:stage}-batch-\${AWS::AccountId}`;
  const ofBatch = (sid: string) => statementsOf('batch').find((each) => 'Sid' in each && each.Sid === sid);

  /** The queues of batch that functions send to: S3 alone sends to arrivals. */
  const QUEUES = ['jobs', 'scans', 'tasks'].map((queue) =>
    arnOf('sqs', `sinete-\${sls:stage}-batch-${queue}`),
  );

  test('reaches its own rate windows, and by name batch’s table, bucket and queues, and nothing else', () => {
    expect(statementsOf('compact').map(({ Effect, Action, Resource }) => [Effect, Action, Resource])).toEqual(
      [
        [
          'Allow',
          ['logs:CreateLogStream', 'logs:PutLogEvents'],
          arnOf('logs', `log-group:/aws/lambda/sinete-\${sls:stage}-compact*:*`),
        ],
        ['Allow', ['dynamodb:GetItem', 'dynamodb:UpdateItem'], { 'Fn::GetAtt': ['CompactTable', 'Arn'] }],
        ['Allow', ofBatch('OwnItems')?.Action, arnOf('dynamodb', TABLE)],
        ['Allow', 'dynamodb:Query', arnOf('dynamodb', `${TABLE}/index/*`)],
        ['Allow', ofBatch('OwnFiles')?.Action, { 'Fn::Sub': `${bucket}/*` }],
        ['Allow', 's3:ListBucket', { 'Fn::Sub': bucket }],
        ['Allow', ['sqs:GetQueueUrl', 'sqs:SendMessage'], QUEUES],
      ],
    );
  });

  test('names the table, the bucket and the queues as batch declares them', () => {
    const { BatchTable, BatchBucket, ...others } = readResources('.', 'batch');
    expect(TABLE).toBe(`table/${BatchTable?.Properties?.TableName}`);
    expect(BatchBucket?.Properties?.BucketName).toEqual({ 'Fn::Sub': bucket.split(':::')[1] });
    const declared = Object.values(others).map((each) => arnOf('sqs', String(each.Properties?.QueueName)));
    expect(declared).toEqual(expect.arrayContaining(QUEUES));
  });
});
