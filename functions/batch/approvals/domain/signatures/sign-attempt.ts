import { Refusal } from '../../../../../shared/errors/errors.ts';
import { unlessThrown } from '../../../../../shared/errors/expected.ts';
import {
  type Certificate,
  CertificateMalformed,
  PublicKeyUnsupported,
  parseCertificate,
} from '../../../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../../../shared/pki/icp-brasil/icp-brasil.ts';
import { createSignerJudge } from '../../../../../shared/pki/verdict/certificate-judge.ts';
import { prepareCades } from '../../../../../shared/signing/cades/prepare.ts';
import { checkSignature } from '../../../../../shared/signing/cms/signer-info.ts';
import { SignatureMismatch, SigningRefused } from '../../../../../shared/signing/errors.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { errors } from '../../../errors.ts';
import { approverOf, decisionOf, isExpired, type JobApproval } from '../../../jobs/domain/job/approval.ts';
import { approverSignatures, type SignatureMeans } from '../../../jobs/domain/job/approver-signatures.ts';
import { type Job, requireJob } from '../../../jobs/domain/job/job.ts';
import { policyOf } from '../../../jobs/domain/job/signature-policy.ts';
import { addressOf } from '../../../profiles/domain/approvers.ts';
import { settings } from '../../../settings.ts';
import { type Decided, decide } from '../decide.ts';
import {
  attempts,
  endAttempt,
  endingAttempt,
  openAttempt,
  type SignatureAttempt,
  type SignatureOutcome,
} from './attempt.ts';

/** A refusal that the approver's screen shows. */
export type ShownCode = Extract<
  Parameters<typeof errors.refuse>[0],
  `approval.certificate-${string}` | 'approval.signature-invalid' | 'approval.signature-conflict'
>;
export type Refused = { readonly outcome: 'refused'; readonly code: ShownCode };

const OUTCOMES: Readonly<Record<ShownCode, SignatureOutcome>> = {
  'approval.certificate-invalid': 'certificate-invalid',
  'approval.certificate-without-cpf': 'without-cpf',
  'approval.certificate-cpf-mismatch': 'cpf-mismatch',
  'approval.signature-invalid': 'signature-invalid',
  'approval.signature-conflict': 'conflict',
};

async function refuse(id: string, code: ShownCode): Promise<Refused> {
  await endAttempt(id, OUTCOMES[code]);
  return { outcome: 'refused', code };
}

/**
 * Refuses somebody who could not approve the job by signing it now. Answers the frozen rule. A job that the profile alone
 * signs takes no signature: the person would believe that the file carries it.
 */
export async function requireSignable(
  jobId: string,
  address: string,
  nowMs: number,
): Promise<{ job: Job; approval: JobApproval }> {
  const job = await requireJob(jobId);
  const { approval } = job;
  if (!approval || !approverOf(approval, address)) throw errors.refuse('job.not-found');
  if (job.state !== 'AwaitingApproval' || isExpired(approval, nowMs) || approval.signerSet === 'Profile')
    throw errors.refuse('approval.not-pending', { status: job.state });
  if (decisionOf(approval, address)) throw errors.refuse('approval.already-decided');
  return { job, approval };
}

export type Prepared = {
  readonly outcome: 'prepared';
  /** The signed attributes, in DER, and their SHA-256: a key signs one or the other. */
  readonly toSign: Buffer;
  readonly hash: Buffer;
};

const judgeSigner = createSignerJudge('batch', settings);

/**
 * Judges the certificate: it must be valid now and name the CPF of the approver. Then prepares the bytes that its key
 * signs: they hold the hash of the content that was frozen when the job was parked.
 */
export async function prepareAttempt(
  attempt: Stored<SignatureAttempt>,
  certificate: Certificate,
  nowMs: number,
): Promise<Prepared | Refused> {
  const { jobId, email } = attempt.decision;
  const { job, approval } = await requireSignable(jobId, email, nowMs);
  const { status, path } = await judgeSigner(certificate, nowMs);
  if (status !== 'ACTIVE') return refuse(attempt.id, 'approval.certificate-invalid');
  const { cpf, holder } = icpBrasilIdentity(certificate);
  // Impersonation: a company's certificate names the CPF of its responsible, and many people of the company hold its key.
  if (cpf === undefined || holder === 'company')
    return refuse(attempt.id, 'approval.certificate-without-cpf');
  if (cpf !== approverOf(approval, email)?.cpf)
    return refuse(attempt.id, 'approval.certificate-cpf-mismatch');
  const content = { hash: Buffer.from(approval.contentSha256, 'hex'), bytes: job.staged?.length };
  const policy = policyOf('Cades');
  try {
    const { toSign, hash, state } = prepareCades(content, {
      certificate,
      chain: path.slice(1),
      signingTimeMs: nowMs,
      policy,
    });
    await attempts.change(attempt, { state });
    return { outcome: 'prepared', toSign, hash };
  } catch (error) {
    // A key that must not sign: too short, or of a type that nobody verifies.
    if (!(error instanceof SigningRefused) && !(error instanceof PublicKeyUnsupported)) throw error;
    return refuse(attempt.id, 'approval.certificate-invalid');
  }
}

/** Opens an attempt for a certificate as a page sends it, in base64 DER, and prepares it. */
export async function prepareOffered(
  means: SignatureMeans,
  decision: SignatureAttempt['decision'],
  offered: string,
  nowMs: number,
): Promise<{ readonly attemptId: string; readonly result: Prepared | Refused }> {
  await requireSignable(decision.jobId, decision.email, nowMs);
  const attempt = await openAttempt(means, decision, nowMs);
  const certificate = readCertificate(offered);
  const result = certificate
    ? await prepareAttempt(attempt, certificate, nowMs)
    : await refuse(attempt.id, 'approval.certificate-invalid');
  return { attemptId: attempt.id, result };
}

function readCertificate(base64: string): Certificate | undefined {
  return unlessThrown(CertificateMalformed, () => parseCertificate(Buffer.from(base64, 'base64')));
}

export type Signed = { readonly outcome: 'signed' } & Decided;

// Two signatures of one person, for example in two windows:
//
//   window 1  |--opens a-------------------- signs, decides --|
//   window 2      |--opens b---------------------------- signs: already decided, signature-conflict
//
// The decision, the signature and the end of the attempt are one commit.

/** Checks the signature, and records it with the approval. */
export async function completeAttempt(
  { id, state, decision }: Stored<SignatureAttempt>,
  signature: Buffer,
  nowMs: number,
): Promise<Signed | Refused> {
  if (!state) return refuse(id, 'approval.signature-invalid');
  try {
    checkSignature(state.signer, signature);
  } catch (error) {
    if (!(error instanceof SignatureMismatch)) throw error;
    return refuse(id, 'approval.signature-invalid');
  }
  try {
    const decided = await decide(
      { ...decision, verdict: 'approved', reason: null, signature: () => keeping(id, signature, nowMs) },
      nowMs,
    );
    return { outcome: 'signed', ...decided };
  } catch (error) {
    // A job that ended otherwise meanwhile has nothing left to sign: its attempt is abandoned when its time is over.
    const isTaken = error instanceof Refusal && error.code === 'approval.already-decided';
    if (!isTaken) throw error;
    return refuse(id, 'approval.signature-conflict');
  }
}

/** The writes that keep a signature and end its attempt, read anew for every try of the decision. */
async function keeping(id: string, signature: Buffer, nowMs: number) {
  const attempt = await attempts.get(id);
  if (!attempt?.state || attempt.outcome !== null) throw errors.refuse('approval.not-pending');
  const { means, state, decision } = attempt;
  const address = addressOf(decision.email);
  const kept = { jobId: decision.jobId, address, means, state, signature: signature.toString('base64') };
  return [approverSignatures.creating({ ...kept, signedAtMs: nowMs }), ...endingAttempt(attempt, 'signed')];
}
