/** The server said no, in its own vocabulary. */
export class RequestRefused extends Error {
  override readonly name = 'Refused';
  readonly code: string;
  /** The texts that go with the code, by name. */
  readonly details: Readonly<Record<string, string>>;
  constructor(code: string, details: Readonly<Record<string, string>>) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

/** No answer came: whether the server did what it was asked is not known. */
export class ConnectionLost extends Error {
  override readonly name = 'Lost';
}

// Longer than any function of the server may take: judging a certificate asks others.
const TIMEOUT_MS = 100_000;

export type Api = <T>(path: string, body: unknown) => Promise<T>;

type Headers = Readonly<Record<string, string>>;

/**
 * Calls to the server below one address. Refusals are thrown as Refused, silence as Lost.
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
    // An approval is answered with nothing but its status.
    return wrapConnectionError(async () => parseBody(await answer.text()));
  };

const parseBody = (text: string) => (text === '' ? undefined : JSON.parse(text));

/** The JSON at an address. */
export async function jsonAt<T>(address: string, headers: Headers = {}): Promise<T> {
  const answer = await sendRequest(address, { headers: { accept: 'application/json', ...headers } });
  return wrapConnectionError(() => answer.json());
}

/** The bytes at an address. */
export async function bytesAt(address: string, headers: Headers = {}): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await sendRequest(address, { headers });
  return new Uint8Array(await wrapConnectionError(() => answer.arrayBuffer()));
}

async function sendRequest(address: string, request: RequestInit): Promise<Response> {
  const answer = await wrapConnectionError(() =>
    fetch(address, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) }),
  );
  if (answer.ok) return answer;
  const refusal = await answer.json().catch(() => undefined);
  throw new RequestRefused(String(refusal?.code ?? answer.status), refusal?.details ?? {});
}

async function wrapConnectionError<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw new ConnectionLost('No answer came, or not all of it.', { cause });
  }
}
