import { FetchFailed } from '../../net/errors.ts';
import type { GuardedFetch } from '../../net/guarded.ts';
import type { Outcome } from '../deliveries/delivery.ts';
import { nowOf, type WebhookEngine } from '../engine.ts';
import type { WebhookEvent } from '../event.ts';
import { type Credentials, credentialsOf } from '../registrations/credentials.ts';
import { signatureHeaders } from '../registrations/signature.ts';
import type { AuthType, Webhook } from '../webhook.ts';

/** What is kept of a failed attempt's answer: enough for an error page's own words. */
const RESPONSE_KEPT_BYTES = 20_480;

export type Attempted = Outcome & {
  readonly isConfirmed: boolean;
  /** The beginning of the answer's body, when the attempt failed. */
  readonly body?: string | undefined;
  readonly retryAfter?: string | undefined;
};

/** One attempt. Any 2xx confirms; everything else is a failure, a redirect included. */
export async function post(
  engine: WebhookEngine,
  call: GuardedFetch,
  webhook: Webhook,
  event: WebhookEvent,
): Promise<Attempted> {
  const { timeoutSeconds, allowPrivateNetworks } = engine.policy();
  const atMs = nowOf(engine);
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  const credentials = credentialsOf(engine, webhook);
  if (!credentials) return { atMs, tookMs: took(), isConfirmed: false, error: NOT_OPENED };
  try {
    const { status, headers, bytes } = await call({
      url: webhook.url,
      method: 'POST',
      headers: headersOf(webhook.authType, credentials, event, atMs),
      body: event.body,
      maxBytes: RESPONSE_KEPT_BYTES,
      beginningIsEnough: true,
      timeoutMs: timeoutSeconds * 1000,
      allowPrivateAddresses: allowPrivateNetworks,
    });
    const isConfirmed = status >= 200 && status < 300;
    if (isConfirmed) return { atMs, tookMs: took(), isConfirmed, status };
    const retryAfter = [headers['retry-after']].flat()[0];
    return { atMs, tookMs: took(), isConfirmed, status, retryAfter, body: bytes.toString('utf8') };
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    return { atMs, tookMs: took(), isConfirmed: false, error: error.message };
  }
}

// Told to operators in the delivery's attempts. The receiver is not called without what it asks for.
const NOT_OPENED =
  'The token of this webhook does not open: Webhooks:SealingKey is another one, or the address was changed in the store. Change the webhook, and send its token and secret again.';

function headersOf(
  authType: AuthType,
  { token, secret }: Credentials,
  { id, body }: WebhookEvent,
  nowMs: number,
): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Sinete',
    ...authorizationOf(authType, token),
    // The same for every attempt and replay, so that a receiver knows a repeat.
    'webhook-id': id,
    ...(secret !== undefined && signatureHeaders(secret, id, body, nowMs)),
  };
}

function authorizationOf(authType: AuthType, token: string): Record<string, string> {
  switch (authType) {
    case 'Basic':
    case 'Bearer':
      return { authorization: `${authType} ${token}` };
    case 'ApiKey':
      return { 'x-api-key': token };
    case 'NoAuth':
      return {};
  }
}
