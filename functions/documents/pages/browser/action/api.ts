/** The server said no, in its own vocabulary. */
export class Refused extends Error {
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
export class Lost extends Error {
  override readonly name = 'Lost';
}

export type ValidationItem = {
  readonly type: string;
  readonly message: string;
  readonly innerValidationResults?: { readonly errors: readonly ValidationItem[] };
};

/** What the start of a signature answers. Token, hash and bytes are there when it succeeded. */
export type Started = {
  readonly success: boolean;
  readonly token: string | null;
  readonly toSignHash: string | null;
  readonly toSignData: string | null;
  readonly digestAlgorithm: string;
  readonly validationResults: { readonly errors: readonly ValidationItem[] };
};

// Longer than any function of the server may take: judging a certificate asks others.
const PATIENCE_MS = 100_000;

export type Api = <T>(path: string, body: unknown) => Promise<T>;

/**
 * Calls to the server below one address. Refusals are thrown as Refused, silence as Lost.
 * @example const api = apiAt('../../../api/documents/keys/K'); await api('approval', { ticket });
 */
export const apiAt =
  (root: string): Api =>
  async (path, body) => {
    const answer = await answered(`${root}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    });
    // An approval is answered with nothing but its status.
    return orLost(async () => parsed(await answer.text()));
  };

const parsed = (text: string) => (text === '' ? undefined : JSON.parse(text));

/** The bytes at an address. */
export async function bytesAt(address: string): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await answered(address, {});
  return new Uint8Array(await orLost(() => answer.arrayBuffer()));
}

async function answered(address: string, request: RequestInit): Promise<Response> {
  const answer = await orLost(() => fetch(address, { ...request, signal: AbortSignal.timeout(PATIENCE_MS) }));
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => undefined);
  throw new Refused(String(told?.code ?? answer.status), told?.details ?? {});
}

async function orLost<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw new Lost('No answer came, or not all of it.', { cause });
  }
}
