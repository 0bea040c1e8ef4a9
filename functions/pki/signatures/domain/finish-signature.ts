import type { Caller } from '../../../../shared/access/caller.ts';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { files } from '../../../../shared/files/files.ts';
import { signerOf } from '../../../../shared/signing/two-step/two-step.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { announcing } from '../../callouts/domain/announce.ts';
import { creatingDocument, type SignedDocument } from '../../documents/domain/document.ts';
import { chooseKey } from '../../documents/domain/document-keys.ts';
import { errors } from '../../errors.ts';
import { countSignature, makeSigned, refuseWrongValue } from './make-signed.ts';
import {
  findStarted,
  type StartedSignature,
  signatureFolder,
  startedSignatures,
  startedStates,
} from './started.ts';

type Request = { readonly state: string; readonly signature: string };

// A state that is completed twice at one moment:
//
//   one    |--file a-- Completed + document, names a --|
//   other    |--file b------- refused: b is removed, InvalidToken --|
//
// Whoever sends a wrong signature spends nothing: it is checked first.

/** The second step: makes the signed file and its document. A state does it once. */
export async function finishSignature(
  caller: Caller,
  { state, signature }: Request,
  nowMs: number,
): Promise<SignedDocument> {
  const open = await findStarted(caller, { kind: 'Signature', state }, nowMs);
  const { started, content } = open;
  if (!startedStates.accepts(started.state, 'completed')) throw alreadyCompleted(started);
  const value = Buffer.from(signature, 'base64');
  await refuseWrongValue(content, value);
  const { document, writes } = await creatingDocument(
    {
      ...{ id: started.id, application: caller.application, format: content.record.format },
      ...{ original: content.file, folder: signatureFolder(started.id) },
      ...{ certificate: signerOf(content.record), documentKey: chooseKey(content.documentKey) },
    },
    () => makeSigned(open, value),
    nowMs,
  );
  const done = await transition(
    startedSignatures,
    startedStates,
    started,
    'completed',
    {},
    {
      also: [...writes, ...(await announcing(caller.application, [document]))],
    },
  ).catch(ifThrown(RaceLost));
  if (done) {
    countSignature(content);
    return document;
  }
  await files('pki').remove(document.signed.key);
  const now = await startedSignatures.get(started.hash);
  if (now && !startedStates.accepts(now.state, 'completed')) throw alreadyCompleted(now);
  throw errors.refuse('InvalidToken', {
    reason: 'Another call used the document key at the same moment.',
  });
}

/** A caller that had no answer to its signature finds the document by its id. */
const alreadyCompleted = ({ id }: StartedSignature) =>
  errors.refuse('InvalidToken', {
    reason: 'A state completes one signature, and this one has: read the document by its id.',
    documentId: id,
  });
