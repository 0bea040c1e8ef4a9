import { guardedFetch } from './guarded.ts';

type JsonRequest = {
  readonly url: string;
  /** A body makes it a POST. */
  readonly json?: unknown;
  /** Of a service that speaks our protocols. It gets the trace too. */
  readonly apiKey?: string;
  /** Of any other; none where it is empty. */
  readonly bearer?: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
};

/**
 * Asks a service at an address of the settings, which may be private: no caller has chosen it. Throws FetchFailed only; any
 * status is an answer. `value` is undefined where the answer is not JSON.
 * @example const { status, value } = await askJson({ url: `${hub}/api/sessions`, apiKey, json, maxBytes, timeoutMs });
 */
export async function askJson({ url, json, apiKey, bearer, ...limits }: JsonRequest) {
  const hasBody = json !== undefined;
  const { status, bytes } = await guardedFetch({
    url,
    allowPrivateAddresses: true,
    carriesTrace: apiKey !== undefined,
    method: hasBody ? 'POST' : 'GET',
    headers: {
      accept: 'application/json',
      ...(apiKey !== undefined && { 'x-api-key': apiKey }),
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(json) }),
    ...limits,
  });
  return { status, value: parseJson(bytes) };
}

/** The JSON of an answer; undefined where it is none. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
