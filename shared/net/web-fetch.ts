import { guardedFetch } from './guarded.ts';

/** The part of a fetch call that libraries use. */
type WebRequest = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
};

type Limits = { readonly maxBytes: number; readonly timeoutMs: number };

/**
 * `guardedFetch` in the form of the web's fetch, for libraries that take one of their own. Redirects are answers: none
 * is followed.
 * @example const options = { [customFetch]: webFetch({ maxBytes: 1_000_000, timeoutMs: 5_000 }) };
 */
export const webFetch =
  (limits: Limits) =>
  async (url: string, { method, headers, body, signal }: WebRequest): Promise<Response> => {
    const sent = bodyOf(body);
    const answer = await guardedFetch({
      url,
      method: methodOf(method),
      headers,
      ...(sent !== undefined && { body: sent }),
      ...(signal && { signal }),
      ...limits,
    });
    const lines = Object.entries(answer.headers).flatMap(([name, values]) =>
      [values ?? []].flat().map((value): [string, string] => [name, value]),
    );
    const bytes = answer.bytes.length > 0 ? new Uint8Array(answer.bytes) : null;
    return new Response(bytes, { status: answer.status, headers: lines });
  };

function methodOf(method: string): 'GET' | 'POST' {
  if (method === 'GET' || method === 'POST') return method;
  throw new TypeError(`The method ${method} is not one that is sent: GET or POST.`);
}

function bodyOf(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return String(body);
  throw new TypeError('The body is not one that is sent: text, bytes or a form.');
}
