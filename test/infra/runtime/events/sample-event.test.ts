import { expect, test } from 'vitest';
import { toLambdaEvent } from '../../../../infra/runtime/events/sample-event.ts';

test('a sample request is the event of API Gateway, each header and query value in both of its forms', () => {
  const sample = {
    route: 'PUT /batch/api/jobs/{id}/files/{path+}',
    params: { id: '7', path: 'a/b.pdf' },
    query: { page: '1' },
    headers: { 'X-API-Key': 'k', Accept: '*/*' },
    body: { reason: 'x' },
    expectedStatus: 200,
  };
  expect(toLambdaEvent(sample)).toMatchObject({
    httpMethod: 'PUT',
    resource: '/batch/api/jobs/{id}/files/{path+}',
    path: '/batch/api/jobs/7/files/a/b.pdf',
    pathParameters: { id: '7', path: 'a/b.pdf' },
    headers: { 'X-API-Key': 'k', Accept: '*/*', 'Content-Type': 'application/json' },
    multiValueHeaders: { 'X-API-Key': ['k'], Accept: ['*/*'], 'Content-Type': ['application/json'] },
    queryStringParameters: { page: '1' },
    multiValueQueryStringParameters: { page: ['1'] },
    body: '{"reason":"x"}',
    isBase64Encoded: false,
  });
});

test('a body that is text is sent as it is, and one in base64 is marked as such', () => {
  const text = { route: 'POST /a', body: 'decision=approved', expectedStatus: 200 };
  expect(toLambdaEvent(text)).toMatchObject({ body: 'decision=approved', isBase64Encoded: false });
  expect(toLambdaEvent(text)).not.toHaveProperty('headers.Content-Type');
  const bytes = { route: 'POST /a', bodyBase64: 'AAE=', expectedStatus: 200 };
  expect(toLambdaEvent(bytes)).toMatchObject({ body: 'AAE=', isBase64Encoded: true });
  expect(toLambdaEvent({ route: 'GET /a', expectedStatus: 200 })).toMatchObject({ body: null });
});

test('sample messages and schedules are events of their source', () => {
  expect(toLambdaEvent({ queue: 'sinete-local-batch-jobs', messages: [{ a: 1 }, {}] })).toMatchObject({
    Records: [
      { body: '{"a":1}', eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:sinete-local-batch-jobs' },
      { body: '{}' },
    ],
  });
  expect(toLambdaEvent({ schedule: 'batch-tick' })).toMatchObject({
    source: 'aws.events',
    time: '2026-01-01T00:00:00Z',
    resources: ['arn:aws:events:us-east-1:000000000000:rule/batch-tick'],
  });
});

test('an event that is no sample is sent as it is', () => {
  const event = { Records: [] };
  expect(toLambdaEvent(event)).toBe(event);
  expect(toLambdaEvent(null)).toBeNull();
});
