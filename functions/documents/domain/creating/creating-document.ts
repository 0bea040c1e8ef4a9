import type { Write } from '../../../../shared/store/write.ts';
import { type Recording, recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { settings } from '../../settings.ts';
import { counting, storing } from '../billing/usage.ts';
import { pointingTo } from '../document/action-pointers.ts';
import { type Document, documentItems } from '../document/document.ts';
import { listing } from '../document/document-lists.ts';
import type { DocumentLocation } from '../document/location.ts';
import { announcingNews, newsOf } from '../document/mail-announcement.ts';
import { commonFields } from '../document/notifications.ts';
import { webhooks } from '../document/webhook-engine.ts';
import type { Flow } from '../flow/flow.ts';
import { flowOfFile, startFlow } from '../flow/new-flow.ts';
import type { Organization } from '../places/organization.ts';
import { expiryMessage } from '../tasks.ts';
import { cancelingCollection } from '../uploads/upload.ts';

/** The fields that differ between the documents of one call. */
export type NewDocument = Pick<
  Document,
  'id' | 'name' | 'original' | 'parts' | 'format' | 'keySecret' | 'code' | 'attachments'
> & {
  /** That its marks are for. The marks of an envelope are on its pages already. */
  readonly uploadId: string;
};

/** The documents of one call. They have the same location and the same flow. */
export type NewDocuments = {
  readonly common: Omit<Document, keyof NewDocument | 'creationId' | 'flow' | 'state'> & {
    readonly flow: Flow;
  };
  readonly documents: readonly NewDocument[];
};

/** A new document, with its flow started. */
export const documentOf = (
  { common }: Pick<NewDocuments, 'common'>,
  { uploadId, ...one }: NewDocument,
): Document => ({
  ...common,
  ...one,
  state: 'Pending',
  flow: startFlow(
    one.parts ? common.flow : flowOfFile(common.flow, uploadId),
    one.id,
    common.round,
    common.createdAtMs,
  ),
});

// Two documents are created in one folder at the same time. DynamoDB cancels transactions that meet on an item, also
// on one that they only check. So a creation checks neither its folder nor its organization in the transaction: both
// are read before it, and the deletion of either waits for creations that are under way (removal/last-check.ts).

type CreationMail = {
  readonly organization: Organization | undefined;
  /** How long mail waits for those who are about to act anyway. */
  readonly mailDelaySeconds?: number | undefined;
};

/** The writes that create a document whose uploads are taken. */
export function creatingDocument(
  document: Document,
  { organization, mailDelaySeconds }: CreationMail,
): Write[] {
  const { id, organizationId, original, attachments, expiresAtMs, createdAtMs } = document;
  return [
    documentItems.creating(document),
    ...listing(undefined, document),
    ...pointingTo(document),
    counting(organizationId, 'Document', createdAtMs),
    storing(organizationId, storedBytes(document)),
    ...[original, ...attachments].flatMap(({ key }) => cancelingCollection(key)),
    ...(expiresAtMs === null ? [] : [expiryMessage(id, expiresAtMs)]),
    ...announcingNews(document, organization, newsOf(undefined, document, 'created'), mailDelaySeconds),
  ];
}

/** The size of a document's own files, without signed versions. */
export const storedBytes = ({ original, attachments }: Pick<Document, 'original' | 'attachments'>): number =>
  [original, ...attachments].reduce((sum, { size }) => sum + size, 0);

/** Events of a bounded number of documents each. */
export async function recordCreated(
  created: readonly Document[],
  location: DocumentLocation,
): Promise<Recording> {
  const organizationId = created[0]?.organizationId ?? '';
  const size = settings.NumberDocumentsPerDocumentsCreatedWebhookRound;
  const rounds = Array.from({ length: Math.ceil(created.length / size) }, (_, n) =>
    created.slice(n * size, (n + 1) * size),
  );
  const events = rounds.map((round) => ({
    type: 'DocumentsCreated',
    data: { documents: round.map((document) => commonFields(document, location)) },
  }));
  return recording(webhooks, organizationId, events, location.webhooks);
}
