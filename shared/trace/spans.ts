import { processWide } from '../async/process-wide.ts';
import type { SpanEnd, SpanExporter, SpanOptions } from './span.ts';
import {
  continueTrace,
  currentTrace,
  isExporting,
  newSpanId,
  runInTrace,
  type Trace,
  type Traced,
  traceHeaders,
} from './trace.ts';

type Load = () => Promise<SpanExporter>;

const exporter = processWide('span-exporter', (): { load: Load | undefined } => ({ load: undefined }));

/**
 * Has spans sent by this exporter, which is loaded with the first one. Without Telemetry:OtlpEndpoint there is none, and
 * work runs as it is.
 */
export const exportSpansBy = (load: Load): void => {
  exporter.load ??= load;
};

const isRecorded = ({ isSampled }: Trace): boolean => isSampled && isExporting();

/**
 * Does work as the span of a trace. `endOf` says how the work ended; work that throws has failed.
 * @example await inSpan(trace, { kind: 'consumer', name: 'uploads' }, work, (isDone) => ({ isError: !isDone }));
 */
export const inSpan = <T>(
  trace: Trace,
  options: SpanOptions,
  work: () => Promise<T>,
  endOf: (result: T) => SpanEnd,
): Promise<T> => (isRecorded(trace) ? record(trace, options, work, endOf) : work());

async function record<T>(
  trace: Trace,
  { attributes, ...options }: SpanOptions,
  work: () => Promise<T>,
  endOf: (result: T) => SpanEnd,
): Promise<T> {
  if (!exporter.load) return work();
  const { addSpan, nowMicros } = await exporter.load();
  const startMicros = nowMicros();
  const add = (end: SpanEnd): void =>
    addSpan({
      ...{ trace, ...options, startMicros, endMicros: nowMicros(), isError: end.isError },
      attributes: { ...attributes, ...end.attributes },
    });
  try {
    const result = await work();
    add(endOf(result));
    return result;
  } catch (error) {
    add({ isError: true, attributes: { 'error.type': error instanceof Error ? error.name : 'unknown' } });
    throw error;
  }
}

/**
 * Goes on with recorded work in the trace of its record, as a span of it. A record without one is worked on in the trace
 * of whoever does.
 * @example await goOnInTrace(job, 'job', () => processJob(job));
 */
export function goOnInTrace<T>(
  { trace: recorded }: Traced,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (recorded === undefined) return work();
  const trace = continueTrace(recorded);
  return runInTrace(trace, () => inSpan(trace, { kind: 'internal', name }, work, () => NO_ERROR));
}

const NO_ERROR: SpanEnd = { isError: false };

/** `callee` names whom the call is for, where a caller has chosen the address. */
type Address = { readonly method: string; readonly url: URL; readonly callee?: string | undefined };

/**
 * Makes an outgoing call as a span of the work that makes it. `headers` carry the trace to a service that continues it;
 * there are none outside a trace.
 */
export function traceCall<T extends { readonly status: number }>(
  { method, url, callee = url.hostname }: Address,
  call: (headers: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const trace = currentTrace();
  if (!trace) return call({});
  if (!isRecorded(trace)) return call(traceHeaders(trace));
  const span: Trace = { ...trace, spanId: newSpanId(), parentSpanId: trace.spanId };
  const attributes = { 'http.request.method': method, 'server.address': url.hostname };
  return record(
    span,
    { kind: 'client', name: `${method} ${callee}`, attributes },
    () => call(traceHeaders(span)),
    ({ status }) => ({ isError: status >= 400, attributes: { 'http.response.status_code': status } }),
  );
}
