import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { forget } from '../../../../shared/store/due/message.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type { CreateDocuments, CreatedDocuments } from '../../contract/create-document.ts';
import { errors } from '../../errors.ts';
import { deadlineOf } from '../calendar.ts';
import { authorOf, documentItems } from '../document/document.ts';
import { planFlow } from '../flow/new-flow.ts';
import { creatingFolder } from '../places/create-folder.ts';
import { findFolder, folderNotFound, folders, isActiveFolder } from '../places/folder.ts';
import { homeOrganizationOf, requireActiveOrganization } from '../places/organization.ts';
import { taskMessage } from '../tasks.ts';
import { takingUploads } from '../uploads/take-or-collect.ts';
import { type Creation, creations, runCreation } from './creation.ts';
import { buildDocument } from './new-document.ts';

/** Takes the uploads and creates a document of each, all with the same flow. */
export async function createDocuments(
  caller: Caller,
  request: CreateDocuments,
  nowMs: number,
): Promise<z.input<typeof CreatedDocuments>> {
  if (request.isEnvelope) throw errors.refuse('EnvelopesNotSupported');
  const { creation, task } = await retryOnConflict(() => announceCreation(caller, request, nowMs));
  await runCreation(creation.id);
  await forget(task.message); // The task would find nothing left to do.
  await refuseIfDestinationGone(creation);
  return creation.documents.map(({ id: documentId, attachments }, index) => ({
    uploadId: request.files[index]?.id ?? '',
    documentId,
    attachments: attachments.map(({ id: attachmentId }, at) => ({
      uploadId: request.attachments?.[at]?.id ?? '',
      attachmentId,
    })),
  }));
}

// An item of the table holds 400 KB: the flow, and the completions that it will record.
const MAX_COMMON_BYTES = 120_000;

function refuseTooLarge(common: Creation['common']): void {
  if (Buffer.byteLength(JSON.stringify(common)) > MAX_COMMON_BYTES)
    throw errors.refuse('InvalidRequest', {
      field: 'flowActions',
      reason: 'are too large together to be stored as one document',
    });
}

async function announceCreation(caller: Caller, request: CreateDocuments, nowMs: number) {
  const destination = await resolveDestination(caller, request, nowMs);
  const common = commonOf(caller, request, destination, nowMs);
  const refs = [...request.files, ...(request.attachments ?? [])];
  const taken = await takingUploads(
    refs.map(({ id }) => id),
    destination.organizationId,
  );
  const documents = await Promise.all(
    request.files.map((file) => buildDocument(file, { request, uploads: taken.uploads })),
  );
  refuseTooLarge(common);
  const creation: Creation = { id: randomUUID(), common, documents };
  const task = taskMessage({ task: 'create', creationId: creation.id });
  await creations.create(creation, { also: [...taken.writes, ...destination.writes, task] });
  return { creation, task };
}

function commonOf(
  caller: Caller,
  request: CreateDocuments,
  { organizationId, folderId }: Destination,
  nowMs: number,
): Creation['common'] {
  const expiresAtMs = request.expirationDate === null ? null : deadlineOf(request.expirationDate);
  if (expiresAtMs !== null && expiresAtMs <= nowMs) throw errors.refuse('InvalidExpirationDate');
  return {
    organizationId,
    folderId,
    signed: null,
    forceCadesSignature: request.forceCadesSignature ?? false,
    round: 1,
    flow: planFlow(request.flowActions, organizationId),
    description: request.description || null,
    additionalInfo: request.additionalInfo || null,
    tags: request.tags ?? [],
    notifiedEmails: [],
    observers: request.observers ?? [],
    createdBy: authorOf(caller),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    expiresAtMs,
    statusUpdatedBy: null,
    statusUpdateReason: null,
  };
}

/** Refuses if the folder or the organization was deleted meanwhile. Nothing is left behind then. */
async function refuseIfDestinationGone({ common, documents }: Creation): Promise<void> {
  const made = await documentItems.getMany(documents.map(({ id }) => id));
  if (made.length === documents.length) return;
  const { organizationId, folderId } = common;
  await requireActiveOrganization(organizationId);
  if (folderId !== null && !isActiveFolder(await folders.get(folderId))) throw folderNotFound(folderId);
  // Both are open, so all documents were created, and one was deleted since.
}

/** The location of new documents, and the writes that it needs. */
type Destination = {
  readonly organizationId: string;
  readonly folderId: string | null;
  readonly writes: readonly Write[];
};

/** The folder that the request names, a new folder in it, or the root of the organization. */
async function resolveDestination(
  caller: Caller,
  { folderId, newFolderName }: Pick<CreateDocuments, 'folderId' | 'newFolderName'>,
  nowMs: number,
): Promise<Destination> {
  const parent = folderId === null ? null : await findFolder(caller, folderId);
  const organizationId = parent?.organizationId ?? homeOrganizationOf(caller);
  if (!parent) await requireActiveOrganization(organizationId);
  if (newFolderName === null)
    return { organizationId, folderId, writes: parent ? [folders.unchanged(parent)] : [] };
  const { folder, writes } = await creatingFolder({ name: newFolderName, parent, organizationId }, nowMs);
  return { organizationId, folderId: folder.id, writes };
}
