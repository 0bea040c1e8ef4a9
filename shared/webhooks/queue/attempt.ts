import { FetchFailed } from '../../net/errors.ts';
import { nowOf, pacingOf } from '../engine.ts';
import type { WebhookEvent } from '../event.ts';
import { type Credentials, signatureHeaders } from '../registrations/credentials.ts';
import type { AuthType, Webhook } from '../webhook.ts';
import type { Due } from './due-page.ts';
import {
  type AttemptResponse,
  type AttemptResult,
  recordingAttempt,
  recordingEventGone,
} from './record-attempt.ts';
import type { Turn } from './turn.ts';

/** The stored part of a failed attempt's answer: enough for the text of an error page. */
const RESPONSE_KEPT_BYTES = 20_480;

/** Attempts a delivery. The result is still to be committed. Undefined when the webhook was removed. */
export async function attempt(turn: Turn, { delivery, event }: Due): Promise<AttemptResult | undefined> {
  const { engine, stats, underWay } = turn;
  const started = { startedAtMs: nowOf(engine) };
  underWay.add(started);
  try {
    const webhook = await turn.webhook();
    if (!webhook) {
      stats.isRemoved = true;
      return undefined;
    }
    if (!event) return recordingEventGone(engine, delivery);
    const response = await post(turn, webhook, event);
    stats.failuresInARow = response.isConfirmed ? 0 : stats.failuresInARow + 1;
    if (response.tookMs > pacingOf(engine).slowAfterMs) stats.isSlow = true;
    return recordingAttempt(engine, delivery, response);
  } finally {
    underWay.delete(started);
  }
}

/** One call. Any 2xx confirms; everything else is a failure, a redirect included. */
async function post(
  { engine, call, credentials: open }: Turn,
  webhook: Webhook,
  event: WebhookEvent,
): Promise<AttemptResponse> {
  const { timeoutSeconds, allowPrivateNetworks } = engine.policy();
  const atMs = nowOf(engine);
  // The system's clock may be set back meanwhile.
  const timing = () => ({ atMs, tookMs: Math.max(0, nowOf(engine) - atMs) });
  const credentials = open(webhook);
  if (!credentials) return { ...timing(), isConfirmed: false, error: SEAL_NOT_OPENED };
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
    if (isConfirmed) return { ...timing(), isConfirmed, status };
    const retryAfter = [headers['retry-after']].flat()[0];
    return { ...timing(), isConfirmed, status, retryAfter, body: bytes.toString('utf8') };
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    return { ...timing(), isConfirmed: false, error: error.message };
  }
}

// Operators read it in the attempts of a delivery. The receiver is not called without its authentication.
const SEAL_NOT_OPENED =
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
    // The same for every attempt and replay, so that a receiver can detect a repeat.
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
