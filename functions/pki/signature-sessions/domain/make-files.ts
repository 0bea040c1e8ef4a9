import { randomUUID } from 'node:crypto';
import { Refusal } from '../../../../shared/errors/errors.ts';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { files } from '../../../../shared/files/files.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { completeSignature, signerOf } from '../../../../shared/signing/two-step/two-step.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { isTold } from '../../callouts/domain/announce.ts';
import { creatingDocument } from '../../documents/domain/document.ts';
import { chooseKey } from '../../documents/domain/document-keys.ts';
import { taskMessage } from '../../domain/tasks.ts';
import {
  documentFolder,
  documentInput,
  type SessionDocument,
  type SignatureSession,
  sessionDocumentStates,
  signatureSessionStates,
  signatureSessions,
} from './session.ts';
import { recordOf, startedSignatures } from './started-signatures.ts';

type Outcome = 'made' | 'failed' | 'nothing to do';

// A message that is delivered twice:
//
//   worker 1  |--file a1-- file b1----- filesMade: names a1, b1 --|
//   worker 2     |--file a2-- file b2------------ refused: removes a2, b2 --|
//
// Every attempt writes under its own keys, and the session names those of one attempt.

/**
 * Makes the signed files of a completely signed session, each a document that outlives it. Only the last failed attempt
 * ends it as failed.
 */
export async function makeFiles(sessionId: string, isLastAttempt: boolean, nowMs: number): Promise<Outcome> {
  const session = await signatureSessions.get(sessionId);
  if (!session || !isProcessing(session)) return 'nothing to do';
  const made: SessionDocument[] = [];
  const writes: Write[] = [];
  try {
    for (const document of session.documents) {
      const { done, creating } = await makeFile(session, document, nowMs);
      made.push(done);
      writes.push(...creating);
    }
    if (await isTold(session.application)) writes.push(taskMessage({ task: 'announce', sessionId }));
  } catch (error) {
    await removeFiles(made);
    return fail(session, error, isLastAttempt);
  }
  if (await end(session, 'filesMade', { documents: made }, writes)) return 'made';
  await removeFiles(made);
  const now = await signatureSessions.get(sessionId);
  if (!now || !isProcessing(now)) return 'nothing to do';
  // A key of its documents was used elsewhere at this moment. The next attempt finds out which.
  return fail(now, new RaceLost('A document key of the session was used elsewhere.'), isLastAttempt);
}

const isProcessing = ({ state }: SignatureSession): boolean =>
  signatureSessionStates.accepts(state, 'filesMade');

/** Ends the session as failed after the last attempt; before that the message comes again. */
async function fail(
  session: Stored<SignatureSession>,
  error: unknown,
  isLastAttempt: boolean,
): Promise<'failed'> {
  if (!isLastAttempt) throw error;
  logger('pki').error('The signed files of a session could not be made.', {
    signatureSession: session.id,
    error,
  });
  await end(session, 'failed', { failure: reasonOf(error) });
  return 'failed';
}

type Made = { readonly done: SessionDocument; readonly creating: readonly Write[] };

async function makeFile(session: SignatureSession, document: SessionDocument, nowMs: number): Promise<Made> {
  const { id: sessionId, application } = session;
  const { id, name, format, contentType } = document;
  const started = await startedSignatures.get({ sessionId, hash: document.signatureHash ?? '' });
  const state = sessionDocumentStates.next(document.state, 'fileMade');
  if (!started?.signature || !state)
    throw new Error(`The document ${id} of the session ${sessionId} has no signature to be made of.`);
  const signature = Buffer.from(started.signature, 'base64');
  const record = await recordOf(started);
  const certificate = signerOf(record);
  const input = await documentInput(document, { certificate, signingTimeMs: record.signingTimeMs });
  const content = await completeSignature(record, input, signature);
  const folder = documentFolder(sessionId, id);
  const key = `${folder}signed-${randomUUID()}`;
  const signedType = signedTypeOf(document);
  const { length: size } = await files('pki').put(key, content, { contentType: signedType });
  const signed = { key, size };
  const { document: created, writes } = await creatingDocument(
    {
      ...{ id, application, format, folder },
      original: { ...document.original, name, contentType },
      certificate,
      documentKey: document.documentKey ?? chooseKey(null),
      metadata: { ...session.documentMetadata, ...document.metadata },
    },
    async () => ({ ...signed, name: signedNameOf(document), contentType: signedType }),
    nowMs,
  );
  const { availableUntilMs } = created;
  return { done: { ...document, state, signed, availableUntilMs }, creating: writes };
}

/** The media type of the signed file: CAdES wraps its content, the other formats keep its type. */
export const signedTypeOf = ({ format, contentType, isDetached }: SessionDocument): string =>
  format === 'CAdES' ? `application/pkcs7-${isDetached ? 'signature' : 'mime'}` : contentType;

/** The name of the signed file. */
export const signedNameOf = ({ format, name, isDetached }: SessionDocument): string =>
  format === 'CAdES' ? `${name}.${isDetached ? 'p7s' : 'p7m'}` : name;

/** Ends the session. False where another worker did. */
async function end(
  session: Stored<SignatureSession>,
  event: 'filesMade' | 'failed',
  patch: Partial<Pick<SignatureSession, 'documents' | 'failure'>>,
  also: readonly Write[] = [],
): Promise<boolean> {
  return transition(signatureSessions, signatureSessionStates, session, event, patch, { also }).then(
    () => true,
    ifThrown([RaceLost, AlreadyExists], false),
  );
}

// A file that cannot be removed now is removed with the session's folder.
const removeFiles = (made: readonly SessionDocument[]) =>
  Promise.allSettled(made.flatMap(({ signed }) => (signed ? [files('pki').remove(signed.key)] : [])));

// A refusal has a code, such as that of a document key which another document took.
const reasonOf = (error: unknown): string =>
  error instanceof Refusal ? error.code : error instanceof Error ? error.name : 'Error';
