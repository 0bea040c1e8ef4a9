import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { logicalPrefix, readResources } from '../../infra/resources.ts';

// No emulator refuses a call for want of a permission, so a call that the roles forget is first missed on AWS.

/** What a call is authorized as, where it is not its own name. */
const AUTHORIZED_AS: Record<string, string[]> = {
  TransactWriteItems: ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
  HeadObject: ['GetObject'],
  CopyObject: ['GetObject', 'PutObject'],
  ListObjectsV2: ['ListBucket'],
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

type Role = {
  Properties: { Policies: { PolicyDocument: { Statement: { Action: string | string[] }[] } }[] };
};

const allowed = (service: string): Set<string> => {
  const role = readResources('.', service)[`${logicalPrefix(service)}Role`] as unknown as Role;
  return new Set(
    role.Properties.Policies.flatMap((policy) =>
      policy.PolicyDocument.Statement.flatMap(({ Action }) => Action),
    ),
  );
};

test('a role allows every call that our code makes, and none that it does not', () => {
  // The document platform uses a table, a bucket and queues; the others use no more than it does, faces apart.
  const stores = [...needed()].filter((action) => !isOfFaces(action));
  expect([...allowed('documents')].sort()).toEqual(stores.sort());
});

const isOfFaces = (action: string) => action.startsWith('rekognition:');

test('the PKI core’s role allows the calls that it makes to judge faces, and none that it does not', () => {
  const faces = [...needed()].filter(isOfFaces).sort();
  expect(faces.length).toBeGreaterThan(5);
  expect([...allowed('pki')].filter(isOfFaces).sort()).toEqual(faces);
});

test('every service’s role allows the same calls on its table', () => {
  const onTables = (service: string) =>
    [...allowed(service)].filter((action) => action.startsWith('dynamodb:'));
  for (const service of ['session', 'hub', 'pki', 'batch', 'compact', 'credentials']) {
    expect(onTables(service), service).toEqual(onTables('documents'));
  }
});
