import { ConnectionLost, RequestRefused } from '../../../../../shared/ui/browser/api.ts';

export const STATES = ['Pending', 'Confirmed', 'Exhausted'] as const;
export type State = (typeof STATES)[number];

export type Webhook = { readonly id: string; readonly url: string; readonly authType: string };
export type Organization = {
  readonly id: string;
  readonly name: string;
  readonly identifier: string | null;
  readonly webhooks: readonly Webhook[];
};
export type Attempt = {
  readonly date: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
};
export type Delivery = {
  readonly id: string;
  readonly type: string;
  readonly state: State;
  readonly attemptCount: number;
  readonly createdDate: string;
  readonly nextAttemptDate: string | null;
  readonly lastAttempt: Attempt | null;
};
export type DeliveryDetails = Delivery & {
  readonly body: string | null;
  readonly attempts: readonly (Attempt & { readonly number: number; readonly response: string | null })[];
};
export type Page = { readonly items: readonly Delivery[]; readonly nextCursor: string | null };

/** The API key of the reader, and the organization to show. */
export type Access = { readonly key: string; readonly organizationId: string };

// A page of deliveries takes a second. A server that is silent for this long will not answer.
const TIMEOUT_MS = 30_000;

// The characters that a header can carry. No issued key has any other.
const HEADER_TEXT = /^[\x21-\x7e]+$/;

/** The REST interface for operators, limited to one organization. */
export function deliveriesApi({ key, organizationId }: Access) {
  const root = `api/organizations/${encodeURIComponent(organizationId)}`;

  async function call<T>(method: 'GET' | 'POST', path: string): Promise<T> {
    if (!HEADER_TEXT.test(key)) throw new RequestRefused('Unauthorized', {});
    const response = await send(`${root}${path}`, method, key);
    const value = await response.json().catch(() => undefined);
    if (response.ok && value !== undefined) return value;
    if (value === undefined) throw new ConnectionLost('The response is not JSON.');
    const correlationId = response.headers.get('x-correlation-id') ?? '';
    throw new RequestRefused(String(value.code), { ...value.details, correlationId });
  }
  const below = (webhookId: string, rest: string): string =>
    `/webhooks/${encodeURIComponent(webhookId)}${rest}`;
  const one = (id: string): string => `/deliveries/${encodeURIComponent(id)}`;

  return {
    organization: () => call<Organization>('GET', ''),
    list(webhookId: string, state: State | undefined, cursor: string | undefined): Promise<Page> {
      const query = new URLSearchParams({ ...(state && { state }), ...(cursor && { cursor }) });
      return call('GET', below(webhookId, `/deliveries?${query}`));
    },
    read: (webhookId: string, id: string) => call<DeliveryDetails>('GET', below(webhookId, one(id))),
    replay: (webhookId: string, id: string) => call<Delivery>('POST', below(webhookId, `${one(id)}/replay`)),
    replayFailed: (webhookId: string) =>
      call<{ replayed: number; more: boolean }>('POST', below(webhookId, '/deliveries/replay')),
    sendTest: (webhookId: string) => call<{ deliveryId: string }>('POST', below(webhookId, '/test')),
  };
}

export type DeliveriesApi = ReturnType<typeof deliveriesApi>;

async function send(address: string, method: string, key: string): Promise<Response> {
  try {
    return await fetch(address, {
      method,
      headers: { 'x-api-key': key, accept: 'application/json' },
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (cause) {
    throw new ConnectionLost('The server did not answer.', { cause });
  }
}
