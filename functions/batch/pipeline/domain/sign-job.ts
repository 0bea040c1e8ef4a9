import { join } from 'node:path';
import type { Stamp } from '../../../../shared/signing/cms/stamp.ts';
import { SigningRefused } from '../../../../shared/signing/errors.ts';
import { PdfRefused } from '../../../../shared/signing/pades/refused.ts';
import { PolicyUnusable } from '../../../../shared/signing/policy-file.ts';
import { signFile } from '../../../../shared/signing/sign-file.ts';
import { stampWith, TimestampFailed } from '../../../../shared/signing/timestamp/client.ts';
import { timestampPost } from '../../../../shared/signing/timestamp/post.ts';
import { verifySignedFile } from '../../../../shared/signing/verification/verify-signed-file.ts';
import { XmlRefused } from '../../../../shared/signing/xades/errors.ts';
import { JobFailure } from '../../jobs/domain/job/end-job.ts';
import type { Job } from '../../jobs/domain/job/job.ts';
import { SIGNATURE_KINDS } from '../../jobs/domain/job/output-names.ts';
import { timestampAuthorities } from '../../profiles/domain/timestamp-authorities.ts';
import type { Passed } from './gates.ts';
import { policyOf } from './signature-policy.ts';
import type { StagedInput } from './stage-input.ts';

/** Whether the message tells the operator what to change: the file, the policy, or an authority that is away. */
const isNamed = (error: unknown): error is Error =>
  error instanceof SigningRefused ||
  error instanceof PdfRefused ||
  error instanceof XmlRefused ||
  error instanceof PolicyUnusable ||
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

/** Signs the staged copy. Answers the path of the signed file. */
export async function signStaged(
  job: Job,
  { profile, opened }: Passed,
  { path }: StagedInput,
  { folder, nowMs }: { readonly folder: string; readonly nowMs: number },
): Promise<string> {
  const { signer: key } = opened;
  if (!key) throw new JobFailure('profile.key-unavailable');
  const signed = join(folder, 'signed');
  try {
    await signFile(path, signed, {
      format: SIGNATURE_KINDS[job.format],
      key,
      signingTimeMs: nowMs,
      pem: profile.saveAsPem,
      policy: policyOf(job.format),
      stamp: profile.timestamp ? stampWithAuthorities() : undefined,
    });
    return signed;
  } catch (error) {
    if (!isNamed(error)) throw error;
    throw new JobFailure('job.signing-failed', error.message, { cause: error });
  }
}

/** Verifies the signed file before it is released: that the profile's key signed all of these bytes. */
export async function verifySigned(
  job: Job,
  { opened }: Passed,
  signed: string,
  nowMs: number,
): Promise<void> {
  const format = SIGNATURE_KINDS[job.format];
  const result = await verifySignedFile(signed, { format, atMs: nowMs, signer: opened.signer?.certificate });
  if (!result.ok)
    throw new JobFailure(
      'job.verification-failed',
      `The signed file does not verify, and was not released: ${result.reasons.join(' ')}`,
    );
}
