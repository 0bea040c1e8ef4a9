import { expect, test } from 'vitest';
import { permitReading } from '../../../infra/plugins/secrets.ts';

test('a role may read a parameter by its name, whichever version or label of it the settings name', () => {
  const statements: object[] = [];
  const Properties = { Policies: [{ PolicyDocument: { Statement: statements } }] };
  const resources = { WorkerRole: { Type: 'AWS::IAM::Role', Properties } };
  permitReading(resources, { A: 'ssm:/own/key:3', B: 'ssm:/own/key', C: 'ssm:/own/other:live' }, 'prod');
  const arn = (name: string) => ({
    'Fn::Sub': `arn:\${AWS::Partition}:ssm:\${AWS::Region}:\${AWS::AccountId}:parameter/${name}`,
  });
  expect(statements[0]).toMatchObject({ Resource: [arn('own/key'), arn('own/other')] });
});
