import { SANDBOX_KEY } from '../../functions/sandbox/sandbox-data.ts';
import type { Json } from '../outside/support/contract.ts';

/** What two hosts of the same functions must answer alike. */
export type Row = {
  readonly name: string;
  readonly expected: number;
  readonly status: number;
  /** Empty where the body is: API Gateway and its emulator label that as JSON. */
  readonly mediaType: string;
  /** The keys of a JSON body and the types of their values; of any other body the bytes that say what it is. */
  readonly shape: unknown;
  readonly hasCorrelationId: boolean;
};

type Call = {
  /** 200 unless told otherwise. */
  readonly expected?: number;
  readonly method?: string;
  /** That of the sandbox unless told otherwise; null for none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object without a class is sent as JSON. */
  readonly body?: FormData | Buffer | string | Readonly<Record<string, unknown>>;
};

export type Answered = {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** Undefined where the body is no JSON. */
  readonly json: Json;
};

export type Host = {
  /** Calls an operation, and writes down its answer. Throws where a story cannot go on. */
  readonly ask: (name: string, path: string, call?: Call) => Promise<Answered>;
  /** Calls one to see how far something is. */
  readonly look: (path: string) => Promise<Answered>;
};

const DER_SEQUENCE = 0x30;

/** @example shapeOf({ id: 'x', tags: ['a'] }) // { id: 'string', tags: ['string'] } */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, shapeOf(inner)]));
}

type Body = NonNullable<ConstructorParameters<typeof Response>[0]>;

async function send(url: URL, { method, key, headers, body }: Call): Promise<Answered> {
  const isJson = typeof body === 'object' && !(body instanceof FormData) && !Buffer.isBuffer(body);
  const answer = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      ...(key !== null && { 'x-api-key': key ?? SANDBOX_KEY }),
      ...(isJson && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as Body) }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isJsonAnswer = bytes.length > 0 && /[/+]json/.test(answer.headers.get('content-type') ?? '');
  const json: Json = isJsonAnswer ? JSON.parse(bytes.toString('utf8')) : undefined;
  return { status: answer.status, headers: answer.headers, bytes, json };
}

/** @example const { host, rows } = recorder('http://localhost:3200'); await host.ask('health', '/session/healthz'); */
export function recorder(url: string): { readonly host: Host; readonly rows: readonly Row[] } {
  const rows: Row[] = [];
  const host: Host = {
    look: (path) => send(new URL(path, url), {}),
    async ask(name, path, call = {}) {
      const { expected = 200 } = call;
      const answer = await send(new URL(path, url), call);
      const { status, headers, bytes, json } = answer;
      const mediaType = bytes.length === 0 ? '' : (headers.get('content-type') ?? '');
      const shape = json === undefined ? markOf(bytes, mediaType) : shapeOf(json);
      rows.push({
        name,
        expected,
        status,
        mediaType,
        shape,
        hasCorrelationId: headers.has('x-correlation-id'),
      });
      if (status !== expected && expected < 300)
        throw new Error(`${name}: ${status} ${bytes.toString('utf8', 0, 300)}`);
      return answer;
    },
  };
  return { host, rows };
}

// The first byte of DER says that it is some, and the length to a power of ten whether it is a token or a refusal.
const markOf = (bytes: Buffer, mediaType: string): string => {
  const text = bytes.toString('utf8');
  if (mediaType.startsWith('text/html')) return /<h1[^>]*>([^<]*)/.exec(text)?.[1] ?? '';
  if (text.startsWith('%PDF-')) return '%PDF-';
  return bytes[0] === DER_SEQUENCE ? `DER of ${String(bytes.length).length} digits` : text.slice(0, 1);
};
