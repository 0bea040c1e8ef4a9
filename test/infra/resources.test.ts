import { expect, test } from 'vitest';
import { readResources } from '../../infra/resources.ts';
import { rootWith } from './runtime/resources/fixture.ts';

const TEMPLATE = `
Resources:
  <Service>Table:
    Type: AWS::DynamoDB::Table
    Properties: { TableName: 'sinete-\${sls:stage}-<service>' }
  <Service>Role:
    Type: AWS::IAM::Role
    Properties: { Resource: !GetAtt <Service>Table.Arn, Index: !Sub '\${<Service>Table.Arn}/index/*' }
`;
const OWN = `
Resources:
  PkiRole: { Type: AWS::IAM::Role, Properties: { Resource: '*' } }
  PkiBucket: { Type: AWS::S3::Bucket, Properties: { BucketName: !If [A, !Ref B, !ImportValue c] } }
`;
const files = { 'service.yml': TEMPLATE, 'pki.yml': OWN, 'sandbox.yml': 'Resources: {}' };

test('a service has what every service has, in its own name', () => {
  expect(readResources(rootWith(files), 'hub')).toEqual({
    HubTable: { Type: 'AWS::DynamoDB::Table', Properties: { TableName: `sinete-\${sls:stage}-hub` } },
    HubRole: {
      Type: 'AWS::IAM::Role',
      Properties: {
        Resource: { 'Fn::GetAtt': ['HubTable', 'Arn'] },
        Index: { 'Fn::Sub': `\${HubTable.Arn}/index/*` },
      },
    },
  });
});

test('its own file adds resources, and one of the same id takes the place of the other', () => {
  const resources = readResources(rootWith(files), 'pki');
  expect(Object.keys(resources)).toEqual(['PkiTable', 'PkiRole', 'PkiBucket']);
  expect(resources.PkiRole?.Properties).toEqual({ Resource: '*' });
  expect(resources.PkiBucket?.Properties).toEqual({
    BucketName: { 'Fn::If': ['A', { Ref: 'B' }, { 'Fn::ImportValue': 'c' }] },
  });
});

test('the sandbox, which is no service, has only its own', () => {
  expect(readResources(rootWith(files), 'sandbox')).toEqual({});
});

test('a function that CloudFormation does not know is refused, not left out', () => {
  const text = 'Resources:\n  A: { Type: !Nothing x }\n';
  expect(() => readResources(rootWith({ 'sandbox.yml': text }), 'sandbox')).toThrow(
    /sandbox\.yml is not readable as CloudFormation: .*!Nothing/,
  );
});
