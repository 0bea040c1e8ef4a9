import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { processWide } from '../async/process-wide.ts';
import { commonSettings } from '../settings/common.ts';
import type { ServiceName } from '../settings/names.ts';

/** What one piece of work has in common in every call, message, record and log line, from its first caller on. */
export type Trace = {
  /** The service that works on it; none in a program that is not one. */
  readonly service: ServiceName | undefined;
  readonly correlationId: string;
  /** W3C Trace Context, in hexadecimal: the trace, the span of this hop, and whether the caller records it. */
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  /** The span of the hop before; none where the trace begins here. */
  readonly parentSpanId: string | undefined;
  /** The id that API Gateway gave the request: its access log has the same. */
  readonly gatewayRequestId?: string | undefined;
  /** The application that waits for it, where it shares a processor with others. */
  readonly application?: string | undefined;
};

const current = processWide('trace', () => new AsyncLocalStorage<Trace>());

/** The trace of the work that runs; none outside a call, a message and a scheduled run. */
export const currentTrace = (): Trace | undefined => current.getStore();

/**
 * Does work in a trace: everything that it calls, sends, records and logs carries it, with no parameter.
 * @example return runInTrace(startTrace({ service: 'batch' }), () => sweep(nowMs));
 */
export const runInTrace = <T>(trace: Trace, work: () => T): T => current.run(trace, work);

// Anybody may send one. It goes into headers, records and log lines, so it is short, of one line, and has no spaces.
const CORRELATION_ID = /^[!-~]{1,128}$/;
// https://www.w3.org/TR/trace-context/#traceparent-header. Later versions may add fields, version 00 has none.
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** The id, if it is one that can be carried on. */
export const usableId = (id: string | undefined): string | undefined =>
  id !== undefined && CORRELATION_ID.test(id) ? id : undefined;

type Incoming = {
  readonly service?: ServiceName | undefined;
  readonly correlationId?: string | undefined;
  readonly traceparent?: string | undefined;
  readonly gatewayRequestId?: string | undefined;
};

/**
 * The trace of work that begins, or of a hop of one that began elsewhere. An id that cannot be used is replaced: nobody is
 * refused for it.
 * @example startTrace({ service: 'hub', correlationId: headers['x-correlation-id'], traceparent: headers.traceparent })
 */
export function startTrace(incoming: Incoming = {}): Trace {
  const { service = currentTrace()?.service, correlationId, traceparent, gatewayRequestId } = incoming;
  const parent = parseTraceparent(traceparent);
  const id = usableId(correlationId);
  // One random number serves both ids where neither is given.
  const made = id === undefined || parent === undefined ? randomUUID() : '';
  return {
    service,
    correlationId: id ?? made,
    traceId: parent?.traceId ?? made.replaceAll('-', ''),
    spanId: newSpanId(),
    isSampled: parent?.isSampled ?? isExporting(),
    parentSpanId: parent?.spanId,
    ...(gatewayRequestId !== undefined && { gatewayRequestId }),
  };
}

/** Whether spans are exported. */
export const isExporting = (): boolean => commonSettings['Telemetry:OtlpEndpoint'] !== undefined;

// Random but for two bits. Node makes UUIDs in advance, many at a time; 8 random bytes take four times as long.
export const newSpanId = (): string => randomUUID().replaceAll('-', '').slice(-16);

function parseTraceparent(text: string | undefined) {
  const [, version, traceId, spanId, flags = '', more] = TRACEPARENT.exec(text ?? '') ?? [];
  if (!traceId || !spanId || (version === '00' && more !== undefined)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

const traceparentOf = ({ traceId, isSampled }: Trace, spanId: string): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** The headers of a call to another service. `spanId` is that of the call, where it is a span by itself. */
export const traceHeaders = (trace: Trace, spanId = trace.spanId): Record<string, string> => ({
  'x-correlation-id': trace.correlationId,
  traceparent: traceparentOf(trace, spanId),
});

/** The trace of the work that made a record; none for one that an administrator made. */
export type Traced = { readonly trace?: string };

/**
 * The trace as a field of a record whose work goes on later; none outside a trace.
 * @example const job = { ...request, ...recordedTrace() };
 */
export function recordedTrace(): Traced {
  const trace = currentTrace();
  return trace ? { trace: `${trace.correlationId} ${traceparentOf(trace, trace.spanId)}` } : {};
}

/** The next hop of the trace of a record. One without a trace is in that of whoever works on it, or begins one. */
export function continueTrace(text: string | undefined): Trace {
  const [correlationId, traceparent] = text?.split(' ') ?? [];
  return correlationId === undefined
    ? (currentTrace() ?? startTrace())
    : startTrace({ correlationId, traceparent });
}

/** The fields of every log line. The trace id is there where it tells more than the correlation id. */
export function traceFields(): Record<string, string> {
  const trace = currentTrace();
  if (!trace) return {};
  const { correlationId, traceId, gatewayRequestId } = trace;
  return {
    correlationId,
    ...(correlationId.replaceAll('-', '') !== traceId && { traceId }),
    ...(gatewayRequestId !== undefined && { gatewayRequestId }),
  };
}
