import { type Recording, recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import type { Document } from '../document/document.ts';
import { commonFields } from '../document/notices.ts';
import { surroundingsOfAll } from '../document/surroundings.ts';
import { webhooks } from '../document/webhook-engine.ts';

export type DeletionAction = 'DeletedByUserOrApplication' | 'DeletedByOrganization' | 'DeletedByFolder';

/** An event lists no more documents, however many are deleted. */
export const MAX_DOCUMENTS_PER_EVENT = 100;

/** What is told of documents that are to be deleted, to be recorded with their deletion. None, nothing is told. */
export async function tellingDeleted(
  organizationId: string,
  documents: readonly Document[],
  action: DeletionAction,
): Promise<Recording> {
  if (documents.length === 0) return recording(webhooks, organizationId, []);
  const told = documents.slice(0, MAX_DOCUMENTS_PER_EVENT);
  const where = await surroundingsOfAll(told);
  const data = { documents: told.map((document) => commonFields(document, where(document))), action };
  return recording(webhooks, organizationId, [{ type: 'DocumentDeleted', data }]);
}
