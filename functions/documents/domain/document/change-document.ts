import { senderOf } from '../../../../shared/queue/outbox.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { type DueMessage, sendNow } from '../../../../shared/store/due/message.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { type Recording, recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { type Document, documentItems } from './document.ts';
import { listing } from './document-lists.ts';
import { type DocumentEvent, documentStates } from './document-states.ts';
import { notIn } from './not-in-status.ts';
import { commonFields, type Notice } from './notices.ts';
import { surroundingsOf } from './surroundings.ts';
import { webhooks } from './webhook-engine.ts';

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
  if (state === undefined) throw notIn(current, current.state, event);
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
