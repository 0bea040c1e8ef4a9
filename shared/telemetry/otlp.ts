// OTLP over HTTP, as JSON: https://opentelemetry.io/docs/specs/otlp/#otlphttp

import { freezesAfterRun } from '../async/freezes-after-run.ts';
import { onStop } from '../async/on-stop.ts';
import { processWide } from '../async/process-wide.ts';
import { createGuardedAgent } from '../net/connector.ts';
import { commonSettings } from '../settings/common.ts';
import { stage } from '../settings/names.ts';
import type { Span } from '../trace/span.ts';

// A process that never freezes sends so often, or when there are so many.
const SEND_EVERY_MS = 2_000;
const SPANS_IN_BATCH = 512;
// About 2 MB. A collector that is down must not take the memory: spans beyond are dropped.
const MAX_WAITING = 4_096;
// The longest time that a collector can keep a function from its end, and for how long it is then left alone.
const FLUSH_MS = 250;
const LEFT_ALONE_MS = 30_000;
const SEND_MS = 5_000;

const KINDS = { internal: 1, server: 2, client: 3, consumer: 5 } as const;
const ERROR = 2;

type Exporter = {
  waiting: Span[];
  timer: NodeJS.Timeout | undefined;
  closedUntilMs: number;
  originMs: number;
};

const state = processWide('otlp', (): Exporter => {
  onStop(() => send(SEND_MS));
  return { waiting: [], timer: undefined, closedUntilMs: 0, originMs: performance.timeOrigin };
});

const MAX_DRIFT_MS = 100;

/** The time in microseconds. It does not go back, so that spans lie within their parents; a frozen process catches up. */
export function nowMicros(): number {
  const driftMs = Date.now() - (state.originMs + performance.now());
  if (Math.abs(driftMs) > MAX_DRIFT_MS) state.originMs += driftMs;
  return Math.round((state.originMs + performance.now()) * 1_000);
}

export function addSpan(span: Span): void {
  if (state.waiting.length >= MAX_WAITING) return;
  state.waiting.push(span);
  if (freezesAfterRun()) return;
  if (state.waiting.length >= SPANS_IN_BATCH) void send(SEND_MS);
  state.timer ??= setTimeout(() => void send(SEND_MS), SEND_EVERY_MS).unref();
}

/** Sends what waits, if there is any time for it. */
export const flushInTime = async (leftMs: number): Promise<void> =>
  leftMs > 0 ? send(Math.min(FLUSH_MS, leftMs)) : undefined;

/** Sends what waits. Spans that are not taken are lost: they are no work of anybody's. */
async function send(withinMs: number): Promise<void> {
  clearTimeout(state.timer);
  state.timer = undefined;
  const spans = state.waiting.splice(0);
  const endpoint = commonSettings['Telemetry:OtlpEndpoint'];
  if (spans.length === 0 || endpoint === undefined || Date.now() < state.closedUntilMs) return;
  try {
    await post(new URL(`${endpoint}/v1/traces`), JSON.stringify(toRequest(spans)), withinMs);
  } catch {
    state.closedUntilMs = Date.now() + LEFT_ALONE_MS;
  }
}

// The address comes from the settings and not from a caller, so it may be private.
const agent = processWide('otlp-agent', () => createGuardedAgent({ allowPrivateAddresses: true }));

async function post({ origin, pathname, search }: URL, body: string, withinMs: number): Promise<void> {
  const { body: answer } = await agent.request({
    origin,
    path: pathname + search,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(withinMs),
    // A process that was frozen finds a kept connection broken.
    reset: freezesAfterRun(),
  });
  await answer.dump();
}

const toRequest = (spans: readonly Span[]) => ({
  resourceSpans: [...Map.groupBy(spans, ({ trace }) => trace.service ?? 'host')].map(([service, own]) => ({
    resource: {
      attributes: toAttributes({
        'service.name': `sinete-${service}`,
        'deployment.environment.name': stage(),
      }),
    },
    scopeSpans: [{ scope: { name: 'sinete' }, spans: own.map(toSpan) }],
  })),
});

const toSpan = ({ trace, kind, name, startMicros, endMicros, attributes, isError }: Span) => ({
  traceId: trace.traceId,
  spanId: trace.spanId,
  ...(trace.parentSpanId !== undefined && { parentSpanId: trace.parentSpanId }),
  name,
  kind: KINDS[kind],
  // Nanoseconds, which JSON has as text.
  startTimeUnixNano: `${startMicros}000`,
  endTimeUnixNano: `${endMicros}000`,
  attributes: toAttributes({ ...attributes, 'sinete.correlation_id': trace.correlationId }),
  status: isError ? { code: ERROR } : {},
});

const toAttributes = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
