import { type Certificate, CertificateMalformed } from '../../../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../../../shared/pki/icp-brasil/icp-brasil.ts';
import type { CadesSignature } from '../../../../../shared/signing/cades/complete.ts';
import { signedDigestOf } from '../../../../../shared/signing/cades/prepare.ts';
import { checkSignature } from '../../../../../shared/signing/cms/signer-info.ts';
import { CmsMalformed, SignatureMismatch } from '../../../../../shared/signing/errors.ts';
import { JobFailure } from '../../../jobs/domain/engine/end-job.ts';
import type { Decision, JobApproval } from '../../../jobs/domain/job/approval.ts';
import { type ApproverSignature, signaturesOf } from '../../../jobs/domain/job/approver-signatures.ts';
import type { Job } from '../../../jobs/domain/job/job.ts';
import { addressOf } from '../../../profiles/domain/approvers.ts';
import type { Profile } from '../../../profiles/domain/profile.ts';

/**
 * Refuses a job whose signers cannot sign it together, before it waits for them and once more before it is signed: the
 * method of its profile may be another one by then. Throws JobFailure with approval.signer-set-unsupported.
 */
export function requireProducible(job: Job, { method, approval }: Profile): void {
  const { signerSet } = job.approval ?? approval ?? { signerSet: 'Profile' };
  if (signerSet === 'Profile') return;
  const code = 'approval.signer-set-unsupported';
  if (job.format !== 'Cades')
    throw new JobFailure(
      code,
      `Approvers sign with CAdES, and the job is ${job.format}. Change the format or the signer set of the profile.`,
    );
  if (method !== 'Local')
    throw new JobFailure(
      code,
      `Approvers must sign the job, and the method of its profile is ${method}. Change the method or the signer set.`,
    );
}

export type ApproverSigned = CadesSignature & { readonly certificate: Certificate };

/**
 * The signatures of everybody who approved a job, each checked again: the store has kept them since. Throws JobFailure
 * with approval.signatures-missing, before any key is used.
 */
export async function requireSignatures(job: Job): Promise<readonly ApproverSigned[]> {
  const { approval } = job;
  if (!approval) throw new JobFailure('approval.signatures-missing');
  const stored = new Map((await signaturesOf(job, approval)).map((one) => [one.address, one]));
  const approvals = approval.decisions.filter(({ verdict }) => verdict === 'approved');
  const found = approvals.map((decision) => {
    const kept = stored.get(addressOf(decision.approver.email));
    return { decision, signed: kept && readSignature(kept, decision, approval) };
  });
  const missing = found.filter(({ signed }) => !signed).map(({ decision }) => decision.approver.name);
  if (found.length === 0 || missing.length > 0)
    throw new JobFailure(
      'approval.signatures-missing',
      `The store has no valid signature of ${missing.join(', ') || 'any approver'} over the approved content. Nothing was signed: retry the job, and have it approved again.`,
    );
  return found.flatMap(({ signed }) => signed ?? []);
}

/** Undefined for a signature of somebody else, over something else, or that is none. */
function readSignature(
  { state, signature: base64 }: ApproverSignature,
  { approver }: Decision,
  { contentSha256 }: JobApproval,
): ApproverSigned | undefined {
  try {
    const signature = Buffer.from(base64, 'base64');
    const certificate = checkSignature(state.signer, signature);
    const isOwn = icpBrasilIdentity(certificate).cpf === approver.cpf;
    const isOfContent = signedDigestOf(state)?.toString('hex') === contentSha256;
    return isOwn && isOfContent ? { state, signature, certificate } : undefined;
  } catch (error) {
    const isUnreadable = error instanceof CertificateMalformed || error instanceof CmsMalformed;
    if (isUnreadable || error instanceof SignatureMismatch) return undefined;
    throw error;
  }
}
