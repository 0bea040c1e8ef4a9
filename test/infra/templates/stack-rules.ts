import { describe, expect, test } from 'vitest';
import { applyParameters } from '../../../infra/stack/apply.ts';
import type { Parameters } from '../../../infra/stack/parameters.ts';
import { schemaProblems } from './schema.ts';
import { findCircle, ofType, type Properties, references, type Template } from './template.ts';

const KEY = 'arn:aws:kms:sa-east-1:123456789012:key/1111-2222';
const ALL: Parameters = {
  kmsKey: KEY,
  backupDays: '35',
  objectLockDays: '1825',
  webAcl: 'arn:aws:wafv2:sa-east-1:123456789012:regional/webacl/own/1',
  subnets: 'subnet-1,subnet-2',
  securityGroups: 'sg-1',
  canary: 'Canary10Percent5Minutes',
};
/** Of AWS's 500. */
const MAX_RESOURCES = 450;
const TEMPLATE_BYTES = 1_000_000;

type Stage = {
  DeploymentId: unknown;
  StageName: string;
  AccessLogSetting: { DestinationArn: unknown; Format: string };
};
type Role = { AssumeRolePolicyDocument: unknown; Policies?: unknown };

/** Tests of the API's stage and of each parameter, on the packaged template of a service. */
export function stackRules(service: string, templateOf: () => Template): void {
  const prefix = service.charAt(0).toUpperCase() + service.slice(1);
  const signing = (template: Template) =>
    ofType(template, 'AWS::Lambda::Function')
      .filter(({ Properties }) => Properties.ReservedConcurrentExecutions !== undefined)
      .map(({ id }) => ({ id, codeHash: 'code' }));
  /** The template as the parameters make it. */
  const given = (parameters: Parameters): Template => {
    const template = structuredClone(templateOf());
    applyParameters({ service, stage: 'prod', resources: template.Resources }, parameters, signing(template));
    return template;
  };
  const lambdaRoles = (template: Template) =>
    ofType<Role>(template, 'AWS::IAM::Role').filter(({ Properties }) =>
      JSON.stringify(Properties.AssumeRolePolicyDocument).includes('lambda.amazonaws.com'),
    );

  test('is what CloudFormation takes, by the schemas of its resource types', async () => {
    expect(await schemaProblems(templateOf())).toEqual([]);
  });

  test('has a stage whose log has the request id and the route of each call, and nothing of a caller’s secrets', () => {
    const [stage, ...others] = ofType<Stage>(templateOf(), 'AWS::ApiGateway::Stage');
    expect(others).toEqual([]);
    const { StageName, DeploymentId, AccessLogSetting } = stage?.Properties ?? ({} as Stage);
    expect(StageName).toBe('prod');
    const deployments = ofType(templateOf(), 'AWS::ApiGateway::Deployment');
    expect(deployments.map(({ id }) => ({ Ref: id }))).toEqual([DeploymentId]);
    // It would make the stage a second time.
    expect(deployments[0]?.Properties).toEqual({ RestApiId: { Ref: 'ApiGatewayRestApi' } });
    expect(references(AccessLogSetting.DestinationArn)).toEqual([`${prefix}LogGroup`]);
    const line = AccessLogSetting.Format.replace(/\$context\.[\w.]+/g, (name) =>
      /Epoch|\.status$|Len|responseLat/.test(name) && !name.includes('integration') ? '200' : name,
    );
    expect(JSON.parse(line)).toMatchObject({ requestId: '$context.requestId', status: 200, ms: 200 });
    expect(AccessLogSetting.Format).not.toMatch(
      /querystring|header|body|authorizer|context\.path|identity\.(?!sourceIp)/i,
    );
  });

  test('logs every event of a WebSocket connection by its request id, and nothing of its message', () => {
    type SocketStage = { AccessLogSettings: Stage['AccessLogSetting'] };
    const stages = ofType<SocketStage>(templateOf(), 'AWS::ApiGatewayV2::Stage');
    expect(stages).toHaveLength(service === 'session' ? 1 : 0);
    for (const { Properties } of stages) {
      const { DestinationArn, Format } = Properties.AccessLogSettings;
      expect(references(DestinationArn)).toEqual([`${prefix}LogGroup`]);
      expect(JSON.parse(Format)).toMatchObject({
        requestId: '$context.requestId',
        route: '$context.routeKey',
        connectionId: '$context.connectionId',
      });
      expect(Format).not.toMatch(/body|header|authorizer|querystring|message/i);
    }
  });

  test('keeps its logs when it is deleted', () => {
    for (const group of ofType(templateOf(), 'AWS::Logs::LogGroup'))
      expect(group).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  });

  test('makes a new deployment of its API when the API changes, and only then', () => {
    const idOf = (template: Template) => ofType(template, 'AWS::ApiGateway::Deployment')[0]?.id;
    expect(idOf(given({}))).toBe(idOf(templateOf()));
    const changed = structuredClone(templateOf());
    const [method] = ofType(changed, 'AWS::ApiGateway::Method');
    if (method) method.Properties.HttpMethod = 'PATCH';
    applyParameters({ service, stage: 'prod', resources: changed.Resources }, {}, []);
    expect(idOf(changed)).not.toBe(idOf(templateOf()));
  });

  test(`with every parameter is what CloudFormation takes, with at most ${MAX_RESOURCES} resources`, async () => {
    const template = given(ALL);
    expect(await schemaProblems(template)).toEqual([]);
    expect(Object.keys(template.Resources).length).toBeLessThanOrEqual(MAX_RESOURCES);
    expect(JSON.stringify(template).length).toBeLessThan(TEMPLATE_BYTES);
    expect(findCircle(template)).toBeUndefined();
    const missing = references(Object.values(template.Resources)).filter((id) => !(id in template.Resources));
    expect(missing).toEqual([]);
  });

  test('is the same without parameters', () => {
    expect(given({})).toEqual(templateOf());
  });

  describe('with a key of the account', () => {
    test('encrypts its table, buckets, queues and logs with it', () => {
      const template = given({ kmsKey: KEY });
      const expected: Record<string, Properties> = {
        'AWS::DynamoDB::Table': {
          SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: KEY },
        },
        'AWS::SQS::Queue': { KmsMasterKeyId: KEY },
        'AWS::Logs::LogGroup': { KmsKeyId: KEY },
        'AWS::S3::Bucket': {
          BucketEncryption: {
            ServerSideEncryptionConfiguration: [
              { ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: KEY } },
            ],
          },
        },
      };
      for (const [type, properties] of Object.entries(expected))
        for (const { id, Properties } of ofType(template, type))
          if (id !== 'ServerlessDeploymentBucket') expect(Properties, id).toMatchObject(properties);
      // SQS refuses both.
      for (const { Properties } of ofType(template, 'AWS::SQS::Queue'))
        expect(Properties).not.toHaveProperty('SqsManagedSseEnabled');
    });

    test('lets its functions use it through the stores alone, and no public function at all', () => {
      for (const { id, Properties } of lambdaRoles(given({ kmsKey: KEY })))
        expect(JSON.stringify(Properties).includes('"CustomerKey"'), id).toBe(!id.endsWith('PublicRole'));
    });
  });

  test('with subnets puts all functions into them but the public one, and lets them', () => {
    const template = given({ subnets: 'subnet-1,subnet-2', securityGroups: 'sg-1' });
    for (const { id, Properties } of ofType(template, 'AWS::Lambda::Function')) {
      const isPublic = JSON.stringify(Properties.Role).includes('PublicRole');
      const network = { SubnetIds: ['subnet-1', 'subnet-2'], SecurityGroupIds: ['sg-1'] };
      expect(Properties.VpcConfig, id).toEqual(isPublic ? undefined : network);
    }
    for (const { id, Properties } of lambdaRoles(template))
      expect(JSON.stringify(Properties).includes('ec2:'), id).toBe(!id.endsWith('PublicRole'));
  });

  test('with backupDays copies its table every night into a vault that is kept', () => {
    const template = given({ backupDays: '35' });
    expect(ofType(template, 'AWS::Backup::BackupSelection')).toMatchObject([
      { Properties: { BackupSelection: { Resources: [{ 'Fn::GetAtt': [`${prefix}Table`, 'Arn'] }] } } },
    ]);
    expect(ofType(template, 'AWS::Backup::BackupVault')).toMatchObject([{ DeletionPolicy: 'Retain' }]);
    expect(JSON.stringify(ofType(template, 'AWS::Backup::BackupPlan'))).toContain('"DeleteAfterDays":35');
  });

  test('with objectLockDays locks the files of documents, and of no other service', () => {
    const locked = ofType(given({ objectLockDays: '1825' }), 'AWS::S3::Bucket').filter(
      ({ Properties }) => Properties.ObjectLockEnabled,
    );
    expect(locked.map(({ id }) => id)).toEqual(service === 'documents' ? ['DocumentsBucket'] : []);
  });

  test('with a canary sends the calls that sign to an alias, and no call past it, but at the session server', () => {
    const template = given({ canary: 'Linear10PercentEvery1Minute' });
    // Two versions of the session server would refuse each other's sessions.
    const functions = service === 'session' ? [] : signing(templateOf());
    expect(ofType(template, 'AWS::Lambda::Alias')).toHaveLength(functions.length);
    for (const { id } of functions) {
      const callers = ofType(template, 'AWS::ApiGateway::Method').flatMap(({ Properties }) =>
        references(Properties),
      );
      const name = id.replace('LambdaFunction', '');
      expect(callers).toContain(`${name}Alias`);
      expect(callers).not.toContain(id);
      const permitted = ofType(template, 'AWS::Lambda::Permission').flatMap(({ Properties }) =>
        references(Properties),
      );
      expect(permitted).toContain(`${name}Alias`);
      const other = structuredClone(templateOf());
      const change = [{ id, codeHash: 'other code' }];
      applyParameters(
        { service, stage: 'prod', resources: other.Resources },
        { canary: 'Linear10PercentEvery1Minute' },
        change,
      );
      const versionIn = (one: Template) =>
        Object.keys(one.Resources).find((each) => each.startsWith(`${name}Version`));
      expect(versionIn(other)).not.toBe(versionIn(template));
    }
  });
}
