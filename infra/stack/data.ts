import { logicalPrefix } from '../resources.ts';
import { changeProperties, ofType, permit, type Stack, type StackResources } from './template.ts';

/** Logs outlive their stack, as tables and buckets do. */
export function retainLogs(resources: StackResources): void {
  for (const [, group] of ofType(resources, 'AWS::Logs::LogGroup'))
    Object.assign(group, { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
}

const DEPLOYMENT_BUCKET = 'ServerlessDeploymentBucket';
const buckets = (resources: StackResources) =>
  ofType(resources, 'AWS::S3::Bucket').filter(([id]) => id !== DEPLOYMENT_BUCKET);

/** Seconds for which SQS keeps a data key: the most there is, as each one is a paid call to KMS. */
const DATA_KEY_SECONDS = 86_400;

/** Encrypts tables, buckets, queues and logs with a key of the account, in place of those that AWS has. */
export function encryptWith({ resources }: Stack, key: string): void {
  for (const [, table] of ofType(resources, 'AWS::DynamoDB::Table'))
    changeProperties(table, {
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: key },
    });
  for (const [, bucket] of buckets(resources))
    changeProperties(bucket, {
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          {
            ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: key },
            // One call to KMS for many files.
            BucketKeyEnabled: true,
          },
        ],
      },
    });
  for (const [, queue] of ofType(resources, 'AWS::SQS::Queue')) {
    const { SqsManagedSseEnabled: _, ...others } = queue.Properties ?? {};
    queue.Properties = {
      ...others,
      KmsMasterKeyId: key,
      KmsDataKeyReusePeriodSeconds: DATA_KEY_SECONDS,
    };
  }
  for (const [, group] of ofType(resources, 'AWS::Logs::LogGroup'))
    changeProperties(group, { KmsKeyId: key });
  permit(resources, {
    Sid: 'CustomerKey',
    Effect: 'Allow',
    Action: ['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*', 'kms:DescribeKey'],
    Resource: key,
    // By the stores alone: nothing else that the key has encrypted is opened.
    Condition: {
      StringEquals: {
        'kms:ViaService': ['dynamodb', 's3', 'sqs'].map((store) => ({
          'Fn::Sub': `${store}.\${AWS::Region}.\${AWS::URLSuffix}`,
        })),
      },
    },
  });
}

/** Keeps every version of a file for so many days, whoever deletes it. Only where the files are evidence. */
export function lockFiles({ resources }: Stack, days: string): void {
  for (const [, bucket] of buckets(resources))
    changeProperties(bucket, {
      ObjectLockEnabled: true,
      ObjectLockConfiguration: {
        ObjectLockEnabled: 'Enabled',
        Rule: { DefaultRetention: { Mode: 'GOVERNANCE', Days: Number(days) } },
      },
    });
}

/** 02:00 in Brasília, before the nightly work of the services. */
const BACKUP_TIME = 'cron(0 5 * * ? *)';

/** Copies the table every night into a vault of its own, which outlives the stack, as does what is in it. */
export function backUp({ service, stage, resources }: Stack, days: string, key: string | undefined): void {
  const prefix = logicalPrefix(service);
  const name = `sinete-${stage}-${service}`;
  const backupRole = `${prefix}BackupServiceRole`;
  Object.assign(resources, {
    [`${prefix}BackupVault`]: {
      Type: 'AWS::Backup::BackupVault',
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { BackupVaultName: name, ...(key && { EncryptionKeyArn: key }) },
    },
    [`${prefix}BackupPlan`]: {
      Type: 'AWS::Backup::BackupPlan',
      Properties: {
        BackupPlan: {
          BackupPlanName: name,
          BackupPlanRule: [
            {
              RuleName: 'nightly',
              TargetBackupVault: { Ref: `${prefix}BackupVault` },
              ScheduleExpression: BACKUP_TIME,
              Lifecycle: { DeleteAfterDays: Number(days) },
            },
          ],
        },
      },
    },
    [backupRole]: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            { Effect: 'Allow', Principal: { Service: 'backup.amazonaws.com' }, Action: 'sts:AssumeRole' },
          ],
        },
        ManagedPolicyArns: [
          {
            'Fn::Sub': `arn:\${AWS::Partition}:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup`,
          },
        ],
      },
    },
    [`${prefix}BackupSelection`]: {
      Type: 'AWS::Backup::BackupSelection',
      Properties: {
        BackupPlanId: { Ref: `${prefix}BackupPlan` },
        BackupSelection: {
          SelectionName: name,
          IamRoleArn: { 'Fn::GetAtt': [backupRole, 'Arn'] },
          Resources: ofType(resources, 'AWS::DynamoDB::Table').map(([id]) => ({ 'Fn::GetAtt': [id, 'Arn'] })),
        },
      },
    },
  });
}
