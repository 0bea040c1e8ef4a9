import type { Readable } from 'node:stream';
import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { requireAccepted } from '../../callouts/domain/validate-file.ts';
import { openFile } from '../../files/domain/receive-file.ts';
import { beginMultipart, completeMultipart, uploadPart } from '../../files/domain/upload.ts';
import type { OwnFile } from '../contract/documents.ts';
import { addDocument, findOpenSession } from './add-document.ts';
import { documentOf, findSessionOfSigner, type SessionAccess } from './find-session.ts';
import { type SignatureSession, signatureSessions } from './session.ts';

// The person has no key. Their uploads are of the session's application, and only this session's token reaches them.

/** Who the signer is to the operations on a session, whether a key comes along or not. */
const personOf = (caller: Caller): Caller => ({ ...caller, application: '' });

/** The session of a signer who brings files. */
async function findTaking(caller: Caller, access: SessionAccess, nowMs: number) {
  await findSessionOfSigner(caller, access, nowMs);
  return findOpenSession(personOf(caller), access, nowMs);
}

/** Begins the upload of a file that the person brings. */
export async function beginOwnUpload(caller: Caller, access: SessionAccess, nowMs: number) {
  return beginMultipart(await findTaking(caller, access, nowMs), nowMs);
}

type Part = { readonly token: string; readonly partNumber: string; readonly content: Readable };

/** Takes a part of it. Returns its entity tag. */
export async function uploadOwnPart(caller: Caller, access: SessionAccess, part: Part, nowMs: number) {
  return uploadPart(await findTaking(caller, access, nowMs), part, nowMs);
}

/** Makes a document of the session out of the parts, if the application takes it. */
export async function addOwnFile(
  caller: Caller,
  access: SessionAccess,
  { name, contentType, token: blobToken, partETags }: z.output<typeof OwnFile>,
  nowMs: number,
): Promise<Stored<SignatureSession>> {
  const session = await findTaking(caller, access, nowMs);
  await completeMultipart(session, { token: blobToken, partETags }, nowMs);
  const file = await openFile(session, { blobToken }, nowMs);
  await requireAccepted(session.application, { name, contentType, length: file.size });
  return addDocument(personOf(caller), access, { name, contentType, content: file.stream() }, nowMs);
}

/** Takes a file back that the person brought. Its bytes are removed with the session's folder. */
export const removeOwnFile = (
  caller: Caller,
  { documentId, ...access }: SessionAccess & { readonly documentId: string },
  nowMs: number,
): Promise<Stored<SignatureSession>> =>
  retryOnConflict(async () => {
    const session = await findTaking(caller, access, nowMs);
    const removed = documentOf(session, documentId);
    const documents = session.documents.filter(({ id }) => id !== removed.id);
    return signatureSessions.change(session, { documents });
  });
