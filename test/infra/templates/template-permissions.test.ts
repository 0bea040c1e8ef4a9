import * as esbuild from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { deployedFiles } from '../../../infra/build/function-files.ts';
import { logicalPrefix, readResources } from '../../../infra/resources.ts';
import { SERVICES } from '../../../shared/settings/names.ts';
import { declaredFunctions } from '../../house/functions.ts';

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

/** Calls whose permission has the name of another service. */
const OF_ANOTHER: Record<string, string> = {
  'apigatewaymanagementapi:PostToConnection': 'execute-api:ManageConnections',
  'apigatewaymanagementapi:DeleteConnection': 'execute-api:ManageConnections',
};

/** What AWS does in the role's name, without a command in our code. */
const ON_OUR_BEHALF: Record<string, string[]> = {
  always: ['logs:CreateLogStream', 'logs:PutLogEvents'],
  sqs: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
  schedule: ['sqs:SendMessage'],
  'dynamodb:ExportTableToPointInTime': ['s3:PutObject', 's3:PutObjectAcl', 's3:AbortMultipartUpload'],
};

const declaredByName = new Map(declaredFunctions().map((each) => [each.name, each]));
const functions = deployedFiles()
  .filter(({ service }) => service !== 'sandbox')
  .map((file) => {
    const declared = declaredByName.get(`${file.service}/${file.name}`);
    const role = declared?.role ?? `${logicalPrefix(file.service)}Role`;
    return { ...file, role, events: declared?.events ?? [] };
  });

const isPublic = ({ name }: Deployed) => name === 'public';
const others = functions.filter((each) => !isPublic(each));
const roles = Map.groupBy(others, ({ role }) => role);

/** The code that the functions of each role can reach, and nothing else: esbuild leaves out what nobody calls. */
const codeOf = new Map<string, string>();

beforeAll(async () => {
  for (const [role, takers] of roles) {
    const { outputFiles } = await esbuild.build({
      stdin: {
        contents: takers.map(({ path }, at) => `export * as function${at} from './${path}';`).join('\n'),
        resolveDir: '.',
      },
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
      target: 'node24',
      packages: 'external',
      define: { SINETE_ASSETS: '{}', SINETE_BUILD: '""' },
      logLevel: 'silent',
    });
    codeOf.set(role, outputFiles[0]?.text ?? '');
  }
});

type Deployed = (typeof functions)[number];

/** The actions of the commands in the code of a role's functions, and of what their events and commands have AWS do for them. */
function neededBy(role: string): Set<string> {
  const code = codeOf.get(role) ?? '';
  const clients = new Map(
    [...code.matchAll(/import \{([^}]*)\} from "@aws-sdk\/client-(\w+)"/g)].flatMap(
      ([, names = '', client = '']) =>
        [...names.matchAll(/(\w+)Command\b/g)].map(([, call = '']) => [call, client] as const),
    ),
  );
  const commands = [...clients]
    .filter(([call]) => new RegExp(`\\bnew ${call}Command\\d*\\(`).test(code))
    .flatMap(([call, client]) => (AUTHORIZED_AS[call] ?? [call]).map((action) => `${client}:${action}`))
    .map((action) => OF_ANOTHER[action] ?? action);
  const events = roles.get(role)?.flatMap((taker) => taker.events) ?? [];
  const kinds = events.flatMap((event) => Object.keys(event));
  const onBehalf = ['always', ...kinds, ...commands].flatMap((kind) => ON_OUR_BEHALF[kind] ?? []);
  return new Set([...commands, ...onBehalf]);
}

type Statement = { Effect: string; Action: string | string[]; Resource: unknown };
type Role = { Properties: { Policies: { PolicyDocument: { Statement: Statement[] } }[] } };

const resourcesOf = new Map(SERVICES.map((service) => [service as string, readResources('.', service)]));
const statementsOf = (service: string, role = `${logicalPrefix(service)}Role`): Statement[] =>
  (({ ...resourcesOf.get(service) })[role] as unknown as Role).Properties.Policies.flatMap(
    (policy) => policy.PolicyDocument.Statement,
  );
const allowedBy = ({ service, role }: Pick<Deployed, 'service' | 'role'>): Set<string> =>
  new Set(statementsOf(service, role).flatMap(({ Action }) => Action));

test.each([...roles.keys()])(
  '%s allows every call that the code of its functions can make, and no more',
  (role) => {
    const [first] = roles.get(role) ?? [];
    expect([...(first ? allowedBy(first) : [])].toSorted()).toEqual([...neededBy(role)].toSorted());
  },
);

// That these make no call at all: test/functions/every-service/public.test.ts.
test('what is public runs as a role that allows the log alone', () => {
  expect(functions.filter(isPublic).map(({ service }) => service)).toEqual(SERVICES.toSorted());
  for (const each of functions.filter(isPublic)) {
    expect(each.role).toBe(`${logicalPrefix(each.service)}PublicRole`);
    expect([...allowedBy(each)]).toEqual(ON_OUR_BEHALF.always);
  }
});

test('the pages of a service have a role of their own, where they are a function of several', () => {
  const pages = functions.filter(({ name }) => name === 'pages');
  expect(pages.map(({ role }) => role)).toEqual(['BatchPagesRole', 'PkiPagesRole']);
  for (const { role } of pages) expect(functions.filter((each) => each.role === role)).toHaveLength(1);
});

test('batch’s pages may send to the queues that they name, and to no other', () => {
  const named = [...(codeOf.get('BatchPagesRole') ?? '').matchAll(/\b[A-Z]+_QUEUE = "(\w+)"/g)].map(
    ([, queue = '']) => ({ 'Fn::GetAtt': [`Batch${logicalPrefix(queue)}Queue`, 'Arn'] }),
  );
  const [statement] = statementsOf('batch', 'BatchPagesRole').filter(({ Action }) =>
    Action.includes('sqs:SendMessage'),
  );
  expect(JSON.stringify(statement?.Resource)).toBe(
    JSON.stringify(named.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))),
  );
});

test('no role reads a whole table: a backup is an export', () => {
  const scanning = functions.filter((each) => allowedBy(each).has('dynamodb:Scan'));
  expect(scanning).toEqual([]);
});

test.each([
  [/^dynamodb:(Describe|Export)/, ['BatchPagesRole', 'BatchRole']],
  [/^rekognition:/, ['PkiPagesRole']],
  [/^execute-api:/, ['SessionRole']],
])('%s is allowed by %s alone', (actions, roles) => {
  const allowing = functions.filter((each) => [...allowedBy(each)].some((action) => actions.test(action)));
  expect([...new Set(allowing.map(({ role }) => role))].toSorted()).toEqual(roles);
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
