import type { Stored } from '../../../../shared/store/collection.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { type Recording, recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { cancelingExpiry } from '../tasks.ts';
import { type Document, documentItems } from './document.ts';
import { listing } from './document-lists.ts';
import { type DocumentEvent, documentStates, notInStatus } from './document-states.ts';
import { type DocumentLocation, locate } from './location.ts';
import { announcingNews, newsOf } from './mail-announcement.ts';
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
 * The one way to change a document. Its state, its lists, the notifications of its organization, the mail to its people
 * and the following tasks are one write. Messages that are due at once are sent after it.
 */
export async function changeDocument(
  current: Stored<Document>,
  change: DocumentChange,
): Promise<Stored<Document>> {
  const { event, also = [], nowMs } = change;
  const state = documentStates.next(current.state, event);
  if (state === undefined) throw notInStatus(current, current.state, event);
  const patch = { ...change.patch, updatedAtMs: nowMs };
  const changed = { ...current, ...patch, state };
  const news = newsOf(current, changed, event);
  const { notifications = [] } = change;
  // Read now, whatever the caller has seen: webhooks and mail that were changed since count for this change.
  const location = notifications.length > 0 || news ? await locate(changed) : undefined;
  const recorded = await recordNotifications(changed, notifications, location);
  const writes = [
    ...listing(current, changed),
    ...recorded.writes,
    ...announcingNews(changed, location?.organization, news),
    ...endingExpiry(current, event),
    ...also,
  ];
  const after = await transition(documentItems, documentStates, current, event, patch, { also: writes });
  return after;
}

// A refused document can get a new version and expire later. After these events no document can.
const EXPIRES_NO_MORE: ReadonlySet<DocumentEvent> = new Set(['completed', 'canceled', 'expired']);

const endingExpiry = ({ id, expiresAtMs }: Document, event: DocumentEvent): Write[] =>
  expiresAtMs !== null && EXPIRES_NO_MORE.has(event) ? [cancelingExpiry(id)] : [];

/** The notifications of a document as it is after a change, to be committed with that change. */
async function recordNotifications(
  document: Document,
  notifications: readonly Notification[],
  location: DocumentLocation | undefined,
): Promise<Recording> {
  if (notifications.length === 0 || !location) return recording(webhooks, document.organizationId, []);
  const common = commonFields(document, location);
  const events = notifications.map(({ extra, ...event }) => ({ ...event, data: { ...common, ...extra } }));
  return recording(webhooks, document.organizationId, events, location.webhooks);
}
