import { senderOf } from '../../../../shared/queue/outbox.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { type DueMessage, sendNow } from '../../../../shared/store/due/message.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { type Recording, recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { type Document, documentItems } from './document.ts';
import { listing } from './document-lists.ts';
import { type DocumentEvent, documentStates, notInStatus } from './document-states.ts';
import { locate } from './location.ts';
import { commonFields, type Notification } from './notifications.ts';
import { webhooks } from './webhook-engine.ts';

export type DocumentChange = {
  readonly event: DocumentEvent;
  readonly patch?: Partial<Omit<Document, 'state' | 'id'>>;
  readonly notifications?: readonly Notification[];
  readonly also?: readonly Write[];
  readonly nowMs: number;
};

/**
 * The one way to change a document. Its state, its lists, the notifications of its organization and the following
 * tasks are one write. Messages that are due at once are sent after it.
 */
export async function changeDocument(
  current: Stored<Document>,
  change: DocumentChange,
): Promise<Stored<Document>> {
  const { event, notifications = [], also = [], nowMs } = change;
  const state = documentStates.next(current.state, event);
  if (state === undefined) throw notInStatus(current, current.state, event);
  const patch = { ...change.patch, updatedAtMs: nowMs };
  const changed = { ...current, ...patch, state };
  const recorded = await recordNotifications(changed, notifications);
  const writes = [...listing(current, changed), ...recorded.writes, ...also];
  const after = await transition(documentItems, documentStates, current, event, patch, { also: writes });
  await Promise.all([recorded.wake(), sendRecordedTasks(also)]);
  return after;
}

/** The notifications of a document as it is after a change, to be committed with that change. */
async function recordNotifications(
  document: Document,
  notifications: readonly Notification[],
): Promise<Recording> {
  if (notifications.length === 0) return recording(webhooks, document.organizationId, []);
  const common = commonFields(document, await locate(document));
  const events = notifications.map(({ extra, ...event }) => ({ ...event, data: { ...common, ...extra } }));
  return recording(webhooks, document.organizationId, events);
}

const isMessage = (write: Write): write is Write & { readonly message: DueMessage } => 'message' in write;

/** Sends those tasks among committed writes that are due at once. */
export async function sendRecordedTasks(writes: readonly Write[]): Promise<void> {
  await sendNow(writes.filter(isMessage), senderOf('documents'));
}
