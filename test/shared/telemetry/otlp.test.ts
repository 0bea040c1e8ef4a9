import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { runStopWork } from '../../../shared/async/on-stop.ts';
import { guardedFetch } from '../../../shared/net/guarded.ts';
import { consume } from '../../../shared/queue/consume.ts';
import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { call, lambdaContext } from '../../requests/http-event.ts';
import { logOf } from '../http/log-of.ts';
import { sample } from '../http/sample.ts';
import { type Server, startServer } from '../net/a-server.ts';

type Value = { readonly stringValue?: string; readonly intValue?: string };
type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
  readonly status: { readonly code?: number };
};
type Resource = {
  readonly resource: { readonly attributes: Span['attributes'] };
  readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
};

const ERROR = 2;
const PARENT = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };

/** A collector, and another service that is called. */
const posts: { readonly path: string; readonly type: string; readonly body: string }[] = [];
const parents: string[] = [];
let server: Server;
beforeEach(async () => {
  server = await startServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    if (request.url?.startsWith('/v1/'))
      posts.push({ path: request.url, type: String(request.headers['content-type']), body });
    else parents.push(String(request.headers.traceparent));
    response.writeHead(request.url === '/lost' ? 503 : 200).end('{}');
  });
  vi.stubEnv('Network__AllowPrivateAddresses', 'true');
  vi.stubEnv('Telemetry__OtlpEndpoint', server.url);
  posts.length = 0;
  parents.length = 0;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.stop();
});

const resources = (): readonly Resource[] =>
  posts.flatMap(({ body }) => (JSON.parse(body) as { resourceSpans: Resource[] }).resourceSpans);
const spans = (): readonly Span[] =>
  resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
const valuesOf = ({ attributes }: Pick<Span, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

const fetchFrom = (path: string) =>
  guardedFetch({ url: `${server.url}${path}`, maxBytes: 100, timeoutMs: 5_000, carriesTrace: true });

const endpoint = (run: () => Promise<unknown>) =>
  sample().endpoint(
    {
      route: 'GET /things/{id}',
      summary: 'Thing',
      answers: { 200: z.object({ ok: z.boolean() }) },
      access: 'public',
    },
    run as never,
  );

const calling = endpoint(async () => {
  await fetchFrom('/fine');
  await fetchFrom('/lost');
  return { ok: true };
});
const failing = endpoint(() => Promise.reject(new Error('lost')));
const traceparent = `00-${PARENT.trace}-${PARENT.span}-01`;
const fromCaller = { headers: { traceparent, 'X-Correlation-Id': 'order-42' } };

test('a call, and the calls that it makes, are spans of the trace of its caller', async () => {
  await logOf(() => call(calling, fromCaller));
  await runStopWork();
  expect(posts.map(({ path, type }) => [path, type])).toEqual([['/v1/traces', 'application/json']]);
  const [fine, lost, whole] = spans() as [Span, Span, Span];
  expect(
    [whole, fine, lost].map(({ name, kind, traceId, parentSpanId, status }) => ({
      ...{ name, kind, traceId, parentSpanId, status },
    })),
  ).toEqual([
    { name: 'GET /things/{id}', kind: 2, traceId: PARENT.trace, parentSpanId: PARENT.span, status: {} },
    { name: 'GET 127.0.0.1', kind: 3, traceId: PARENT.trace, parentSpanId: whole.spanId, status: {} },
    {
      ...{ name: 'GET 127.0.0.1', kind: 3, traceId: PARENT.trace, parentSpanId: whole.spanId },
      status: { code: ERROR },
    },
  ]);
  // Who is called continues the span of the call.
  expect(parents).toEqual([fine, lost].map(({ spanId }) => `00-${PARENT.trace}-${spanId}-01`));
  const times = [whole.startTimeUnixNano, fine.startTimeUnixNano, fine.endTimeUnixNano];
  times.push(lost.startTimeUnixNano, lost.endTimeUnixNano, whole.endTimeUnixNano);
  expect(times.toSorted()).toEqual(times);
  expect(Math.abs(Number(times[0]) / 1e6 - Date.now())).toBeLessThan(60_000);
  expect(valuesOf(whole)).toEqual({
    'http.route': '/sandbox/things/{id}',
    'http.response.status_code': 200,
    'sinete.correlation_id': 'order-42',
  });
  expect(valuesOf(lost)).toMatchObject({ 'server.address': '127.0.0.1', 'http.response.status_code': 503 });
  expect(resources().map(({ resource }) => valuesOf(resource))).toEqual([
    { 'service.name': 'sinete-sandbox', 'deployment.environment.name': 'local' },
  ]);
});

test('a call to an address that a caller chose is named by whom it is for, and its host is an attribute', async () => {
  const webhook = endpoint(async () => {
    await guardedFetch({ url: `${server.url}/fine`, maxBytes: 100, timeoutMs: 5_000, callee: 'webhook' });
    return { ok: true };
  });
  await logOf(() => call(webhook, fromCaller));
  await runStopWork();
  const [span] = spans() as [Span];
  expect([span.name, valuesOf(span)]).toEqual([
    'GET webhook',
    expect.objectContaining({ 'server.address': '127.0.0.1' }),
  ]);
});

const messageOf = (attributes: Record<string, string>): SQSEvent =>
  ({
    Records: [
      {
        messageId: 'm1',
        body: '{}',
        attributes: { ApproximateReceiveCount: '1' },
        messageAttributes: Object.fromEntries(
          Object.entries(attributes).map(([name, stringValue]) => [name, { stringValue }]),
        ),
      },
    ],
  }) as unknown as SQSEvent;

test('a message is a span of the trace of its sender, and a scheduled run begins a trace', async () => {
  const consumer = consume(
    { service: 'documents', queue: 'tasks', message: z.object({}), maxReceives: 3 },
    async () => undefined,
  );
  const failingTask = scheduleHandler('documents', 'sweep', () => Promise.reject(new Error('lost')));
  await logOf(async () => {
    await consumer(messageOf({ 'x-correlation-id': 'order-42', traceparent }));
    await failingTask().catch(() => undefined);
  });
  await runStopWork();
  const [message, run] = spans() as [Span, Span];
  expect(message).toMatchObject({
    ...{ name: 'tasks', kind: 5, traceId: PARENT.trace, parentSpanId: PARENT.span, status: {} },
  });
  expect(run).toMatchObject({ name: 'sweep', kind: 1, status: { code: ERROR } });
  expect(run.parentSpanId).toBeUndefined();
  expect(run.traceId).not.toBe(PARENT.trace);
});

test('a call that fails is an error; a caller that is not sampled is not recorded', async () => {
  await logOf(() => call(failing));
  const headers = { traceparent: traceparent.replace(/01$/, '00') };
  await logOf(() => call(calling, { headers }));
  await runStopWork();
  expect(spans().map(({ status }) => status)).toEqual([{ code: ERROR }]);
});

test('a function that is frozen after its run has sent its spans before, and waits for no collector', async () => {
  vi.stubEnv('AWS_LAMBDA_RUNTIME_API', '127.0.0.1:9001');
  const fine = endpoint(async () => ({ ok: true }));
  await logOf(() => call(fine));
  expect(spans()).toHaveLength(1);
  // The host is about to end it: the answer goes first, and the spans with the next run.
  await logOf(() => call(fine, {}, lambdaContext(150)));
  expect(spans()).toHaveLength(1);
  await logOf(() => call(fine));
  expect(spans()).toHaveLength(3);
  // One that accepts and never answers.
  const silent = await startServer(() => undefined);
  vi.stubEnv('Telemetry__OtlpEndpoint', silent.url);
  const answers = await logOf(() => Promise.all([call(failing), call(failing)]));
  expect(answers.result.map(({ status }) => status)).toEqual([500, 500]);
  await silent.stop();
});

test('without an endpoint nothing is sent, and the caller is continued all the same', async () => {
  vi.stubEnv('Telemetry__OtlpEndpoint', undefined);
  await logOf(() => call(calling, fromCaller));
  await runStopWork();
  expect(posts).toEqual([]);
  expect(new Set(parents.map((parent) => parent.slice(0, 35)))).toEqual(new Set([`00-${PARENT.trace}`]));
});
