import { randomUUID } from 'node:crypto';
import { clockFrom } from '../../../../../shared/async/clock.ts';
import { deadlineIn } from '../../../../../shared/async/deadline.ts';
import { Refusal } from '../../../../../shared/errors/errors.ts';
import { isPermanent } from '../../../../../shared/platform/errors.ts';
import type { PlatformAction } from '../../../../../shared/platform/shapes.ts';
import { externalService } from '../../../config/external-service.ts';
import { createFailedJob, createJob } from '../../../jobs/domain/job/create-job.ts';
import { nameOfFile } from '../../../jobs/domain/job/file-name.ts';
import type { FolderDocument, NewJob } from '../../../jobs/domain/job/job.ts';
import { findKnownActions } from '../../../jobs/domain/job/names.ts';
import { type BoundProfile, folderKeyOf, profilesBoundTo } from '../../../profiles/domain/bound-folders.ts';
import { actionsOf, isWaitingFor } from '../holder-action.ts';

/** A document of the external service with its flow, read or listed. */
export type FoundDocument = {
  readonly id: string;
  readonly fileName: string;
  readonly status: string;
  readonly flowActions: readonly PlatformAction[];
};

/** A folder of the external service and the profiles that sign its documents. */
export type BoundFolder = { readonly folderId: string; readonly profiles: readonly BoundProfile[] };

const READ_MS = 30_000;

/**
 * Reads a document and takes it for every profile that signs the documents of this folder. A document that is gone, or is
 * in another folder by now, is left alone.
 */
export async function checkDocument(folderId: string, documentId: string, nowMs: number): Promise<void> {
  const profiles = await profilesBoundTo(folderId);
  if (profiles.length === 0) return;
  const now = clockFrom(nowMs);
  try {
    const document = await externalService.readDocument(documentId, deadlineIn(READ_MS, now));
    if (document.folderId === null || folderKeyOf(document.folderId) !== folderKeyOf(folderId)) return;
    await takeDocuments({ folderId, profiles }, [document], now);
  } catch (error) {
    if (!isPermanent(error)) throw error;
  }
}

/** A job to be: of a document that waits for the holder of a profile, or has nothing for any holder. */
type Candidate = {
  readonly profileName: string;
  readonly document: FoundDocument;
  readonly action: PlatformAction | undefined;
};

// A sweep meets the same documents every minute, and may meet a notification or another sweep:
//
//   sweep         |--reads the claims: none--|--job 1 + ACTION--|
//   notification    |--reads the claims: none---|--job 2 + ACTION: refused, nothing is written
//
// The claim is in the commit that creates the job, and stays when the job has ended. It is read first because most
// documents of a sweep are known, and a refused transaction costs as much as one that is not.

/** Makes a job of each document that waits for a holder and has none yet. Answers how many were made. */
export async function takeDocuments(
  folder: BoundFolder,
  documents: readonly FoundDocument[],
  now: () => number,
): Promise<number> {
  const candidates = documents
    .filter(({ status }) => status === 'Pending')
    .flatMap((document) => candidatesOf(document, folder.profiles))
    .map((candidate) => ({ candidate, folderDocument: folderDocumentOf(folder, candidate) }));
  const known = await findKnownActions(candidates.map(({ folderDocument }) => folderDocument));
  let taken = 0;
  for (const { candidate, folderDocument } of candidates)
    if (!known.has(folderDocument) && (await take(candidate, folderDocument, now()))) taken += 1;
  return taken;
}

const folderDocumentOf = ({ folderId }: BoundFolder, { document, action }: Candidate): FolderDocument => ({
  folderId,
  documentId: document.id,
  flowActionId: action?.id ?? null,
  keyReachedAtMs: null,
  cpf: null,
});

/** A document with nothing for any holder of the folder is told once, of the first profile. */
function candidatesOf(document: FoundDocument, profiles: readonly BoundProfile[]): readonly Candidate[] {
  const holders = profiles.flatMap(({ cpf, ...profile }) => (cpf === undefined ? [] : [{ cpf, ...profile }]));
  const able = holders.filter(({ isDegraded }) => !isDegraded);
  const isForNone = holders.every(({ cpf }) => actionsOf(document, cpf).length === 0);
  if (isForNone)
    return able.slice(0, 1).map(({ name }) => ({ profileName: name, document, action: undefined }));
  return able.flatMap(({ name, cpf }) =>
    actionsOf(document, cpf)
      .filter((action) => isWaitingFor(action, cpf))
      .map((action) => ({ profileName: name, document, action })),
  );
}

async function take(
  { profileName, document, action }: Candidate,
  folderDocument: FolderDocument,
  nowMs: number,
): Promise<boolean> {
  const fileName = nameOfFile(document.fileName) ?? document.id;
  const request: NewJob = {
    id: randomUUID(),
    fileName,
    originalPath: null,
    folder: null,
    inputShare: null,
    inputKey: null,
    format: /\.pdf$/i.test(fileName) ? 'Pades' : 'Cades',
    source: 'SignerFolder',
    parentJobId: null,
    profileName,
    externalReference: null,
    encryption: null,
    // The external service has the output.
    encryptionEnabled: false,
    folderDocument,
  };
  try {
    const message = `Found in the signer folder as document ${document.id}.`;
    if (action) await createJob(request, { message, input: null }, nowMs);
    else await createFailedJob(request, 'signer-folder.no-holder-action', { message, input: null }, nowMs);
    return true;
  } catch (error) {
    // Another sweep or notification was faster.
    if (error instanceof Refusal && error.code === 'job.already-processing') return false;
    throw error;
  }
}
