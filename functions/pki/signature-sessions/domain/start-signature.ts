import type { Caller } from '../../../../shared/access/caller.ts';
import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { isValid } from '../../../../shared/pki/findings/validation-results.ts';
import {
  type PreparedSignature,
  prepareSignature,
  signingProblemOf,
} from '../../../../shared/signing/two-step/two-step.ts';
import { readCertificate } from '../../domain/certificate-proof.ts';
import { judgeInContext, securityContext } from '../../domain/security-contexts.ts';
import { toSign } from '../../domain/to-sign.ts';
import { errors } from '../../errors.ts';
import { documentOf, findSessionOfSigner, refuseUnlessPending, type SessionAccess } from './find-session.ts';
import { refuseAnotherSigner } from './requirements.ts';
import {
  documentInput,
  type SessionDocument,
  type SignatureSession,
  sessionDocumentStates,
} from './session.ts';
import { sealStarted, startedSignatures } from './started-signatures.ts';

type StartRequest = SessionAccess & { readonly documentId: string; readonly certificate: string };

/** The first step: judges the certificate, and answers the bytes that its key signs. */
export async function startSignature(caller: Caller, request: StartRequest, nowMs: number) {
  const session = await findSessionOfSigner(caller, request, nowMs);
  const document = documentOf(session, request.documentId);
  refuseUnlessAwaited(session, document);
  const certificate = readCertificate(request.certificate);
  refuseAnotherSigner(session, certificate);
  const context = securityContext(session.securityContextId);
  const { results, path } = await judgeInContext(context, certificate, nowMs, session);
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
  if (!sessionDocumentStates.accepts(state, 'signatureGiven'))
    throw errors.refuse('BadSignatureSessionOperation', { status: session.state, documentStatus: state });
}

async function prepare(
  document: SessionDocument,
  certificate: Certificate,
  chain: readonly Certificate[],
  signingTimeMs: number,
): Promise<PreparedSignature> {
  try {
    const { isDetached, xades } = document;
    const options = { ...(isDetached && { cades: { detached: true } }), ...(xades && { xades }) };
    const signer = { certificate, chain, signingTimeMs, isTimestamped: false };
    const input = await documentInput(document, signer);
    return await prepareSignature(document.format, { ...input, ...signer, options });
  } catch (error) {
    const problem = signingProblemOf(error);
    if (!problem) throw error;
    if (problem.subject === 'key')
      throw errors.refuse('UnsupportedSignatureAlgorithm', { reason: problem.explanation });
    const { reason, explanation } = problem;
    throw errors.refuse('DocumentNotSignable', { reason, explanation });
  }
}

// A person finds the card and types the PIN.
const SIGNATURE_VALID_MS = 600_000;

/** Stores a started signature. Returns the `state` that completes it. */
async function store(
  { id: sessionId, keptUntilMs }: SignatureSession,
  { id: documentId }: SessionDocument,
  { record }: PreparedSignature,
  nowMs: number,
): Promise<string> {
  const state = newSecret();
  const hash = hashSecret(state);
  await startedSignatures.create({
    sessionId,
    documentId,
    hash,
    sealedRecord: await sealStarted({ sessionId, hash }, record),
    signature: null,
    expiresAtMs: nowMs + SIGNATURE_VALID_MS,
    keptUntilMs,
  });
  return state;
}
