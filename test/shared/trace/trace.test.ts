import { expect, test, vi } from 'vitest';
import {
  continueTrace,
  currentTrace,
  recordedTrace,
  runInTrace,
  startTrace,
  traceFields,
  traceHeaders,
} from '../../../shared/trace/trace.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test.each([
  ['one of one character', '7', true],
  ['any printable character', '!order/42:{a}"<b>\\~', true],
  ['128 characters', 'x'.repeat(128), true],
  ['129 characters', 'x'.repeat(129), false],
  ['none', '', false],
  ['a space, as in a header that was sent twice', 'one, two', false],
  ['a line break', 'one\r\nbcc: two', false],
  ['a letter beyond ASCII', 'pedido-ção', false],
  ['a control character', 'a\u0000b', false],
])('a correlation id of %s is taken, or replaced', (_, correlationId, isTaken) => {
  const trace = startTrace({ correlationId });
  if (isTaken) expect(trace.correlationId).toBe(correlationId);
  else expect(trace.correlationId).toMatch(UUID);
});

test.each([
  ['of version 00', `00-${TRACE}-${SPAN}-01`, true, true],
  ['that is not sampled', `00-${TRACE}-${SPAN}-00`, true, false],
  ['with flags of a later level', `00-${TRACE}-${SPAN}-03`, true, true],
  ['of a later version, with more fields', `cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`, true, true],
  ['of version 00 with more fields', `00-${TRACE}-${SPAN}-01-more`, false, false],
  ['of version ff', `ff-${TRACE}-${SPAN}-01`, false, false],
  ['with a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`, false, false],
  ['with a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`, false, false],
  ['in capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`, false, false],
  ['that was sent twice', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`, false, false],
])('a traceparent %s is continued, or a trace begins', (_, traceparent, isTaken, isSampled) => {
  const trace = startTrace({ traceparent });
  expect(trace.traceId === TRACE).toBe(isTaken);
  expect(trace.parentSpanId).toBe(isTaken ? SPAN : undefined);
  expect(trace.isSampled).toBe(isSampled);
  expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(trace.spanId).toMatch(/^[0-9a-f]{16}$/);
  expect(trace.spanId).not.toBe(SPAN);
});

test('a trace that begins has one random number for both of its ids, and is sampled where spans are exported', () => {
  const { correlationId, traceId, isSampled } = startTrace();
  expect([correlationId.replaceAll('-', ''), isSampled]).toEqual([traceId, false]);
  vi.stubEnv('Telemetry__OtlpEndpoint', 'http://localhost:4318');
  expect(startTrace().isSampled).toBe(true);
  vi.unstubAllEnvs();
});

test('recorded work goes on in its trace as a hop of its own', () => {
  const trace = startTrace({
    service: 'batch',
    correlationId: 'order-42',
    traceparent: `00-${TRACE}-${SPAN}-01`,
  });
  const record = runInTrace(trace, recordedTrace);
  expect(record).toEqual({ trace: `order-42 00-${TRACE}-${trace.spanId}-01` });
  expect(continueTrace(record.trace)).toMatchObject({
    correlationId: 'order-42',
    traceId: TRACE,
    parentSpanId: trace.spanId,
    isSampled: true,
  });
  expect(recordedTrace()).toEqual({});
});

test('a record without a trace is worked on in that of whoever does', () => {
  const trace = startTrace();
  runInTrace(trace, () => expect(continueTrace(undefined)).toBe(trace));
  expect(continueTrace(undefined).correlationId).toMatch(UUID);
});

test('the trace is that of its own work, however many are under way', async () => {
  const seen = await Promise.all(
    ['a', 'b', 'c'].map((correlationId) =>
      runInTrace(startTrace({ correlationId }), async () => {
        await new Promise(setImmediate);
        return traceFields().correlationId;
      }),
    ),
  );
  expect(seen).toEqual(['a', 'b', 'c']);
  expect(currentTrace()).toBeUndefined();
});

test('log lines have the trace id where it tells more than the correlation id, and the id of the gateway', () => {
  const own = startTrace({ gatewayRequestId: 'gateway-1' });
  const given = startTrace({ traceparent: `00-${TRACE}-${SPAN}-01` });
  expect(runInTrace(own, traceFields)).toEqual({
    correlationId: own.correlationId,
    gatewayRequestId: 'gateway-1',
  });
  expect(runInTrace(given, traceFields)).toEqual({ correlationId: given.correlationId, traceId: TRACE });
});

test('a call carries both ids, and the span that it is made in', () => {
  const trace = startTrace({ correlationId: 'order-42' });
  expect(traceHeaders(trace)).toEqual({
    'x-correlation-id': 'order-42',
    traceparent: `00-${trace.traceId}-${trace.spanId}-00`,
  });
});
