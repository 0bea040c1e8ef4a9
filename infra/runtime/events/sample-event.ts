import type { APIGatewayProxyEvent } from 'aws-lambda';
import { toRecord } from './lambda-batch.ts';
import { scheduledEvent } from './schedule-source.ts';

/** A request to an endpoint: `{ "route": "GET /session/v1/sessions/status", "query": { … }, "expectedStatus": 200 }`. */
export type SampleRequest = {
  /** The method and the declared path: `GET /batch/api/jobs/{id}`. */
  readonly route: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is, all else as JSON. */
  readonly body?: unknown;
  readonly bodyBase64?: string;
  readonly expectedStatus: number;
};

type SampleMessages = { readonly queue: string; readonly messages: readonly unknown[] };
type SampleSchedule = { readonly schedule: string };

const [ACCOUNT, REGION, ADDRESS] = ['000000000000', 'us-east-1', '127.0.0.1'];
const SENT_AT_MS = Date.parse('2026-01-01T00:00:00Z');
const HEADERS = { Accept: 'application/json', Host: 'localhost:3000', 'User-Agent': 'curl/8.5.0' };

/**
 * The event of a sample as AWS sends it: of API Gateway, of a queue or of a schedule. Any other event is given back as it is.
 * @example toLambdaEvent({ queue: 'sinete-local-batch-jobs', messages: [{}] }) // { Records: [{ body: '{}', … }] }
 */
export function toLambdaEvent(sample: unknown): unknown {
  if (typeof sample !== 'object' || sample === null) return sample;
  if ('route' in sample) return toHttpEvent(sample as SampleRequest);
  if ('messages' in sample) return toQueueEvent(sample as SampleMessages);
  if ('schedule' in sample) {
    const where = { account: ACCOUNT, region: REGION };
    return scheduledEvent((sample as SampleSchedule).schedule, SENT_AT_MS, where);
  }
  return sample;
}

export function toHttpEvent(sample: SampleRequest): APIGatewayProxyEvent {
  const { route, params = {}, query, body, bodyBase64 } = sample;
  const [httpMethod = '', resource = ''] = route.split(' ');
  const path = resource.replaceAll(/\{(\w+)\+?\}/g, (whole, name) => params[name] ?? whole);
  const isJson = body !== undefined && typeof body !== 'string';
  const headers: Record<string, string> = {
    ...HEADERS,
    ...(isJson && { 'Content-Type': 'application/json' }),
    ...sample.headers,
  };
  return {
    resource,
    path,
    httpMethod,
    headers,
    multiValueHeaders: listsOf(headers),
    queryStringParameters: query ?? null,
    multiValueQueryStringParameters: query ? listsOf(query) : null,
    pathParameters: sample.params ?? null,
    stageVariables: null,
    requestContext: {
      accountId: ACCOUNT,
      apiId: 'local',
      httpMethod,
      path,
      resourcePath: resource,
      stage: 'local',
      requestId: '0f0e0d0c-0b0a-4908-8706-050403020100',
      identity: { sourceIp: ADDRESS, userAgent: headers['User-Agent'] ?? null },
    } as APIGatewayProxyEvent['requestContext'],
    body: bodyBase64 ?? (isJson ? JSON.stringify(body) : ((body as string | undefined) ?? null)),
    isBase64Encoded: bodyBase64 !== undefined,
  };
}

const listsOf = (values: Readonly<Record<string, string>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));

function toQueueEvent({ queue, messages }: SampleMessages) {
  const records = messages.map((message, at) =>
    toRecord(
      {
        MessageId: `059f36b4-87a3-44ab-83d2-${String(at).padStart(12, '0')}`,
        ReceiptHandle: `sample-${at}`,
        Body: JSON.stringify(message),
        Attributes: {
          SentTimestamp: String(SENT_AT_MS),
          ApproximateFirstReceiveTimestamp: String(SENT_AT_MS + 1),
        },
      },
      `arn:aws:sqs:${REGION}:${ACCOUNT}:${queue}`,
    ),
  );
  return { Records: records };
}
