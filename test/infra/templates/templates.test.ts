import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SANDBOX_CONTEXT } from '../../../functions/sandbox/sandbox-data.ts';
import { type BuildOptions, type Bundle, build } from '../../../infra/build/build.ts';
import { type PackageResult, packageServices } from '../../../infra/build/package.ts';
import { readDeclared } from '../../../infra/runtime/resources/read.ts';
import {
  bucketName,
  deadLetterName,
  queueName,
  queueUrlVariable,
  SERVICES,
  type ServiceName,
  tableName,
} from '../../../shared/settings/names.ts';
import { deployRules } from '../../cli/deploy/deploy-rules.ts';
import { declaredFunctions } from '../../house/functions.ts';
import { realRepository, writeStageSettings } from '../sample-repository.ts';
import { watchRules } from '../watch/watch-rules.ts';
import { awsRules } from './aws-rules.ts';
import { packagedFunctionRules } from './packaged-functions.ts';
import { plantedRules, plantSecrets } from './planted.ts';
import { stackRules } from './stack-rules.ts';
import {
  findCircle,
  ofType,
  type Properties,
  pathsIn,
  type Resource,
  references,
  type Template,
} from './template.ts';

/** CloudFormation takes 500; the rest is room for what operators add. */
const RESOURCES_PER_STACK = 380;
/** A cold start reads the whole bundle; that of a router and the files of one endpoint. */
const BUNDLE_BYTES = 1_050_000;
/** A parser in WebAssembly of more than that. */
const SIGNS_XML = 'libxml2-wasm';
const LOADED_ON_DEMAND = new Set([SIGNS_XML, 'pdf-lib']);
const API_GATEWAY_MS = 29_000;
const LAMBDA_SECONDS = 900;

// The functions of a service are bundled in one group, in a fifth of the time. A cold start reads more of such a bundle: what is
// within its limit there is so deployed, and the rest is built again to be judged. It has more files for what functions share
// than a deployed one, for packaged-functions.ts to run; build.test.ts builds several groups.
const buildServices = (options: BuildOptions): Promise<Bundle[]> => build({ ...options, inOneGroup: true });

let root: string;
const packages = new Map<string, { packaged: PackageResult; template: Template }>();

beforeAll(async () => {
  root = await realRepository();
  await writeStageSettings(root, 'prod');
  const takeAway = await plantSecrets();
  for await (const packaged of packageServices({
    services: SERVICES,
    stage: 'prod',
    root,
    buildServices,
  })) {
    const text = await readFile(join(packaged.folder, 'cloudformation-template-update-stack.json'), 'utf8');
    packages.set(packaged.service, { packaged, template: JSON.parse(text) });
  }
  takeAway();
}, 480_000);

afterAll(() => rm(root, { recursive: true, force: true }));

const packageOf = (service: string) => {
  const found = packages.get(service);
  if (!found) throw new Error(`${service} was not packaged`);
  return found;
};
const templateOf = (service: string): Template => packageOf(service).template;
const prefixOf = (service: string): string => service.charAt(0).toUpperCase() + service.slice(1);

type Statement = {
  Sid?: string;
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Principal?: unknown;
  Condition?: unknown;
};
const statementsOf = (properties: Properties): Statement[] =>
  (properties.PolicyDocument as { Statement: Statement[] }).Statement;

/** Whether a policy on this resource refuses every call that is not encrypted on its way. */
const refusesPlainText = (statements: Statement[], action: string, id: string): boolean =>
  statements.some(
    ({ Effect, Action, Principal, Resource, Condition }) =>
      Effect === 'Deny' &&
      Action === action &&
      Principal === '*' &&
      references(Resource).includes(id) &&
      String((Condition as { Bool?: Record<string, unknown> }).Bool?.['aws:SecureTransport']) === 'false',
  );

describe.each(SERVICES)('the stack of %s', (service) => {
  const prefix = prefixOf(service);

  test(`has at most ${RESOURCES_PER_STACK} resources`, () => {
    expect(packageOf(service).packaged.resources).toBeLessThanOrEqual(RESOURCES_PER_STACK);
  });

  test('holds nothing of the sandbox', () => {
    expect(JSON.stringify(templateOf(service))).not.toMatch(/sandbox/i);
    expect(JSON.stringify(templateOf(service))).not.toContain(SANDBOX_CONTEXT);
  });

  test('has every path that is declared, with the case it is written in', () => {
    const routed = pathsIn(templateOf(service));
    const declared = declaredFunctions()
      .filter(({ name }) => name.startsWith(`${service}/`))
      .flatMap(({ events }) => events.flatMap(({ http }) => http?.path ?? []));
    // Below a folder that a function takes whole (infra/plugins/fold-paths.ts), the function finds the path.
    const folders = routed
      .filter((path) => path.endsWith('/{proxy+}') && path !== `${service}/{proxy+}`)
      .map((path) => path.slice(0, -'{proxy+}'.length));
    const isThere = (path: string) =>
      routed.includes(path) || folders.some((folder) => path.startsWith(folder));
    expect(declared.filter((path) => !isThere(path))).toEqual([]);
  });

  test('refers to nothing that it lacks, waits in no circle, and exports no name that another stack may hold', () => {
    const template = templateOf(service);
    const missing = Object.values(template.Resources)
      .flatMap(({ Properties }) => references(Properties))
      .filter((id) => !(id in template.Resources));
    expect(missing).toEqual([]);
    expect(findCircle(template)).toBeUndefined();
    expect(Object.values(template.Outputs).filter((output) => output.Export)).toEqual([]);
  });

  test('encrypts its table, can go back in time, and does not let it be deleted by mistake', () => {
    const tables = ofType(templateOf(service), 'AWS::DynamoDB::Table');
    expect(tables).toHaveLength(1);
    expect(tables[0]).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        SSESpecification: { SSEEnabled: true },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
        DeletionProtectionEnabled: true,
      },
    });
  });

  test('encrypts its buckets, blocks public access to them, and takes calls by TLS only', () => {
    const template = templateOf(service);
    const policies = ofType(template, 'AWS::S3::BucketPolicy');
    for (const { id, Properties } of ofType(template, 'AWS::S3::Bucket')) {
      expect(Properties, id).toMatchObject({
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
      });
      const own = policies.filter((policy) => references(policy.Properties.Bucket).includes(id));
      const statements = own.flatMap((policy) => statementsOf(policy.Properties));
      expect(refusesPlainText(statements, 's3:*', id), `${id} refuses plain HTTP`).toBe(true);
    }
  });

  test('keeps files that were replaced or deleted, and not uploads that were given up', () => {
    const template = templateOf(service);
    const kept = ofType(template, 'AWS::S3::Bucket').filter(({ id }) => id !== 'ServerlessDeploymentBucket');
    for (const bucket of kept) {
      expect(bucket).toMatchObject({
        DeletionPolicy: 'Retain',
        Properties: { VersioningConfiguration: { Status: 'Enabled' } },
      });
      expect(JSON.stringify(bucket.Properties)).toContain('AbortIncompleteMultipartUpload');
    }
  });

  test('encrypts its queues and takes calls by TLS only', () => {
    const template = templateOf(service);
    const statements = ofType(template, 'AWS::SQS::QueuePolicy').flatMap((p) => statementsOf(p.Properties));
    for (const { id, Properties } of ofType(template, 'AWS::SQS::Queue')) {
      expect(Properties.SqsManagedSseEnabled, id).toBe(true);
      expect(refusesPlainText(statements, 'sqs:*', id), `${id} refuses plain HTTP`).toBe(true);
    }
  });

  test('gives every queue a dead-letter queue that keeps messages longer', () => {
    const template = templateOf(service);
    for (const { id, Properties } of ofType(template, 'AWS::SQS::Queue')) {
      if (id.endsWith('DeadLetter')) continue;
      const { RedrivePolicy, MessageRetentionPeriod } = Properties as {
        RedrivePolicy?: { deadLetterTargetArn: unknown };
        MessageRetentionPeriod: number;
      };
      const dead = template.Resources[references(RedrivePolicy?.deadLetterTargetArn)[0] ?? ''];
      expect(dead?.Type, `${id}'s dead-letter queue`).toBe('AWS::SQS::Queue');
      expect(Number(dead?.Properties.MessageRetentionPeriod)).toBeGreaterThan(MessageRetentionPeriod);
    }
  });

  test('keeps scheduled runs that failed in a dead-letter queue', () => {
    const template = templateOf(service);
    for (const rule of ofType(template, 'AWS::Events::Rule')) {
      const target = references(rule.Properties.Targets)[0] ?? '';
      const dead = template.Resources[target]?.Properties.DeadLetterConfig;
      expect(references(dead), target).toEqual([`${prefix}ScheduleDeadLetter`]);
    }
  });

  test('gives its public function a role that reaches the log alone', () => {
    const template = templateOf(service);
    const isPublic = ({ id }: { id: string }) => id === `${prefix}PublicLambdaFunction`;
    const takers = ofType(template, 'AWS::Lambda::Function').filter(({ Properties }) =>
      references(Properties.Role).includes(`${prefix}PublicRole`),
    );
    expect(takers.map(({ id }) => id)).toEqual(takers.filter(isPublic).map(({ id }) => id));
    expect(takers).toHaveLength(1);
    const role = template.Resources[`${prefix}PublicRole`]?.Properties as { Policies: Properties[] };
    expect(role.Policies.flatMap(statementsOf).flatMap(({ Action }) => Action)).toEqual([
      'logs:CreateLogStream',
      'logs:PutLogEvents',
    ]);
  });

  test('has roles that its functions alone take and that reach only what is the service’s own', () => {
    const template = templateOf(service);
    const roles = ofType<{ Policies: Properties[]; ManagedPolicyArns?: unknown }>(template, 'AWS::IAM::Role');
    const taken = ofType(template, 'AWS::Lambda::Function').flatMap(({ Properties }) =>
      references(Properties.Role),
    );
    expect(roles.map(({ id }) => id).toSorted()).toEqual([...new Set(taken)].toSorted());
    expect(roles.filter(({ Properties }) => Properties.ManagedPolicyArns !== undefined)).toEqual([]);
    const statements = roles.flatMap(({ Properties }) => Properties.Policies.flatMap(statementsOf));
    expect(statements).not.toHaveLength(0);
    for (const { Effect, Action, Resource, Sid } of statements) {
      expect(Effect).toBe('Allow');
      const actions = [Action].flat();
      // Which values: test/infra/templates/aws-rules.ts.
      if (/^Named/.test(Sid ?? '')) {
        expect(['ssm:GetParameters', 'secretsmanager:GetSecretValue', 'kms:Decrypt']).toEqual(
          expect.arrayContaining(actions),
        );
        continue;
      }
      if (actions[0] === 'execute-api:ManageConnections') {
        expect(service).toBe('session');
        expect(JSON.stringify(Resource)).toContain(`\${WebsocketsApi}/prod/*/@connections/*`);
        continue;
      }
      const isOfFaces = service === 'pki' && actions.every((action) => action.startsWith('rekognition:'));
      if (!isOfFaces)
        for (const action of actions) expect(action).toMatch(/^(logs|dynamodb|s3|sqs):[A-Za-z]+$/);
      for (const resource of [Resource].flat()) {
        if (isOfFaces) expect(ownFaces(resource, actions, service)).toBe(true);
        else if (actions[0]?.startsWith('logs:')) expect(ownLogs(resource, service)).toBe(true);
        // Which of batch's stores, and for which calls: template-permissions.test.ts.
        else if (service === 'compact' && references(resource).length === 0)
          expect(JSON.stringify(resource)).toMatch(/:(table\/)?sinete-prod-batch[-/"]/);
        else expect(owners(template, resource)).toEqual([service]);
      }
    }
  });

  test('keeps the logs of every function for a year', () => {
    const template = templateOf(service);
    // One for all of them: a group for each would be a seventh of what a stack holds.
    const groups = ofType(template, 'AWS::Logs::LogGroup');
    expect(groups).toMatchObject([
      {
        id: `${prefix}LogGroup`,
        Properties: { LogGroupName: `/aws/lambda/sinete-prod-${service}`, RetentionInDays: 365 },
      },
    ]);
    const functions = ofType<{ FunctionName: string; LoggingConfig?: unknown }>(
      template,
      'AWS::Lambda::Function',
    );
    expect(functions.length).toBeGreaterThan(0);
    for (const { Properties, DependsOn } of functions) {
      expect(Properties.FunctionName.length, Properties.FunctionName).toBeLessThanOrEqual(64);
      expect(Properties.FunctionName.startsWith(`sinete-prod-${service}`)).toBe(true);
      expect(Properties.LoggingConfig).toEqual({ LogGroup: { Ref: `${prefix}LogGroup` } });
      expect(DependsOn).toContain(`${prefix}LogGroup`);
    }
  });

  test('waits at the gateway as long as its functions may take', () => {
    const template = templateOf(service);
    for (const { id, Properties } of ofType(template, 'AWS::ApiGateway::Method')) {
      const { Integration } = Properties as { Integration: { TimeoutInMillis?: number; Uri: unknown } };
      const target = template.Resources[references(Integration.Uri)[0] ?? ''] as Resource;
      const waits = Integration.TimeoutInMillis ?? API_GATEWAY_MS;
      expect(waits, id).toBeGreaterThanOrEqual(Number(target.Properties.Timeout) * 1000);
    }
    for (const { Properties } of ofType(template, 'AWS::Lambda::Function')) {
      expect(Number(Properties.Timeout)).toBeLessThanOrEqual(LAMBDA_SECONDS);
    }
  });

  test('hides a message six times as long as its consumer may take, and answers for each message alone', () => {
    const template = templateOf(service);
    for (const { Properties } of ofType(template, 'AWS::Lambda::EventSourceMapping')) {
      const queue = template.Resources[references(Properties.EventSourceArn)[0] ?? ''];
      const consumer = template.Resources[references(Properties.FunctionName)[0] ?? ''];
      const hidden = Number(queue?.Properties.VisibilityTimeout);
      expect(hidden).toBeGreaterThanOrEqual(6 * Number(consumer?.Properties.Timeout));
      expect(Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    }
  });

  awsRules(service, () => templateOf(service));
  watchRules(service, () => templateOf(service));
  stackRules(service, () => templateOf(service));

  test('answers every method on every path', () => {
    const template = templateOf(service);
    const answered = ofType(template, 'AWS::ApiGateway::Method')
      .filter(({ Properties }) => Properties.HttpMethod === 'ANY')
      .flatMap(({ Properties }) => references(Properties.ResourceId));
    const paths = ofType(template, 'AWS::ApiGateway::Resource').map(({ id }) => id);
    expect(paths.filter((path) => !answered.includes(path))).toEqual([]);
  });

  test('tells its functions who they are and where they answer', () => {
    for (const { Properties } of ofType(templateOf(service), 'AWS::Lambda::Function')) {
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Environment: {
          Variables: {
            STAGE: 'prod',
            AWS_ACCOUNT_ID: { Ref: 'AWS::AccountId' },
            Http__PublicUrl: { 'Fn::Sub': expect.stringMatching(/\$\{ApiGatewayRestApi\}.*\/prod$/) },
            Http__MaxBodyBytes: '4500000',
          },
        },
      });
    }
  });

  test('has the address of every queue that it sends to, its own and those of its engine', () => {
    const queuesOf = (name: string) =>
      ofType<{ QueueName: string }>(templateOf(name), 'AWS::SQS::Queue')
        .filter(({ id }) => id.endsWith('Queue'))
        .map(({ Properties }) => queueUrlVariable(Properties.QueueName, 'prod'));
    const expected = [...queuesOf(service), ...(service === 'compact' ? queuesOf('batch') : [])].toSorted();
    for (const { Properties } of ofType(templateOf(service), 'AWS::Lambda::Function')) {
      const { Variables } = Properties.Environment as { Variables: Properties };
      const given = Object.keys(Variables).filter((name) => name.startsWith('QUEUE_URL_'));
      expect(given.toSorted()).toEqual(expected);
    }
  });

  test(`reads at most ${BUNDLE_BYTES / 1_000_000} MB at a cold start, and loads no larger file but what signs XML`, async () => {
    const { bundles } = packageOf(service).packaged;
    const deployed = { local: false, outdir: join(root, 'as-deployed'), services: [service], root };
    const judged = readingTooMuch(bundles).length > 0 ? await build(deployed) : bundles;
    expect(readingTooMuch(judged)).toEqual([]);
    const large = bundles.flatMap(({ later }) => later).filter(({ bytes }) => bytes > BUNDLE_BYTES);
    expect(large.filter(({ packages }) => !packages.includes(SIGNS_XML))).toEqual([]);
  });

  test.each(['pkijs', 'asn1js', 'jsrsasign'])(
    'packages nothing of %s, which is for the sandbox and for tests',
    (name) => {
      const files = packageOf(service).packaged.bundles.flatMap(({ first, later }) => [...first, ...later]);
      expect(files.filter(({ packages }) => packages.includes(name))).toEqual([]);
    },
  );

  test('begins no function with what draws PDFs or signs XML', () => {
    const { bundles } = packageOf(service).packaged;
    const first = bundles.flatMap(({ first, routes }) => [...first, ...routes.flat()]);
    expect(first.filter(({ packages }) => packages.some((name) => LOADED_ON_DEMAND.has(name)))).toEqual([]);
  });
});

describe('functions as they are packaged', () => packagedFunctionRules(() => root));

describe('npm run deploy', () => deployRules(() => root));

describe('planted secrets', () => plantedRules(() => root));

test('session has a WebSocket API for agents, whose address its functions know', () => {
  const template = templateOf('session');
  const routes = ofType<{ RouteKey: string; Target: unknown }>(template, 'AWS::ApiGatewayV2::Route');
  expect(routes.map(({ Properties }) => Properties.RouteKey).toSorted()).toEqual([
    '$connect',
    '$default',
    '$disconnect',
  ]);
  const [poll] = ofType(template, 'AWS::Lambda::Function').filter(({ id }) => id.includes('PollAgent'));
  expect(poll?.Properties.Environment).toMatchObject({
    Variables: { Agents__SocketUrl: { 'Fn::Sub': expect.stringMatching(/^wss:.*WebsocketsApi.*\/prod$/) } },
  });
  for (const other of SERVICES.filter((service) => service !== 'session'))
    expect(JSON.stringify(templateOf(other))).not.toMatch(/ApiGatewayV2|Agents__SocketUrl/);
});

test('compact has the settings of batch that their domain reads, and no key of batch', () => {
  for (const { Properties } of ofType(templateOf('compact'), 'AWS::Lambda::Function')) {
    const { Variables } = Properties.Environment as { Variables: Properties };
    expect(Variables).toMatchObject({
      Sealing__Keys: expect.any(String),
      Certificates__TrustAnchors: 'trust/roots.pem',
      QUEUE_URL_BATCH_JOBS: {
        'Fn::Sub': `https://sqs.\${AWS::Region}.\${AWS::URLSuffix}/\${AWS::AccountId}/sinete-prod-batch-jobs`,
      },
    });
    expect(Object.keys(Variables)).not.toContain('batch__Auth__ApiKey');
  }
});

test('some function does load what signs XML, and some what draws', () => {
  const later = [...packages.values()].flatMap(({ packaged }) =>
    packaged.bundles.flatMap((bundle) => bundle.later.flatMap((file) => file.packages)),
  );
  expect([...LOADED_ON_DEMAND].filter((name) => !later.includes(name))).toEqual([]);
});

/** The functions, and the endpoints of routers, whose cold start reads more than it may. */
const readingTooMuch = (bundles: readonly Bundle[]) =>
  bundles
    .flatMap(({ name, bytes, routes }) => [
      { name, bytes },
      ...routes.map((files) => ({
        name: files[0]?.path,
        bytes: files.reduce((sum, file) => sum + file.bytes, bytes),
      })),
    ])
    .filter(({ bytes }) => bytes > BUNDLE_BYTES);

/** The service that a resource's logical id belongs to, for each resource that an ARN is made of. */
const owners = (template: Template, arn: unknown): (string | undefined)[] =>
  references(arn).map((id) =>
    id in template.Resources ? SERVICES.find((service) => id.startsWith(prefixOf(service))) : undefined,
  );

const ownLogs = (arn: unknown, service: string): boolean =>
  (arn as { 'Fn::Sub'?: string })['Fn::Sub']?.endsWith(`:log-group:/aws/lambda/sinete-prod-${service}*:*`) ??
  false;

// What judges a picture keeps nothing, and has no resource to name. Faces are kept in the service's own collections.
const KEEPS_NOTHING = /^rekognition:(CreateFaceLivenessSession|GetFaceLivenessSessionResults|CompareFaces)$/;
const ownFaces = (arn: unknown, actions: readonly string[], service: string): boolean =>
  arn === '*'
    ? actions.every((action) => KEEPS_NOTHING.test(action))
    : ((arn as { 'Fn::Sub'?: string })['Fn::Sub']?.endsWith(`:collection/sinete-prod-${service}-*`) ?? false);

describe('names', () => {
  const KINDS = /^([A-Z][a-z]+)(.*?)(Table|Bucket|Queue|DeadLetter)$/;

  /** What names.ts calls the resource of this logical id: DocumentsUploadsQueue is queueName('documents', 'uploads'). */
  const nameOf = (logicalId: string): string => {
    const [, prefix = '', middle = '', kind] = KINDS.exec(logicalId) ?? [];
    const service = prefix.toLowerCase() as ServiceName;
    const queue = middle.replace(/(?<!^)[A-Z]/g, '-$&').toLowerCase();
    if (kind === 'Table') return tableName(service);
    if (kind === 'Bucket') return bucketName(service);
    return kind === 'Queue' ? queueName(service, queue) : deadLetterName(service, queue);
  };

  test('infra/*.yml and names.ts spell the name of every table, bucket and queue alike', () => {
    const { tables, buckets, queues } = readDeclared(process.cwd(), 'local');
    expect(tables.map(({ name }) => name).sort()).toEqual(
      [...SERVICES, 'sandbox' as const].map(tableName).sort(),
    );
    for (const { logicalId, name } of [...tables, ...buckets, ...queues])
      expect(name).toBe(nameOf(logicalId));
  });
});
