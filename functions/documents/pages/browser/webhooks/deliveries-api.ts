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

/** Who asks, and about which organization. */
export type Access = { readonly key: string; readonly organizationId: string };

// A page of deliveries is there in a second; a server that says nothing for this long will not.
const PATIENCE_MS = 30_000;

// What a header can carry. A key with anything else in it was not issued by anybody.
const HEADER_TEXT = /^[\x21-\x7e]+$/;

/** The operators' interface, as one organization's keys see it. */
export function deliveriesApi({ key, organizationId }: Access) {
  const root = `api/organizations/${encodeURIComponent(organizationId)}`;

  async function ask<T>(method: 'GET' | 'POST', path: string): Promise<T> {
    if (!HEADER_TEXT.test(key)) throw new RequestRefused('Unauthorized', {});
    const answer = await send(`${root}${path}`, method, key);
    const value = await answer.json().catch(() => undefined);
    if (answer.ok && value !== undefined) return value;
    if (value === undefined) throw new ConnectionLost('The answer is no JSON.');
    const correlationId = answer.headers.get('x-correlation-id') ?? '';
    throw new RequestRefused(String(value.code), { ...value.details, correlationId });
  }
  const below = (webhookId: string, rest: string): string =>
    `/webhooks/${encodeURIComponent(webhookId)}${rest}`;
  const one = (id: string): string => `/deliveries/${encodeURIComponent(id)}`;

  return {
    organization: () => ask<Organization>('GET', ''),
    list(webhookId: string, state: State | undefined, cursor: string | undefined): Promise<Page> {
      const query = new URLSearchParams({ ...(state && { state }), ...(cursor && { cursor }) });
      return ask('GET', below(webhookId, `/deliveries?${query}`));
    },
    read: (webhookId: string, id: string) => ask<DeliveryDetails>('GET', below(webhookId, one(id))),
    replay: (webhookId: string, id: string) => ask<Delivery>('POST', below(webhookId, `${one(id)}/replay`)),
    replayFailed: (webhookId: string) =>
      ask<{ replayed: number; more: boolean }>('POST', below(webhookId, '/deliveries/replay')),
    sendTest: (webhookId: string) => ask<{ deliveryId: string }>('POST', below(webhookId, '/test')),
  };
}

export type DeliveriesApi = ReturnType<typeof deliveriesApi>;

async function send(address: string, method: string, key: string): Promise<Response> {
  try {
    return await fetch(address, {
      method,
      headers: { 'x-api-key': key, accept: 'application/json' },
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (cause) {
    throw new ConnectionLost('No answer came.', { cause });
  }
}
