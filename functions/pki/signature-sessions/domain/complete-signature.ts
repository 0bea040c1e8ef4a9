import { type Certificate, parseCertificate } from '../../../../shared/pki/certificate/certificate.ts';
import { isValid } from '../../../../shared/pki/verdict/validation-results.ts';
import { senderOf } from '../../../../shared/queue/outbox.ts';
import { isSignatureOfHash } from '../../../../shared/signing/key-verify.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { sendNow } from '../../../../shared/store/due/message.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { judged } from '../../authentication/domain/proof.ts';
import { securityContext } from '../../domain/security-contexts.ts';
import { errors } from '../../errors.ts';
import { sessionDocumentStates } from './document-states.ts';
import { type SessionDocument, type SignatureSession, signatureSessions } from './session.ts';
import { signatureSessionStates } from './session-states.ts';
import { refuseAnotherSigner } from './signer.ts';
import { refuseUnlessAwaited } from './start-signature.ts';
import { findStarted, type StartedSignature, startedSignatures } from './started-signatures.ts';
import { doing } from './tasks.ts';
import { documentOf, sessionOfSigner, type Visitor } from './visit.ts';

type Asked = {
  readonly sessionId: string;
  readonly documentId: string;
  readonly state: string;
  readonly signature: string;
};

/** The second step: takes the signature in. With the last one the session goes on to make its files. */
export async function completeSignature(asked: Asked, visitor: Visitor, nowMs: number) {
  const { session, started } = await open(asked, visitor, nowMs);
  const certificate = parseCertificate(Buffer.from(started.certificate, 'base64'));
  await refuseWrongSignature(certificate, started, asked.signature);
  const told = await judged(securityContext(session.securityContextId), certificate, session, nowMs);
  if (!isValid(told.validationResults))
    return {
      success: false,
      failure: 'CertificateFailedValidation',
      status: session.state,
      ...told,
    } as const;
  const after = await retryOnConflict(async () => {
    const again = await open(asked, visitor, nowMs);
    return take(again, certificate, asked.signature);
  });
  return { success: true, failure: null, status: after.state, ...told } as const;
}

type Open = {
  readonly session: Stored<SignatureSession>;
  readonly document: SessionDocument;
  readonly started: Stored<StartedSignature>;
};

async function open(asked: Asked, visitor: Visitor, nowMs: number): Promise<Open> {
  const session = await sessionOfSigner(asked.sessionId, visitor, nowMs);
  const document = documentOf(session, asked.documentId);
  refuseUnlessAwaited(session, document);
  return { session, document, started: await findStarted(session, document, asked.state, nowMs) };
}

async function refuseWrongSignature(
  { publicKey }: Certificate,
  { toSignHash }: StartedSignature,
  signature: string,
): Promise<void> {
  const hash = Buffer.from(toSignHash, 'base64');
  if (!(await isSignatureOfHash(publicKey, 'sha256', hash, Buffer.from(signature, 'base64'))))
    throw errors.refuse('InvalidSignature');
}

// The last two documents of a session, signed at one moment:
//
//   one    |--reads: other Pending----- writes: Signed ------------------------------------|
//   other    |--reads: one Pending---------- refused, reads again: it is the last: Processing --|
//
// Both rest on the version of the one item that holds all documents, so that exactly one of them is the last.
async function take(
  { session, document, started }: Open,
  certificate: Certificate,
  signature: string,
): Promise<Stored<SignatureSession>> {
  refuseAnotherSigner(session, certificate);
  const state = sessionDocumentStates.next(document.state, 'signatureGiven') ?? document.state;
  const signed = { ...document, state, signatureHash: started.hash };
  const documents = session.documents.map((each) => (each.id === document.id ? signed : each));
  const patch = { documents, signerSha256: certificate.sha256 };
  const given = startedSignatures.changing(started, { signature });
  const isLast = documents.every(({ signatureHash }) => signatureHash !== null);
  if (!isLast) return signatureSessions.change(session, patch, { also: [given] });
  const making = doing({ task: 'makeFiles', sessionId: session.id });
  const after = await transition(signatureSessions, signatureSessionStates, session, 'signed', patch, {
    also: [given, making],
  });
  await sendNow([making], senderOf('pki'));
  return after;
}
