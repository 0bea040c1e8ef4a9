import type { Readable } from 'node:stream';

/** Whether private and loopback addresses may be called: all, none, or those of some networks. */
export type PrivateReach = boolean | readonly string[];

export type GuardedRequest = {
  readonly url: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** `Host` is always that of the address. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream is sent as it is read. With a content-length among the headers, another number of bytes fails. */
  readonly body?: Uint8Array | string | Readable;
  /** A larger answer is aborted while it is read. */
  readonly maxBytes: number;
  /** Accepts the beginning of an answer that is too large, breaks off or is late: for callers that need the status. */
  readonly beginningIsEnough?: boolean;
  /** From the start to the last byte, redirects included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** The number of redirects of a GET or HEAD to follow, each checked like the first address. None by default. */
  readonly redirects?: number;
  /** By default the setting Network:AllowPrivateAddresses. */
  readonly allowPrivateAddresses?: PrivateReach | undefined;
  /** Carries the correlation id and the trace: for services of ours, and for receivers of webhooks. */
  readonly carriesTrace?: boolean;
  /** Names the span of the call in place of the host, where a caller has chosen the address. */
  readonly callee?: string;
};

export type GuardedAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
};

/** An answer with its body as a stream. The caller reads it to its end or destroys it: it holds a connection. */
export type StreamedAnswer = Omit<GuardedAnswer, 'bytes'> & { readonly stream: Readable };

export type GuardedStream = (
  request: Omit<GuardedRequest, 'maxBytes' | 'beginningIsEnough' | 'redirects'>,
) => Promise<StreamedAnswer>;

export type GuardedFetch = (request: GuardedRequest) => Promise<GuardedAnswer>;

/** A request with a checked address. */
export type Call = Omit<GuardedRequest, 'url'> & { readonly url: URL };
