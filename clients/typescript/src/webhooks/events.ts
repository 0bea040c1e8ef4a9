import type { webhooks as CredentialsWebhooks } from '../types/credentials.ts';
import type { webhooks as DocumentsWebhooks } from '../types/documents.ts';
import type { webhooks as PkiWebhooks } from '../types/pki.ts';

type BodyOf<Webhook> = Webhook extends {
  post: { requestBody: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;
type EventsOf<Webhooks> = { [Type in keyof Webhooks]: BodyOf<Webhooks[Type]> }[keyof Webhooks];

/** An event of the document-signature platform. */
export type DocumentsEvent = EventsOf<DocumentsWebhooks>;
/** An event of the credential-issuing platform. */
export type CredentialsEvent = EventsOf<CredentialsWebhooks>;
/** An event of the PKI core. */
export type PkiEvent = EventsOf<PkiWebhooks>;

/** An event of any service. A service that is newer than this client may send other types: leave them be. */
export type WebhookEvent = DocumentsEvent | CredentialsEvent | PkiEvent;

/** One event by its type. @example function store(event: EventOf<'DocumentConcluded'>) … */
export type EventOf<Type extends WebhookEvent['type']> = Extract<WebhookEvent, { type: Type }>;

/** The body is no event: no JSON, or without a type or what it is about. */
export class NoEvent extends Error {
  override readonly name = 'NoEvent';
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads the body of a webhook. It checks no token and no signature: `webhookReceiver` does.
 * @example const event = parseEvent(body); if (event.type === 'DocumentSigned') event.data.signature.name
 */
export function parseEvent(body: Uint8Array | string): WebhookEvent {
  const event = jsonOf(typeof body === 'string' ? body : new TextDecoder().decode(body));
  if (!isObject(event) || typeof event.type !== 'string' || event.type === '')
    throw new NoEvent('The body is no event: it has no type.');
  // The PKI core says `document` where the platforms say `data`.
  if (!isObject(event.data) && !isObject(event.document))
    throw new NoEvent(`The body is no event: ${event.type} has no data.`);
  return event as unknown as WebhookEvent;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NoEvent('The body is no event: it is no JSON.');
  }
}
