import { isoDate } from '../calendar.ts';
import type { ActionRefusal, Completion, FlowAction, Person } from '../flow/flow.ts';
import { shownId } from '../guids.ts';
import { publicPartOf } from '../places/organization.ts';
import type { Author, Document } from './document.ts';
import type { DocumentLocation } from './location.ts';

/** The events that webhooks receive. InvoiceClosed goes to the billing webhook of the instance instead. */
export const EVENT_TYPES = [
  'DocumentsCreated',
  'DocumentSigned',
  'DocumentApproved',
  'DocumentRefused',
  'DocumentConcluded',
  'DocumentCanceled',
  'DocumentExpired',
  'DocumentDeleted',
  'InvoiceClosed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** One event without the document's common fields, which are added when it is recorded. */
export type Notification = {
  readonly type: EventType;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly delaySeconds?: number;
};

/** The fields of every event of a document. A personal document has no organization. */
export function commonFields(document: Document, { folder, organization }: DocumentLocation) {
  const owner = organization?.identifier == null ? null : organization;
  return {
    id: document.id,
    name: document.name,
    creationDate: isoDate(document.createdAtMs),
    updateDate: isoDate(document.updatedAtMs),
    folder: folder
      ? { id: folder.id, name: folder.name, parentId: folder.parentId, organizationName: owner?.name ?? null }
      : null,
    organization: owner && publicPartOf(owner),
    createdBy: namedAuthor(document.createdBy),
  };
}

/** A user or an application as answers and events show it. */
export const shownAuthor = ({ id, name, type }: Author): Author => ({
  id: shownId(type === 'Application' ? 'application' : 'person', id),
  name,
  type,
});

function namedAuthor(author: Author) {
  const { id, name } = shownAuthor(author);
  return { id, name };
}

const describeAct = (action: FlowAction, by: Person, atMs: number) => ({
  flowActionId: action.id,
  date: isoDate(atMs),
  userId: shownId('person', by.id),
  name: by.name,
  identifier: by.identifier,
  emailAddress: by.emailAddress,
});

export const signedNotification = (action: FlowAction, { by, atMs }: Completion): Notification => ({
  type: 'DocumentSigned',
  extra: { signature: describeAct(action, by, atMs) },
});

export const approvedNotification = (action: FlowAction, { by, atMs }: Completion): Notification => ({
  type: 'DocumentApproved',
  extra: { approval: describeAct(action, by, atMs) },
});

export const refusedNotification = (
  action: FlowAction,
  { by, atMs, reason }: ActionRefusal,
): Notification => ({
  type: 'DocumentRefused',
  extra: { refusal: { ...describeAct(action, by, atMs), reason } },
});

/** An application refused the document as a whole: no action, and nobody of its flow. */
export function refusedAsWholeNotification(by: Author, atMs: number, reason: string): Notification {
  const { id: userId, name } = shownAuthor(by);
  const date = isoDate(atMs);
  const refusal = { flowActionId: null, date, userId, name, identifier: null, emailAddress: null, reason };
  return { type: 'DocumentRefused', extra: { refusal } };
}

export const canceledNotification = (by: Author, reason: string | null): Notification => ({
  type: 'DocumentCanceled',
  extra: { canceledBy: shownAuthor(by), reason },
});
