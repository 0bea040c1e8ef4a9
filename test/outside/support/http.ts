import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';

export type Answered = {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
};

export type Body = NonNullable<ConstructorParameters<typeof Response>[0]>;

export type RequestOptions = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
  /** The address that the call comes from, such as 127.0.0.9: what is counted by address is counted apart. */
  readonly from?: string;
  /** A file of the authorities that an https server may be certified by, instead of those of Node. */
  readonly trust?: string;
};

/** One call, whose redirects are not followed. What fetch cannot do is why this is not fetch: `from` and `trust`. */
export async function ask(url: string, options: RequestOptions = {}): Promise<Answered> {
  const { method = 'GET', from, trust, body } = options;
  // Forms become bytes with a boundary, texts get their type.
  const whole = body === undefined ? undefined : new Response(body);
  const type = whole?.headers.get('content-type');
  const bytes = whole && Buffer.from(await whole.arrayBuffer());
  const headers = {
    ...(type && { 'content-type': type }),
    ...(bytes && { 'content-length': String(bytes.length) }),
    ...options.headers,
  };
  const ca = trust === undefined ? undefined : readFileSync(trust);
  return new Promise((done, fail) => {
    const settings = { method, headers, ...(from && { localAddress: from, family: 4 }), ...(ca && { ca }) };
    const request = (url.startsWith('https:') ? https : http).request(url, settings, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', fail);
      response.on('end', () =>
        done({
          status: response.statusCode ?? 0,
          headers: new Headers(response.headersDistinct as unknown as Record<string, string>),
          bytes: Buffer.concat(parts),
        }),
      );
    });
    // A refusal may come before the whole body was sent: its answer counts, and not the connection that ends then.
    request.on('error', fail);
    request.end(bytes);
  });
}
