import { watchStackName, watchTemplate } from '../../infra/watch/template.ts';
import { CommandRefusal } from '../../shared/command-line/reason.ts';
import { codeBucketOf, uploadCode, uploadTemplate } from './artifacts.ts';
import { type Context, stackName } from './context.ts';
import type { Packaged } from './packages.ts';
import { applyTemplate, describeStack, protect } from './stacks.ts';

const tagsOf = ({ stage }: Context, service: string) =>
  Object.entries({ app: 'sinete', stage, service }).map(([Key, Value]) => ({ Key, Value }));

const printResult = ({ output }: Context, name: string, done: string | undefined): void =>
  output.print(`${name}: ${done ?? 'nothing to change'}`);

/** Creates or changes the stack of a service. Its bucket comes first: the template names the code that is in it. */
export async function deployService(context: Context, packaged: Packaged): Promise<void> {
  const { service, bucketTemplate } = packaged;
  const name = stackName(context, service);
  const Tags = tagsOf(context, service);
  let bucket = await codeBucketOf(context, name);
  if (bucket === undefined) {
    await applyTemplate(context, name, { TemplateBody: JSON.stringify(bucketTemplate), Tags });
    bucket = await codeBucketOf(context, name);
  }
  if (bucket === undefined) throw new CommandRefusal(`Stack ${name} has no bucket for its code.`);
  const template = await uploadCode(context, packaged, bucket);
  const TemplateURL = await uploadTemplate(context, template, bucket);
  printResult(context, name, await applyTemplate(context, name, { TemplateURL, Tags }));
  const isProtected = context.parameters.deletionProtection !== 'false';
  const state = await describeStack(context, name);
  if (state?.isProtected !== isProtected) await protect(context, name, isProtected);
}

/** Creates or changes the stack that watches these services. Its template is beside the code of one of them. */
export async function deployWatch(context: Context, services: readonly string[]): Promise<void> {
  const { root, stage, parameters } = context;
  const name = watchStackName(stage);
  const bucket = await codeBucketOf(context, stackName(context, services[0] ?? ''));
  if (bucket === undefined) throw new CommandRefusal(`Stage ${stage} has no service to watch.`);
  const TemplateURL = await uploadTemplate(context, watchTemplate(root, { stage, services }), bucket);
  const Parameters = [{ ParameterKey: 'AlarmTopic', ParameterValue: parameters.alarmTopic ?? '' }];
  printResult(
    context,
    name,
    await applyTemplate(context, name, { TemplateURL, Parameters, Tags: tagsOf(context, 'watch') }),
  );
}

const LOG_ROLE = {
  AWSTemplateFormatVersion: '2010-09-09',
  Description: 'The role by which API Gateway writes access logs, for all APIs of this account and region.',
  Resources: {
    Role: {
      Type: 'AWS::IAM::Role',
      DeletionPolicy: 'Retain',
      Properties: {
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            { Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' }, Action: 'sts:AssumeRole' },
          ],
        },
        ManagedPolicyArns: [
          {
            'Fn::Sub': `arn:\${AWS::Partition}:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs`,
          },
        ],
      },
    },
    Account: {
      Type: 'AWS::ApiGateway::Account',
      DeletionPolicy: 'Retain',
      Properties: { CloudWatchRoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] } },
    },
  },
};

/** Gives the account the role by which API Gateway writes logs. It has one for each region, or none. */
export async function deployLogRole(context: Context): Promise<void> {
  const name = 'sinete-api-logs';
  printResult(context, name, await applyTemplate(context, name, { TemplateBody: JSON.stringify(LOG_ROLE) }));
}
