import { setTimeout as pause } from 'node:timers/promises';
import { senderOf } from '../../../shared/queue/due.ts';
import type { Stored } from '../../../shared/store/collection.ts';
import { type DueMessage, sendNow } from '../../../shared/store/due.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { type EventOf, transition } from '../../../shared/store/state-machine.ts';
import type { Write } from '../../../shared/store/write.ts';
import { type Recording, recording } from '../../../shared/webhooks/recording.ts';
import { errors } from '../errors.ts';
import { type Document, documentItems } from './document.ts';
import { listing } from './document-lists.ts';
import { documentStates } from './document-states.ts';
import { commonFields, type Notice, surroundingsOf } from './notices.ts';
import { webhooks } from './webhooks/webhook-engine.ts';

export type DocumentEvent = EventOf<typeof documentStates>;

export type Change = {
  readonly event: DocumentEvent;
  readonly patch?: Partial<Omit<Document, 'state' | 'id'>>;
  readonly notices?: readonly Notice[];
  readonly also?: readonly Write[];
  readonly nowMs: number;
};

/**
 * The one way a document changes: its state by the table, the lists it stands in, what its organization is told
 * and the work that follows, all in one write or not at all. What is to be sent at once is sent after it.
 */
export async function changeDocument(current: Stored<Document>, change: Change): Promise<Stored<Document>> {
  const { event, notices = [], also = [], nowMs } = change;
  const state = documentStates.next(current.state, event);
  if (state === undefined) {
    throw errors.refuse('InvalidDocumentStatus', {
      documentId: current.id,
      status: current.state,
      operation: event,
    });
  }
  const patch = { ...change.patch, updatedAtMs: nowMs };
  const changed = { ...current, ...patch, state };
  const told = await telling(changed, notices);
  const writes = [...listing(current, changed), ...told.writes, ...also];
  const after = await transition(documentItems, documentStates, current, event, patch, { also: writes });
  await Promise.all([told.wake(), sendRecorded(also)]);
  return after;
}

/** What is told of a document as it is after a change, to be recorded with that change. */
export async function telling(document: Document, notices: readonly Notice[]): Promise<Recording> {
  if (notices.length === 0) return recording(webhooks, document.organizationId, []);
  const common = commonFields(document, await surroundingsOf(document));
  const whole = notices.map(({ extra, ...notice }) => ({ ...notice, data: { ...common, ...extra } }));
  return recording(webhooks, document.organizationId, whole);
}

const isMessage = (write: Write): write is Write & { readonly message: DueMessage } => 'message' in write;

/** Sends the tasks among committed writes that are due at once. */
export async function sendRecorded(writes: readonly Write[]): Promise<void> {
  await sendNow(writes.filter(isMessage), senderOf('documents'));
}

// Each round one of a crowd wins. With pauses that grow to about half a second, and differ, the largest rule of a flow
// acting at one moment is through in some ten seconds; without them they meet again and again.
const TRIES = 40;
const FIRST_PAUSE_MS = 10;
const MOST_DOUBLINGS = 6;

/**
 * Reads, decides and changes again when somebody else was faster, so that a caller is told of a race only by
 * what it decided.
 * @example return deciding(async () => cancel(await findDocument(id, caller), reason));
 */
export async function deciding<T>(decide: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof RaceLost) || tries >= TRIES) throw error;
      await pause(Math.random() * FIRST_PAUSE_MS * 2 ** Math.min(tries, MOST_DOUBLINGS));
    }
  }
}
