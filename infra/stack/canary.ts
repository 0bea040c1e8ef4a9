import { createHash } from 'node:crypto';
import { alarmName } from '../resources.ts';
import { ofType, type Stack, type StackResource } from './template.ts';

// A new version of a function on the path of a signature gets a tenth of the calls first, and all of them after some
// minutes; an alarm of the service gives them back to the version before. CloudFormation waits for it.
//
//   method --> alias `live` --90 %--> version 7
//                           --10 %--> version 8    CodeDeploy moves the rest, or takes it back
//
// Only for these functions: a version, an alias and a group each are three resources, and a stack holds 500.

const ALIAS = 'live';

/** A function with the hash of its code, which the template itself does not have. */
export type CanaryFunction = { readonly id: string; readonly codeHash: string };

export function addCanary(
  { service, stage, resources }: Stack,
  way: string,
  functions: readonly CanaryFunction[],
): void {
  if (functions.length === 0) return;
  resources.CanaryApplication = {
    Type: 'AWS::CodeDeploy::Application',
    Properties: { ComputePlatform: 'Lambda' },
  };
  resources.CanaryRole = roleFor(functions);
  for (const { id, codeHash } of functions) {
    const fn = resources[id];
    if (!fn) continue;
    const name = id.replace(/LambdaFunction$/, '');
    const [version, alias, group] = [
      `${name}Version${hashOf(fn, codeHash)}`,
      `${name}Alias`,
      `${name}Canary`,
    ];
    sendTo(resources, id, alias);
    resources[version] = { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: id } } };
    resources[alias] = {
      Type: 'AWS::Lambda::Alias',
      Properties: {
        Name: ALIAS,
        FunctionName: { Ref: id },
        FunctionVersion: { 'Fn::GetAtt': [version, 'Version'] },
      },
      UpdatePolicy: {
        CodeDeployLambdaAliasUpdate: {
          ApplicationName: { Ref: 'CanaryApplication' },
          DeploymentGroupName: { Ref: group },
        },
      },
    };
    resources[group] = {
      Type: 'AWS::CodeDeploy::DeploymentGroup',
      Properties: {
        ApplicationName: { Ref: 'CanaryApplication' },
        ServiceRoleArn: { 'Fn::GetAtt': ['CanaryRole', 'Arn'] },
        DeploymentConfigName: `CodeDeployDefault.Lambda${way}`,
        DeploymentStyle: { DeploymentType: 'BLUE_GREEN', DeploymentOption: 'WITH_TRAFFIC_CONTROL' },
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
        },
        AlarmConfiguration: {
          Enabled: true,
          Alarms: [{ Name: alarmName(`sinete-${stage}-${service}`, 'errors') }],
          // The stack of alarms may come later.
          IgnorePollAlarmFailure: true,
        },
      },
    };
  }
}

/** Another configuration is another version too. The place of the code in the bucket is no part of it. */
function hashOf({ Properties = {} }: StackResource, codeHash: string): string {
  const { Code: _, ...others } = Properties;
  return createHash('sha256').update(codeHash).update(JSON.stringify(others)).digest('hex').slice(0, 12);
}

/** Has the API call the alias in place of the function, and lets it. */
function sendTo(resources: Stack['resources'], id: string, alias: string): void {
  const arn = JSON.stringify({ 'Fn::GetAtt': [id, 'Arn'] });
  for (const type of ['AWS::ApiGateway::Method', 'AWS::Lambda::Permission'])
    for (const [, resource] of ofType(resources, type))
      resource.Properties = JSON.parse(
        JSON.stringify(resource.Properties).replaceAll(arn, JSON.stringify({ Ref: alias })),
      );
}

const roleFor = (functions: readonly CanaryFunction[]): StackResource => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Principal: { Service: 'codedeploy.amazonaws.com' }, Action: 'sts:AssumeRole' },
      ],
    },
    Policies: [
      {
        PolicyName: 'canary',
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            {
              Sid: 'MoveCalls',
              Effect: 'Allow',
              Action: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
              Resource: functions.flatMap(({ id }) => [
                { 'Fn::GetAtt': [id, 'Arn'] },
                { 'Fn::Sub': `\${${id}.Arn}:*` },
              ]),
            },
            { Sid: 'SeeAlarms', Effect: 'Allow', Action: 'cloudwatch:DescribeAlarms', Resource: '*' },
          ],
        },
      },
    ],
  },
});
