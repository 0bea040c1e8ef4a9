import { checksOf, type HeaderOf, type Registered } from './checks.ts';
import { NoEvent, parseEvent, type WebhookEvent } from './events.ts';
import { rememberEvents, type SeenEvents } from './seen-events.ts';

/** What is known of a delivery beside its event. */
export type Delivery = {
  /** The same for every attempt of an event. */
  readonly id: string;
  /** Of the call that caused the event: the service's log has it. */
  readonly correlationId: string | undefined;
};

export type ReceiverOptions = Registered & {
  /**
   * Takes an event. It is confirmed when this returns, and comes again when it throws. A receiver has 30 seconds: put what
   * takes longer into a queue. Events may be late and out of order; ask the service for the current state.
   */
  readonly handle: (event: WebhookEvent, delivery: Delivery) => Promise<void> | void;
  /** By default the latest 10,000 events, in memory. */
  readonly seen?: SeenEvents | undefined;
  readonly now?: (() => number) | undefined;
};

/** A request, whatever the framework. The body is read once the token was found right. */
export type ReceivedRequest = {
  readonly method: string;
  readonly header: HeaderOf;
  /** The bytes as they came, or undefined where there are more of them than this. */
  readonly body: (maxBytes: number) => Promise<Uint8Array | undefined>;
};

/** What the sender is answered. It shows the text to its operators. */
export type Answer = {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Receiver = (request: ReceivedRequest) => Promise<Answer>;

// An event names at most 100 documents: some 100 KB.
const MAX_BODY_BYTES = 1_048_576;
const WEBHOOK_ID = /^[\w-]{1,100}$/;

const CONFIRMED: Answer = { status: 204, text: '' };
const refused = (status: number, text: string): Answer => ({ status, text });

/**
 * Receives webhooks: checks the token and the signature, and handles each event once. An adapter gives it to a framework.
 * @example app.post('/webhooks', forHono(webhookReceiver({ authType: 'Bearer', token, handle: (event) => … })));
 */
export function webhookReceiver(options: ReceiverOptions): Receiver {
  const { handle, seen = rememberEvents(), now = Date.now } = options;
  const { hasToken, hasSignature } = checksOf(options);
  return async ({ method, header, body }) => {
    if (method !== 'POST') return refused(405, 'Webhooks are sent with POST.');
    if (!(await hasToken(header))) return refused(401, 'The token is missing or wrong.');
    const bytes = await body(MAX_BODY_BYTES);
    if (!bytes) return refused(413, 'The body is larger than any event.');
    if (!(await hasSignature(header, bytes, now())))
      return refused(401, 'The signature is missing or wrong.');
    const id = header('webhook-id') ?? '';
    if (!WEBHOOK_ID.test(id)) return refused(400, 'The header webhook-id is missing.');
    const event = eventOf(bytes);
    if (event instanceof NoEvent) return refused(400, event.message);
    return handleOnce(seen, id, () => handle(event, { id, correlationId: header('x-correlation-id') }));
  };
}

function eventOf(bytes: Uint8Array): WebhookEvent | NoEvent {
  try {
    return parseEvent(bytes);
  } catch (error) {
    if (error instanceof NoEvent) return error;
    throw error;
  }
}

// The sender gives up after 30 s, and sends the event again while the first is at work:
//
//   first   |--begin: new ------- handle ------------ fails, end(false) --|
//   second           |--begin: running, 503 --|
//   third                                               |--begin: new ---- handle, end(true), 204
//
// A second that was confirmed would have lost the event.
async function handleOnce(seen: SeenEvents, id: string, work: () => Promise<void> | void): Promise<Answer> {
  const state = await seen.begin(id);
  if (state === 'handled') return CONFIRMED;
  if (state === 'running')
    return { ...refused(503, 'This event is at work here.'), headers: { 'retry-after': '30' } };
  try {
    await work();
  } catch (error) {
    await seen.end(id, false);
    throw error;
  }
  await seen.end(id, true);
  return CONFIRMED;
}
