import type { Logger } from '../../log/logger.ts';
import { FetchFailed } from '../../net/errors.ts';
import type { GuardedFetch } from '../../net/request.ts';
import type { Stored } from '../../store/collection.ts';
import type { StoredDelivery } from '../deliveries/delivery.ts';
import { nowOf, type WebhookEngine, type Withdrawn } from '../engine.ts';
import { bodyOf, type WebhookEvent } from '../event.ts';
import {
  authorizationOf,
  type Credentials,
  openCredentials,
  signatureHeaders,
} from '../registrations/credentials.ts';
import { getWebhook } from '../registrations/lookup.ts';
import type { AuthType, Webhook } from '../webhook.ts';
import {
  type AttemptResponse,
  type AttemptResult,
  recordingAttempt,
  recordingRemoved,
  recordingWithdrawn,
} from './record-attempt.ts';
import { markIfSlow, type SlowMark } from './slow-webhooks.ts';

export type AttemptContext = {
  readonly engine: WebhookEngine;
  /** The connections of the webhook. */
  readonly call: GuardedFetch;
  /** Time has passed since `Due` was read. */
  readonly hasWaited: boolean;
  readonly log: Logger;
};

export type Due = {
  readonly delivery: Stored<StoredDelivery>;
  /** Undefined when the event is not kept any more. */
  readonly event: WebhookEvent | undefined;
  /** The mark of the webhook, if it is known as a slow one. */
  readonly slow: SlowMark | undefined;
  /** Undefined when it was removed. */
  readonly webhook: Webhook | undefined;
};

/** The stored part of a failed attempt's answer: enough for the text of an error page. */
const RESPONSE_KEPT_BYTES = 20_480;

/** Attempts a delivery. The result is still to be committed. */
export async function attempt(context: AttemptContext, due: Due): Promise<AttemptResult> {
  const { delivery, event } = due;
  const { engine } = context;
  const content = event ? await contentOf(context, delivery, event) : EVENT_GONE;
  const webhook = await currentWebhook(context, due);
  if (!webhook) return recordingRemoved(engine, delivery);
  if ('withdrawn' in content) {
    logAttempt(context, due, { outcome: 'withdrawn', error: content.withdrawn });
    return recordingWithdrawn(engine, delivery, content.withdrawn);
  }
  const response = 'error' in content ? content : await send(context, due, webhook, content);
  const result = recordingAttempt(engine, delivery, response);
  logAttempt(context, due, { ...response, outcome: result.event });
  return result;
}

// A slot and the content may each take seconds, and no attempt goes to an address or with a token from before them:
//
//   worker   |--reads the webhook--|--waits for a slot--|--renders--|--reads the webhook--|--POST--|
//   client                             |--changes it--200--|

const currentWebhook = async (
  { engine, hasWaited }: AttemptContext,
  { delivery: { owner, webhookId }, event, webhook }: Due,
): Promise<Webhook | undefined> =>
  hasWaited || event?.subject !== undefined ? getWebhook(engine, owner, webhookId) : webhook;

const EVENT_GONE: Withdrawn = { withdrawn: 'The event is not kept any more.' };

/** The text to send, and the type in it. */
type Content = Pick<WebhookEvent, 'id' | 'type' | 'body'>;

type RenderFailure = AttemptResponse & { readonly error: string };

/**
 * The stored body, or that of the subject at this moment: it says what the subject is, not what it was. A subject that
 * cannot be rendered is a failed attempt of this delivery. It is retried by the table and ends by it, and the deliveries
 * beside it go on; nothing is known of the receiver by it.
 */
async function contentOf(
  { engine, log }: AttemptContext,
  { webhookId }: StoredDelivery,
  event: WebhookEvent,
): Promise<Content | Withdrawn | RenderFailure> {
  const { id, subject, owner } = event;
  if (subject === undefined) return event;
  const atMs = nowOf(engine);
  try {
    if (!engine.render) throw new Error(`The webhooks of ${engine.service} render no subjects.`);
    const rendered = await engine.render(subject, owner);
    if ('withdrawn' in rendered) return rendered;
    const { type, data } = rendered;
    return { id, type, body: bodyOf(engine, type, data) };
  } catch (error) {
    log.warn('The content of an event could not be read. It is tried again later.', {
      ...{ webhookId, eventId: id, subject, error },
    });
    return { atMs, tookMs: Math.max(0, nowOf(engine) - atMs), isConfirmed: false, error: NOT_RENDERED };
  }
}

const NOT_RENDERED = 'Nothing was sent: the content of the event could not be read. The log has the cause.';

/** Calls the receiver, and marks the webhook if it is a slow one. */
async function send(
  context: AttemptContext,
  { slow }: Due,
  webhook: Webhook,
  content: Content,
): Promise<AttemptResponse> {
  const { engine, log } = context;
  const response = await markIfSlow(engine, webhook.id, { known: slow, log }, () =>
    post(context, webhook, content),
  );
  return { ...response, type: content.type };
}

/** One call. Any 2xx confirms; everything else is a failure, a redirect included. */
async function post(
  { engine, call }: AttemptContext,
  webhook: Webhook,
  content: Content,
): Promise<AttemptResponse> {
  const { timeoutSeconds, allowPrivateNetworks } = engine.policy();
  const atMs = nowOf(engine);
  // The system's clock may be set back meanwhile.
  const timing = () => ({ atMs, tookMs: Math.max(0, nowOf(engine) - atMs) });
  const opened = await openCredentials(engine, webhook);
  if ('problem' in opened) return { ...timing(), isConfirmed: false, error: notOpened(opened.problem) };
  try {
    const { status, headers, bytes } = await call({
      url: webhook.url,
      method: 'POST',
      headers: headersOf(webhook.authType, opened.plain, content, atMs),
      body: content.body,
      maxBytes: RESPONSE_KEPT_BYTES,
      beginningIsEnough: true,
      timeoutMs: timeoutSeconds * 1000,
      allowPrivateAddresses: allowPrivateNetworks,
      carriesTrace: true,
      callee: 'webhook',
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
const notOpened = (problem: string): string =>
  `The token of this webhook does not open: ${problem} Or change the webhook, and send its token and secret again.`;

function headersOf(
  authType: AuthType,
  { token, secret }: Credentials,
  { id, body }: Content,
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

/**
 * One line for each attempt where the log is the only list of deliveries, and elsewhere for each delivery that is given up.
 * It has no path, token or content.
 */
function logAttempt(
  { engine, log }: AttemptContext,
  { delivery, event }: Due,
  {
    outcome,
    type = delivery.type,
    status,
    error,
    tookMs,
  }: Partial<AttemptResponse> & { readonly outcome: string },
): void {
  const { webhookId, eventId, attempts } = delivery;
  const { subject } = event ?? {};
  const about = { webhookId, eventId, type, subject, attempt: attempts + 1 };
  const isTold = engine.logsAttempts || outcome === 'exhausted' || outcome === 'withdrawn';
  (isTold ? log.info : log.debug)('webhook attempted', { ...about, outcome, status, error, tookMs });
}
