import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { forget } from '../../../../shared/store/due/message.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { CreateDocuments, CreatedDocuments } from '../../contract/create-document.ts';
import { errors } from '../../errors.ts';
import { deadlineOf } from '../calendar.ts';
import { agentOf, documentItems } from '../document/document.ts';
import { plannedFlow } from '../flow/new-flow.ts';
import { folderNotFound, folders } from '../places/folder.ts';
import { activeOrganization } from '../places/organization.ts';
import { doing } from '../tasks.ts';
import { takingUploads } from '../uploads/taken-uploads.ts';
import { type Creation, creations, runCreation } from './creation.ts';
import { newDocument } from './new-document.ts';
import { type Place, placeFor } from './new-place.ts';

/** Takes the uploads and makes a document of each, all with the same flow. */
export async function createDocuments(
  request: CreateDocuments,
  caller: Caller,
  nowMs: number,
): Promise<z.input<typeof CreatedDocuments>> {
  if (request.isEnvelope) throw errors.refuse('EnvelopesNotSupported');
  const { creation, task } = await retryOnConflict(() => announce(request, caller, nowMs));
  await runCreation(creation.id);
  await forget(task.message); // Left to itself it would find everything done.
  await refuseIfPlaceWent(creation);
  return creation.documents.map(({ id: documentId, attachments }, index) => ({
    uploadId: request.files[index]?.id ?? '',
    documentId,
    attachments: attachments.map(({ id: attachmentId }, at) => ({
      uploadId: request.attachments?.[at]?.id ?? '',
      attachmentId,
    })),
  }));
}

// An item of the table holds 400 KB: the flow, and all that will be written down about how it went.
const MAX_COMMON_BYTES = 120_000;

function refuseTooLarge(common: Creation['common']): void {
  if (Buffer.byteLength(JSON.stringify(common)) > MAX_COMMON_BYTES)
    throw errors.refuse('InvalidRequest', {
      field: 'flowActions',
      reason: 'say too much to be kept as one document',
    });
}

async function announce(request: CreateDocuments, caller: Caller, nowMs: number) {
  const place = await placeFor(request, caller, nowMs);
  const common = commonOf(request, caller, place, nowMs);
  const refs = [...request.files, ...(request.attachments ?? [])];
  const taken = await takingUploads(
    refs.map(({ id }) => id),
    place.organizationId,
  );
  const documents = await Promise.all(
    request.files.map((file) => newDocument(file, { request, uploads: taken.uploads })),
  );
  refuseTooLarge(common);
  const creation: Creation = { id: randomUUID(), common, documents };
  const task = doing({ task: 'create', creationId: creation.id });
  await creations.create(creation, { also: [...taken.writes, ...place.writes, task] });
  return { creation, task };
}

function commonOf(
  request: CreateDocuments,
  caller: Caller,
  { organizationId, folderId }: Place,
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
    flow: plannedFlow(request.flowActions, organizationId),
    description: request.description || null,
    additionalInfo: request.additionalInfo || null,
    tags: request.tags ?? [],
    notifiedEmails: [],
    observers: request.observers ?? [],
    createdBy: agentOf(caller),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    expiresAtMs,
    statusUpdatedBy: null,
    statusUpdateReason: null,
  };
}

/** Where documents are made may be deleted meanwhile: then the caller is told, and nothing is left behind. */
async function refuseIfPlaceWent({ common, documents }: Creation): Promise<void> {
  const made = await documentItems.getMany(documents.map(({ id }) => id));
  if (made.length === documents.length) return;
  const { organizationId, folderId } = common;
  await activeOrganization(organizationId);
  if (folderId !== null && (await folders.get(folderId))?.state !== 'Active') throw folderNotFound(folderId);
  // Neither went, so all were made, and somebody has deleted one since.
}
