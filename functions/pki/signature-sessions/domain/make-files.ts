import { randomUUID } from 'node:crypto';
import { files } from '../../../../shared/files/files.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { completeSignature } from '../../../../shared/signing/two-step/two-step.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { sessionDocumentStates } from './document-states.ts';
import {
  documentInput,
  folderOf,
  type SessionDocument,
  type SignatureSession,
  signatureSessions,
} from './session.ts';
import { signatureSessionStates } from './session-states.ts';
import { startedSignatures } from './started-signatures.ts';

type Outcome = 'made' | 'failed' | 'nothing to do';

// A message that is delivered twice:
//
//   worker 1  |--file a1-- file b1----- filesMade: names a1, b1 --|
//   worker 2     |--file a2-- file b2------------ refused: removes a2, b2 --|
//
// Every attempt writes under names of its own, and the session names those of one attempt.

/** Makes the signed files of a session whose documents all have their signatures. The last attempt that fails says so. */
export async function makeFiles(sessionId: string, isLastAttempt: boolean): Promise<Outcome> {
  const session = await signatureSessions.get(sessionId);
  if (!session || !signatureSessionStates.allows(session.state, 'filesMade')) return 'nothing to do';
  const made: SessionDocument[] = [];
  try {
    for (const document of session.documents) made.push(await signedDocument(session, document));
  } catch (error) {
    await drop(made);
    if (!isLastAttempt) throw error;
    logger('pki').error('The signed files of a session could not be made.', {
      signatureSession: sessionId,
      error,
    });
    await end(session, 'failed', { failure: reasonOf(error) });
    return 'failed';
  }
  if (await end(session, 'filesMade', { documents: made })) return 'made';
  await drop(made);
  return 'nothing to do';
}

async function signedDocument(
  session: SignatureSession,
  document: SessionDocument,
): Promise<SessionDocument> {
  const { id: sessionId } = session;
  const started = await startedSignatures.get({ sessionId, hash: document.signatureHash ?? '' });
  const state = sessionDocumentStates.next(document.state, 'fileMade');
  if (!started?.signature || !state)
    throw new Error(
      `The document ${document.id} of the session ${sessionId} has no signature to be made of.`,
    );
  const signature = Buffer.from(started.signature, 'base64');
  const content = await completeSignature(started, documentInput(document), signature);
  const key = `${folderOf(sessionId)}${document.id}/signed-${randomUUID()}`;
  const { length: size } = await files('pki').put(key, content, { contentType: signedTypeOf(document) });
  return { ...document, state, signed: { key, size } };
}

/** What a signed file is: a CAdES signature holds its content, the others stay what they were. */
export const signedTypeOf = ({ format, contentType }: SessionDocument): string =>
  format === 'CAdES' ? 'application/pkcs7-mime' : contentType;

/** Whether this was the one that ended it. */
async function end(
  session: Stored<SignatureSession>,
  event: 'filesMade' | 'failed',
  patch: Partial<Pick<SignatureSession, 'documents' | 'failure'>>,
): Promise<boolean> {
  try {
    await transition(signatureSessions, signatureSessionStates, session, event, patch);
    return true;
  } catch (error) {
    if (error instanceof RaceLost) return false;
    throw error;
  }
}

// What cannot be removed now goes with the session's folder.
const drop = (made: readonly SessionDocument[]) =>
  Promise.allSettled(made.flatMap(({ signed }) => (signed ? [files('pki').remove(signed.key)] : [])));

const reasonOf = (error: unknown): string => (error instanceof Error ? error.name : 'Error');
