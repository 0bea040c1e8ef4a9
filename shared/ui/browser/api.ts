/** The server refused the request, with an error code. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly code: string;
  /** The details of the error, by name. */
  readonly details: Readonly<Record<string, string>>;
  constructor(code: string, details: Readonly<Record<string, string>>) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

/** No answer came. The server may or may not have done the request. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

// Longer than any function of the server: a provider may ask its holder once more, for two minutes.
const TIMEOUT_MS = 160_000;

export type Api = <T>(path: string, body: unknown) => Promise<T>;

type Headers = Readonly<Record<string, string>>;

/**
 * Calls the server below one address. Throws RequestRefused for a refusal and ConnectionLost without an answer.
 * @example const api = apiAt('../../../api/documents/keys/K'); await api('approval', { ticket });
 */
export const apiAt =
  (root: string, headers: Headers = {}): Api =>
  async (path, body) => {
    const answer = await sendRequest(`${root}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    // The answer to an approval has no body.
    return wrapConnectionError(async () => parseBody(await answer.text()));
  };

const parseBody = (text: string) => (text === '' ? undefined : JSON.parse(text));

/** Fetches JSON. */
export async function jsonAt<T>(address: string, headers: Headers = {}): Promise<T> {
  const answer = await sendRequest(address, { headers: { accept: 'application/json', ...headers } });
  return wrapConnectionError(() => answer.json());
}

/** Fetches bytes. */
export async function bytesAt(address: string, headers: Headers = {}): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await sendRequest(address, { headers });
  return new Uint8Array(await wrapConnectionError(() => answer.arrayBuffer()));
}

/** Sends bytes to be stored. Returns their entity tag. */
export async function storeAt(address: string, bytes: Blob, headers: Headers = {}): Promise<string> {
  const answer = await sendRequest(address, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', ...headers },
    body: bytes,
  });
  return answer.headers.get('etag') ?? '';
}

async function sendRequest(address: string, request: RequestInit): Promise<Response> {
  const answer = await wrapConnectionError(() =>
    fetch(address, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) }),
  );
  if (answer.ok) return answer;
  const refusal = await answer.json().catch(() => undefined);
  throw new RequestRefused(String(refusal?.code ?? answer.status), refusal?.details ?? {});
}

async function wrapConnectionError<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw new ConnectionLost('No answer came, or only a part of it.', { cause });
  }
}
