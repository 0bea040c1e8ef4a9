import type { Caller } from '../../../../shared/access/caller.ts';
import { count } from '../../../../shared/metrics/count.ts';
import { type Custody, FORMATS } from '../../../../shared/metrics/table.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { isValid } from '../../../../shared/pki/findings/validation-results.ts';
import { isSignatureOf, signerOf } from '../../../../shared/signing/two-step/two-step.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { judgeCertificate } from '../../domain/certificate-proof.ts';
import { securityContext } from '../../domain/security-contexts.ts';
import { taskMessage } from '../../domain/tasks.ts';
import { errors } from '../../errors.ts';
import { documentOf, findSessionOfSigner, type SessionAccess } from './find-session.ts';
import { refuseAnotherSigner } from './requirements.ts';
import {
  type SessionDocument,
  type SignatureSession,
  sessionDocumentStates,
  signatureSessionStates,
  signatureSessions,
} from './session.ts';
import { refuseUnlessAwaited } from './start-signature.ts';
import { findStarted, recordOf, type StartedSignature, startedSignatures } from './started-signatures.ts';

type CompleteRequest = SessionAccess & {
  readonly documentId: string;
  readonly state: string;
  readonly signature: string;
  /** Where the key is; with the caller where it is left out. */
  readonly custody?: Custody;
};

/** The second step: records the signature. The last one of the session starts the making of its files. */
export async function completeSignature(caller: Caller, request: CompleteRequest, nowMs: number) {
  const { session, started } = await findOpen(caller, request, nowMs);
  const record = await recordOf(started);
  const certificate = signerOf(record);
  if (!(await isSignatureOf(record, Buffer.from(request.signature, 'base64'))))
    throw errors.refuse('InvalidSignature');
  const judged = await judgeCertificate(
    securityContext(session.securityContextId),
    certificate,
    session,
    nowMs,
  );
  if (!isValid(judged.validationResults))
    return {
      success: false,
      failure: 'CertificateFailedValidation',
      status: session.state,
      ...judged,
    } as const;
  const after = await retryOnConflict(async () => {
    const again = await findOpen(caller, request, nowMs);
    return recordSignature(again, certificate, request.signature, nowMs);
  });
  const { custody = 'caller' } = request;
  count('Signatures', { Service: 'pki', Format: FORMATS[record.format], Custody: custody });
  return { success: true, failure: null, status: after.state, ...judged } as const;
}

type Open = {
  readonly session: Stored<SignatureSession>;
  readonly document: SessionDocument;
  readonly started: Stored<StartedSignature>;
};

async function findOpen(caller: Caller, request: CompleteRequest, nowMs: number): Promise<Open> {
  const session = await findSessionOfSigner(caller, request, nowMs);
  const document = documentOf(session, request.documentId);
  refuseUnlessAwaited(session, document);
  return { session, document, started: await findStarted(session, document, request.state, nowMs) };
}

// The last two documents of a session, signed at one moment:
//
//   one    |--reads: other Pending----- writes: Signed ------------------------------------|
//   other    |--reads: one Pending---------- refused, reads again: it is the last: Processing --|
//
// Both writes depend on the version of the one item with all documents, so exactly one of them is the last.
async function recordSignature(
  { session, document, started }: Open,
  certificate: Certificate,
  signature: string,
  nowMs: number,
): Promise<Stored<SignatureSession>> {
  refuseAnotherSigner(session, certificate);
  const state = sessionDocumentStates.next(document.state, 'signatureGiven') ?? document.state;
  const signed = { ...document, state, signatureHash: started.hash, signedAtMs: nowMs };
  const documents = session.documents.map((each) => (each.id === document.id ? signed : each));
  const signer = certificate.der.toString('base64');
  const patch = { documents, signerSha256: certificate.sha256, signer };
  const given = startedSignatures.changing(started, { signature });
  const isLast = documents.every(({ signatureHash }) => signatureHash !== null);
  if (!isLast) return signatureSessions.change(session, patch, { also: [given] });
  const making = taskMessage({ task: 'makeFiles', sessionId: session.id });
  return transition(signatureSessions, signatureSessionStates, session, 'signed', patch, {
    also: [given, making],
  });
}
