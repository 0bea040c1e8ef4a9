import type { Deadline } from '../../../../../shared/async/deadline.ts';
import { isPermanent } from '../../../../../shared/platform/errors.ts';
import type { PlatformAction } from '../../../../../shared/platform/shapes.ts';
import { externalService } from '../../../config/external-service.ts';
import type { FolderDocument } from '../../../jobs/domain/job/job.ts';
import { folderKeyOf } from '../../../profiles/domain/bound-folders.ts';
import { isSignedBy, isWaitingFor } from '../holder-action.ts';

/**
 * How the document of a job is at the external service:
 *
 *   waiting    its action waits for the holder
 *   signed     the holder has done it
 *   moved on   neither: refused, canceled, expired, signed by another of a rule, in another folder, gone
 */
export type DocumentState =
  | { readonly state: 'waiting'; readonly action: PlatformAction }
  | { readonly state: 'signed' | 'moved on' };

/** Reads the document of a job. Throws PlatformUnreachable, or PlatformRefused where the request itself is refused. */
export async function readState(
  { folderId, documentId, flowActionId }: FolderDocument,
  cpf: string | undefined,
  deadline: Deadline,
): Promise<DocumentState> {
  const document = await externalService.readDocument(documentId, deadline).catch((error: unknown) => {
    if (isPermanent(error) && (error.status === 404 || error.status === 410)) return undefined;
    throw error;
  });
  const action = document?.flowActions.find(({ id }) => id === flowActionId);
  if (!document || !action) return { state: 'moved on' };
  if (isSignedBy(action, cpf)) return { state: 'signed' };
  const isInFolder = document.folderId !== null && folderKeyOf(document.folderId) === folderKeyOf(folderId);
  return isInFolder && document.status === 'Pending' && isWaitingFor(action, cpf)
    ? { state: 'waiting', action }
    : { state: 'moved on' };
}
