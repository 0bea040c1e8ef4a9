import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { signTogether } from '../../../../shared/signing/cades/sign-together.ts';
import type { Stamp } from '../../../../shared/signing/cms/stamp.ts';
import { SigningRefused } from '../../../../shared/signing/errors.ts';
import { PdfRefused } from '../../../../shared/signing/pades/refused.ts';
import { PolicyUnusable } from '../../../../shared/signing/policy-file.ts';
import type { LocalFile } from '../../../../shared/signing/read-chunks.ts';
import { signInPieces } from '../../../../shared/signing/sign-file.ts';
import { stampWith, TimestampFailed } from '../../../../shared/signing/timestamp/client.ts';
import { timestampPost } from '../../../../shared/signing/timestamp/post.ts';
import { verifySignedFile } from '../../../../shared/signing/verification/verify-signed-file.ts';
import { writeWhole } from '../../../../shared/signing/write-whole.ts';
import { XmlRefused } from '../../../../shared/signing/xades/errors.ts';
import { requireSignatures } from '../../approvals/domain/signatures/require-signatures.ts';
import { JobFailure } from '../../jobs/domain/engine/end-job.ts';
import type { Job } from '../../jobs/domain/job/job.ts';
import { SIGNATURE_KINDS } from '../../jobs/domain/job/output-names.ts';
import { policyOf } from '../../jobs/domain/job/signature-policy.ts';
import { CloudSignatureFailed } from '../../profiles/domain/cloud-key.ts';
import { ProfileDegraded } from '../../profiles/domain/open-profile.ts';
import { timestampAuthorities } from '../../profiles/domain/timestamp-authorities.ts';
import type { Passed } from './gates.ts';
import type { StagedInput } from './stage-input.ts';
import type { WorkFolder } from './work-folder.ts';

/** Whether the message tells the operator what to change: the file, the policy, or an authority that is away. */
const isNamed = (error: unknown): error is Error =>
  error instanceof SigningRefused ||
  error instanceof PdfRefused ||
  error instanceof XmlRefused ||
  error instanceof PolicyUnusable ||
  error instanceof CloudSignatureFailed ||
  error instanceof TimestampFailed;

/** Asks the configured authorities for a timestamp, in their order. */
function stampWithAuthorities(): Stamp {
  const authorities = timestampAuthorities();
  if (authorities.length === 0)
    throw new JobFailure(
      'job.signing-failed',
      'The profile asks for timestamps, and Signing:TimestampAuthorities names no authority.',
    );
  return stampWith({ authorities: authorities.map((url) => ({ url })), post: timestampPost() });
}

/** A signed file of this worker, and everybody who must have signed it. */
export type SignedCopy = {
  readonly file: LocalFile;
  readonly profileSigner: Certificate | undefined;
  readonly approvers: readonly Certificate[];
};

/**
 * Signs the staged copy, as the frozen rule of the job says: with the profile's key, and as the approvers did. What was
 * staged in memory stays there.
 */
export async function signStaged(
  job: Job,
  { profile, opened }: Passed,
  { file: staged }: StagedInput,
  { folder, nowMs }: { readonly folder: WorkFolder; readonly nowMs: number },
): Promise<SignedCopy> {
  const { signerSet } = job.approval ?? { signerSet: 'Profile' };
  const key = signerSet === 'Approvers' ? undefined : opened.signer;
  if (signerSet !== 'Approvers' && !key) throw new JobFailure('profile.key-unavailable');
  const signatures = signerSet === 'Profile' ? [] : await requireSignatures(job);
  try {
    const options = {
      key,
      signingTimeMs: nowMs,
      pem: profile.saveAsPem,
      policy: policyOf(job.format),
      stamp: profile.timestamp ? stampWithAuthorities() : undefined,
    };
    const pieces =
      key && signerSet === 'Profile'
        ? signInPieces(staged, { ...options, key, format: SIGNATURE_KINDS[job.format] })
        : signTogether(staged, { ...options, signatures });
    const file = typeof staged === 'string' ? await write(pieces, folder) : await buffer(pieces);
    const approvers = signatures.map(({ certificate }) => certificate);
    return { file, profileSigner: key?.certificate, approvers };
  } catch (error) {
    // The hub refused the authorization of a cloud certificate.
    if (error instanceof ProfileDegraded) throw new JobFailure('profile.degraded', error.sentence);
    if (!isNamed(error)) throw error;
    throw new JobFailure('job.signing-failed', error.message, { cause: error });
  }
}

async function write(pieces: AsyncIterable<Uint8Array>, folder: WorkFolder): Promise<string> {
  const path = join(await folder(), 'signed');
  await writeWhole(path, pieces);
  return path;
}

/** Verifies the signed file before it is released: that each who must sign signed all of these bytes. */
export async function verifySigned(
  job: Job,
  { file, profileSigner, approvers }: SignedCopy,
  nowMs: number,
): Promise<void> {
  const result = await verifySignedFile(file, {
    format: SIGNATURE_KINDS[job.format],
    atMs: nowMs,
    signer: profileSigner,
    // The profile's key may be that of an approver too: the file then holds two signatures of one certificate.
    signers: [...(profileSigner ? [profileSigner] : []), ...approvers],
  });
  if (!result.ok)
    throw new JobFailure(
      'job.verification-failed',
      `The signed file does not verify, and was not released: ${result.reasons.join(' ')}`,
    );
}
