import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { commit, fitsOneCommit } from '../../../../shared/store/commit.ts';
import { forget } from '../../../../shared/store/due/message.ts';
import { keepingAnswer } from '../../../../shared/store/kept-answers.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { CreateDocuments, CreatedDocuments } from '../../contract/create-document.ts';
import { documentItems } from '../document/document.ts';
import { folderNotFound, folders, isActiveFolder } from '../places/folder.ts';
import { requireActiveOrganization } from '../places/organization.ts';
import { taskMessage } from '../tasks.ts';
import { creatingDocument, documentOf, type NewDocument, recordCreated } from './creating-document.ts';
import { type Creation, creations, runCreation } from './creation.ts';
import type { FillOptions } from './fill-files.ts';
import { mergeEnvelope } from './merge-envelope.ts';
import { type Plan, planCreation } from './plan-creation.ts';

/** Takes the uploads and creates a document of each, all with the same flow, or one of all of them. */
export async function createDocuments(
  caller: Caller,
  request: CreateDocuments,
  nowMs: number,
  filling: Partial<FillOptions> = {},
): Promise<z.input<typeof CreatedDocuments>> {
  let merged: ReturnType<typeof mergeEnvelope> | undefined;
  const merge: typeof mergeEnvelope = (...input) => {
    merged ??= mergeEnvelope(...input);
    return merged;
  };
  const documents = await createPlanned(async () => {
    const plan = await planCreation(caller, request, nowMs, { ...filling, merge });
    const kept = await keepingAnswer(renderCreated(request, plan.documents));
    return { ...plan, writes: [...plan.writes, ...kept] };
  });
  return renderCreated(request, documents);
}

/** The documents of a call, as its answer shows them. */
export const renderCreated = (
  { files, attachments: given }: Pick<CreateDocuments, 'files' | 'attachments'>,
  documents: readonly NewDocument[],
): z.input<typeof CreatedDocuments> =>
  documents.map(({ id: documentId, attachments }, index) => ({
    uploadId: files[index]?.id ?? '',
    documentId,
    attachments: attachments.map(({ id: attachmentId }, at) => ({
      uploadId: given?.[at]?.id ?? '',
      attachmentId,
    })),
  }));

/** Creates the documents of a plan, which is made again after a conflict. Where there is none, nothing is created. */
export async function createPlanned(
  makePlan: () => Promise<Plan | undefined>,
): Promise<readonly NewDocument[]> {
  const { documents, announced } = await retryOnConflict(async () => {
    const plan = await makePlan();
    if (!plan) return { documents: [], announced: undefined };
    return (await createAtOnce(plan)) ? { ...plan, announced: undefined } : announceCreation(plan);
  });
  if (announced) await runAnnounced(announced);
  return documents;
}

// DynamoDB takes 4 MB in a transaction. The events and list entries of the documents need a part of it.
const MAX_TRANSACTION_BYTES = 2_000_000;

/** Creates the documents with everything that follows from them in one transaction, where it can hold them. */
async function createAtOnce(plan: Plan): Promise<boolean> {
  const { common, documents, destination, writes, mailDelaySeconds } = plan;
  const mail = { organization: destination.location.organization, mailDelaySeconds };
  const created = documents.map((one) => documentOf({ common }, one));
  if (Buffer.byteLength(JSON.stringify(created)) > MAX_TRANSACTION_BYTES) return false;
  const creating = [...writes, ...created.flatMap((document) => creatingDocument(document, mail))];
  if (!fitsOneCommit(creating)) return false;
  const recorded = await recordCreated(created, destination.location);
  const all = [...creating, ...recorded.writes];
  if (!fitsOneCommit(all)) return false;
  await commit(all);
  return true;
}

/** Announces more documents than a transaction holds, in one write with the task that creates them after a kill. */
async function announceCreation({ common, documents, writes }: Plan) {
  const creation: Creation = { id: randomUUID(), common, documents };
  const task = taskMessage({ task: 'create', creationId: creation.id }, { isFallback: true });
  await creations.create(creation, { also: [...writes, task] });
  return { documents, announced: { creation, task } };
}

type Announced = Awaited<ReturnType<typeof announceCreation>>['announced'];

async function runAnnounced({ creation, task }: Announced): Promise<void> {
  await runCreation(creation.id);
  await forget(task.message); // The task would find nothing left to do.
  await refuseIfDestinationGone(creation);
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
