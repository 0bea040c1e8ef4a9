import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { type Certificate, PublicKeyUnsupported } from '../../../../shared/pki/certificate/certificate.ts';
import { isValid } from '../../../../shared/pki/verdict/validation-results.ts';
import { SigningRefused } from '../../../../shared/signing/errors.ts';
import { PdfRefused } from '../../../../shared/signing/pades/refused.ts';
import { loadFormat, type Prepared } from '../../../../shared/signing/two-step/format.ts';
import { XmlRefused } from '../../../../shared/signing/xades/errors.ts';
import { readCertificate } from '../../authentication/domain/proof.ts';
import { toSign } from '../../authentication/domain/to-sign.ts';
import { judgeIn, securityContext } from '../../domain/security-contexts.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { sessionDocumentStates } from './document-states.ts';
import type { SessionDocument, SignatureSession } from './session.ts';
import { signableOf } from './signable.ts';
import { refuseAnotherSigner } from './signer.ts';
import { startedSignatures } from './started-signatures.ts';
import { documentOf, refuseUnlessPending, sessionOfSigner, type Visitor } from './visit.ts';

type Asked = { readonly sessionId: string; readonly documentId: string; readonly certificate: string };

/** The first step: what the key of this certificate is to sign, once the certificate is found good. */
export async function startSignature(asked: Asked, visitor: Visitor, nowMs: number) {
  const session = await sessionOfSigner(asked.sessionId, visitor, nowMs);
  const document = documentOf(session, asked.documentId);
  refuseUnlessAwaited(session, document);
  const certificate = readCertificate(asked.certificate);
  refuseAnotherSigner(session, certificate);
  const context = securityContext(session.securityContextId);
  const { results, path } = await judgeIn(context, certificate, nowMs, session);
  if (!isValid(results)) return { ...NOT_STARTED, validationResults: results };
  const signing = { certificate, chain: path.slice(1), signingTimeMs: nowMs };
  const prepared = await prepare(document, signing);
  const state = await keep(session, document, signing, prepared, nowMs);
  return {
    success: true,
    failure: null,
    state,
    ...toSign(prepared.toSign),
    validationResults: results,
  } as const;
}

const NOT_STARTED = {
  success: false,
  failure: 'CertificateFailedValidation',
  state: null,
  toSignHash: null,
  toSign: null,
} as const;

/** Refuses a document that no longer waits for its signature. */
export function refuseUnlessAwaited(session: SignatureSession, { state }: SessionDocument): void {
  refuseUnlessPending(session);
  if (!sessionDocumentStates.allows(state, 'signatureGiven'))
    throw errors.refuse('BadSignatureSessionOperation', { status: session.state, documentStatus: state });
}

type Signing = {
  readonly certificate: Certificate;
  readonly chain: readonly Certificate[];
  readonly signingTimeMs: number;
};

async function prepare(document: SessionDocument, signing: Signing): Promise<Prepared<unknown>> {
  try {
    return await (await loadFormat(document.format)).prepare(signableOf(document, signing));
  } catch (error) {
    if (error instanceof PdfRefused || error instanceof XmlRefused)
      throw errors.refuse('DocumentNotSignable', { reason: error.reason, explanation: error.message });
    if (error instanceof SigningRefused || error instanceof PublicKeyUnsupported)
      throw errors.refuse('UnsupportedSignatureAlgorithm', { reason: error.message });
    throw error;
  }
}

async function keep(
  { id: sessionId, keptUntilMs }: SignatureSession,
  { id: documentId }: SessionDocument,
  { certificate, chain, signingTimeMs }: Signing,
  { hash, state: prepared }: Prepared<unknown>,
  nowMs: number,
): Promise<string> {
  const state = newSecret();
  await startedSignatures.create({
    sessionId,
    documentId,
    hash: hashSecret(state),
    certificate: certificate.der.toString('base64'),
    chain: chain.map(({ der }) => der.toString('base64')),
    signingTimeMs,
    toSignHash: hash.toString('base64'),
    prepared: JSON.stringify(prepared),
    signature: null,
    expiresAtMs: nowMs + settings['SignatureSessions:SignatureValidFor'] * 1000,
    keptUntilMs,
  });
  return state;
}
