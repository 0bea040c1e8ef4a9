import type { Rendered, Withdrawn } from '../../../../shared/webhooks/engine.ts';
import { documents } from '../../documents/domain/document.ts';
import { documentModel } from '../../documents/domain/document-model.ts';

export const SIGNATURE_COMPLETED = 'DocumentSignatureCompleted';

/** The event of a signed document, with links that are made for this attempt. */
export async function renderDocument(id: string): Promise<Rendered | Withdrawn> {
  const document = await documents.get(id);
  if (!document) return { withdrawn: `The document ${id} does not exist any more.` };
  return { type: SIGNATURE_COMPLETED, data: { ...(await documentModel(document)), status: 'Completed' } };
}
