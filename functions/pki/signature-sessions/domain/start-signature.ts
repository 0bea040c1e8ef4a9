import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { isValid } from '../../../../shared/pki/verdict/validation-results.ts';
import {
  type PreparedSignature,
  prepareSignature,
  signingProblemOf,
} from '../../../../shared/signing/two-step/two-step.ts';
import { readCertificate } from '../../authentication/domain/proof.ts';
import { toSign } from '../../authentication/domain/to-sign.ts';
import { judgeIn, securityContext } from '../../domain/security-contexts.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { sessionDocumentStates } from './document-states.ts';
import type { SessionDocument, SignatureSession } from './session.ts';
import { documentInput } from './session.ts';
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
  const prepared = await prepare(document, certificate, path.slice(1), nowMs);
  const state = await store(session, document, prepared, nowMs);
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

async function prepare(
  document: SessionDocument,
  certificate: Certificate,
  chain: readonly Certificate[],
  signingTimeMs: number,
): Promise<PreparedSignature> {
  try {
    const input = { ...documentInput(document), certificate, chain, signingTimeMs, isTimestamped: false };
    return await prepareSignature(document.format, input);
  } catch (error) {
    const problem = signingProblemOf(error);
    if (!problem) throw error;
    if (problem.subject === 'key')
      throw errors.refuse('UnsupportedSignatureAlgorithm', { reason: problem.explanation });
    const { reason, explanation } = problem;
    throw errors.refuse('DocumentNotSignable', { reason, explanation });
  }
}

/** Stores a started signature. Returns the `state` that completes it. */
async function store(
  { id: sessionId, keptUntilMs }: SignatureSession,
  { id: documentId }: SessionDocument,
  { record }: PreparedSignature,
  nowMs: number,
): Promise<string> {
  const state = newSecret();
  await startedSignatures.create({
    ...record,
    sessionId,
    documentId,
    hash: hashSecret(state),
    signature: null,
    expiresAtMs: nowMs + settings['SignatureSessions:SignatureValidFor'] * 1000,
    keptUntilMs,
  });
  return state;
}
