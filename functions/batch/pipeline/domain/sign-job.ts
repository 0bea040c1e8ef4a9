import { join } from 'node:path';
import { encryptFile } from '../../../../shared/signing/encryption/encrypt-file.ts';
import { SigningRefused } from '../../../../shared/signing/errors.ts';
import { signFile } from '../../../../shared/signing/sign-file.ts';
import { verifySignedFile } from '../../../../shared/signing/verify-signed-file.ts';
import type { Job } from '../../jobs/domain/job/job.ts';
import { JobFailure } from './end-job.ts';
import type { Passed } from './gates.ts';
import { SIGNATURE_KINDS } from './output-names.ts';
import type { StagedInput } from './stage-input.ts';

/** Signs the staged copy. Answers the path of the signed file. */
export async function signStaged(
  job: Job,
  { profile, opened }: Passed,
  { path }: StagedInput,
  { folder, nowMs }: { readonly folder: string; readonly nowMs: number },
): Promise<string> {
  const signed = join(folder, 'signed');
  try {
    await signFile(path, signed, {
      format: SIGNATURE_KINDS[job.format],
      key: opened.signer,
      signingTimeMs: nowMs,
      pem: profile.saveAsPem,
    });
    return signed;
  } catch (error) {
    if (error instanceof SigningRefused)
      throw new JobFailure('job.signing-failed', error.message, { cause: error });
    throw error;
  }
}
