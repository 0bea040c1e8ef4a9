import type { Trace } from './trace.ts';

/** What a span is of, and the kind that OpenTelemetry has for it. */
export type SpanOptions = {
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  /** Few different ones: a route, a queue, a host of the settings. Never an id or a value of a caller. */
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
};

/** How the work of a span ended. */
export type SpanEnd = { readonly isError: boolean; readonly attributes?: SpanOptions['attributes'] };

/** A span that has ended. */
export type Span = Required<SpanOptions> & {
  /** Its ids are those of the span. */
  readonly trace: Trace;
  readonly startMicros: number;
  readonly endMicros: number;
  readonly isError: boolean;
};

/** Takes spans, to send them somewhere. */
export type SpanExporter = {
  readonly nowMicros: () => number;
  readonly addSpan: (span: Span) => void;
};
