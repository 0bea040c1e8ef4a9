import type { Answer, Receiver } from './receiver.ts';

// The frameworks, as far as they are used: none of them is imported.

/** For whatever takes a Request and gives a Response: Deno, Bun, Cloudflare, and the frameworks below. */
export const forFetch =
  (receive: Receiver) =>
  async (request: Request): Promise<Response> => {
    const { status, text, headers } = await receive({
      method: request.method,
      header: (name) => request.headers.get(name) ?? undefined,
      body: (maxBytes) => bytesOf(request.body ?? [], maxBytes),
    });
    return new Response(status === 204 ? null : text, {
      status,
      ...(headers && { headers: { ...headers } }),
    });
  };

/** @example app.post('/webhooks', forHono(receiver)); */
export const forHono = (receive: Receiver) => {
  const handle = forFetch(receive);
  return (context: { readonly req: { readonly raw: Request } }): Promise<Response> => handle(context.req.raw);
};

/** The handler of a `route.ts`. `next build` loads it too, so it needs the token. @example export const POST = forNext(receiver); */
export const forNext = (receive: Receiver) => forFetch(receive);

type NodeRequest = AsyncIterable<Uint8Array> & {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: unknown;
  iterator?(options: { readonly destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
};
type NodeResponse = {
  writeHead(status: number, headers: Record<string, string>): { end(text: string): unknown };
};

/** Before express.json(), which would leave no bytes to check. @example app.post('/webhooks', forExpress(receiver)); */
export const forExpress =
  (receive: Receiver) =>
  async (request: NodeRequest, response: NodeResponse, next: (error: unknown) => void): Promise<void> => {
    try {
      const answer = await receive({
        method: request.method ?? '',
        header: (name) => [request.headers[name]].flat()[0],
        body: (maxBytes) => bytesOf(readBefore(request), maxBytes),
      });
      // What is left of a body that was too large is not read.
      const closing = answer.status === 413 && { connection: 'close' };
      response.writeHead(answer.status, { ...textHeaders(answer), ...closing }).end(answer.text);
    } catch (error) {
      next(error);
    }
  };

/** The bytes that express.raw() has read, or the request itself. */
function readBefore(request: NodeRequest): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  // The request stays open when reading stops early: the answer needs its connection.
  if (request.body === undefined) return request.iterator?.({ destroyOnReturn: false }) ?? request;
  if (request.body instanceof Uint8Array) return [request.body];
  throw new Error(
    'The body was parsed before the webhook could check its bytes. Put the webhook before express.json().',
  );
}

type LambdaEvent = {
  readonly httpMethod?: string;
  readonly requestContext?: { readonly http?: { readonly method?: string } };
  readonly headers?: Readonly<Record<string, string | undefined>> | null;
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
};
type LambdaResult = { statusCode: number; headers: Record<string, string>; body: string };

/** Behind API Gateway, of either version, or a function URL. @example export const handler = forLambda(receiver); */
export const forLambda =
  (receive: Receiver) =>
  async (event: LambdaEvent): Promise<LambdaResult> => {
    const headers = Object.entries(event.headers ?? {});
    const text = event.body ?? '';
    const bytes = event.isBase64Encoded
      ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
      : new TextEncoder().encode(text);
    const answer = await receive({
      method: event.httpMethod ?? event.requestContext?.http?.method ?? '',
      header: (name) => headers.find(([key]) => key.toLowerCase() === name)?.[1],
      body: (maxBytes) => bytesOf([bytes], maxBytes),
    });
    return { statusCode: answer.status, headers: textHeaders(answer), body: answer.text };
  };

const textHeaders = ({ text, headers }: Answer): Record<string, string> => ({
  ...(text !== '' && { 'content-type': 'text/plain; charset=utf-8' }),
  ...headers,
});

/** The chunks as one, or undefined where they are more than this. */
async function bytesOf(
  chunks: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    read.push(chunk);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of read) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
