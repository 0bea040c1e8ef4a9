import { expect, test } from 'vitest';
import { schemaProblems } from './schema.ts';

const queue = (Properties: Record<string, unknown>, others: object = {}) => ({
  Resources: { Q: { Type: 'AWS::SQS::Queue', Properties }, ...others },
});

test.each([
  ['a name that is no property', queue({ QueueNam: 'x' }), 'Q.QueueNam is no property'],
  ['a text where a number must be', queue({ DelaySeconds: 'soon' }), 'Q.DelaySeconds must be a number'],
  ['a list where a text must be', queue({ QueueName: ['x'] }), 'Q.QueueName must be a text'],
  [
    'a type that there is not',
    { Resources: { Q: { Type: 'AWS::SQS::Que', Properties: {} } } },
    'Q: AWS::SQS::Que is no resource type',
  ],
  [
    'a property of a part that is not there',
    {
      Resources: {
        A: { Type: 'AWS::ApiGateway::Stage', Properties: { RestApiId: 'x', AccessLogSetting: { Arn: 'x' } } },
      },
    },
    'A.AccessLogSetting.Arn is no property',
  ],
  [
    'a required property that is missing',
    { Resources: { A: { Type: 'AWS::ApiGateway::Stage', Properties: {} } } },
    'A.RestApiId is required',
  ],
  [
    'an attribute that there is not',
    queue(
      {},
      {
        R: {
          Type: 'AWS::SQS::QueuePolicy',
          Properties: { PolicyDocument: {}, Queues: [{ 'Fn::GetAtt': ['Q', 'Url'] }] },
        },
      },
    ),
    'Q has no attribute Url',
  ],
])('%s is found', async (_, template, problem) => {
  expect(await schemaProblems(template)).toEqual([problem]);
});
