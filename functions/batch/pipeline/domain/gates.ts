import type { Write } from '../../../../shared/store/write.ts';
import { checkCnab240, isPaymentDatePassed } from '../../jobs/domain/cnab240/check.ts';
import type { Cnab240Figures } from '../../jobs/domain/cnab240/figures.ts';
import { Cnab240Invalid } from '../../jobs/domain/cnab240/invalid.ts';
import { describeLotSums } from '../../jobs/domain/cnab240/lot-sums.ts';
import { JobFailure } from '../../jobs/domain/engine/end-job.ts';
import { openProfileOf } from '../../jobs/domain/engine/profile-of.ts';
import type { Release } from '../../jobs/domain/engine/release-output.ts';
import { requireValidCertificate } from '../../jobs/domain/engine/valid-certificate.ts';
import type { Job } from '../../jobs/domain/job/job.ts';
import { recordingEvent } from '../../operations/domain/events.ts';
import { counting } from '../../operations/domain/metrics.ts';
import type { Profile } from '../../profiles/domain/profile.ts';
import { ofFile, type Sentence, say } from '../../sentences/sentences.ts';
import { settings } from '../../settings.ts';
import { openStaged, type StagedInput } from './stage-input.ts';

/** The profile, its key and the figures of a job that passed every gate. */
export type Passed = Release & { readonly cnab240: Cnab240Figures | null };

/**
 * The gates between a staged file and the key, in their order. Those of approvals and of the external service follow the
 * file's own checks: both park a job that would be signed.
 */
export async function passGates(job: Job, staged: StagedInput, nowMs: number): Promise<Passed> {
  const { profile, opened } = await openProfileOf(job);
  // Fail closed: the caller was told that the output would be encrypted.
  if (job.encryption && !profile.encryption)
    throw new JobFailure(
      'job.signing-failed',
      `The output is to be encrypted, and profile ${profile.name} says not how.`,
    );
  if (profile.validateCertificate && opened.signer) await requireValidCertificate(job, opened.signer, nowMs);
  // A job that people approved passes the checks that it was parked with, whatever the profile says by now.
  const isChecked = profile.checkCnab240 || job.approval !== null;
  const cnab240 = isChecked ? await requireRemittance(job, profile, staged, nowMs) : null;
  const isDateSkipped = cnab240 !== null && !profile.checkCnab240PaymentDates;
  const counted = isDateSkipped
    ? [counting('bulk_cnab240_payment_date_checks_skipped_total', { profile: profile.name })]
    : [];
  return { profile, opened, cnab240, counted };
}

async function requireRemittance(
  job: Job,
  profile: Profile,
  staged: StagedInput,
  nowMs: number,
): Promise<Cnab240Figures> {
  const figures = await readRemittance(job, staged, nowMs);
  if (profile.checkCnab240LotSums && figures.lotSums) {
    const message = describeLotSums(figures.lotSums);
    const also = recordRefusal(job, 'Cnab240ValidationFailed', 'cnab240.invalid', message, nowMs);
    throw new JobFailure('cnab240.invalid', message, { also, found: { cnab240: figures } });
  }
  if (!profile.checkCnab240PaymentDates) return figures;
  if (!isPaymentDatePassed(figures, nowMs, settings['Cnab240:TimeZone'])) return figures;
  const code = 'cnab240.payment-date-passed';
  const message = say('job.payment-date-passed', { date: figures.earliestPaymentDate ?? '' });
  const also = recordRefusal(job, 'Cnab240PaymentDatePassed', code, message, nowMs);
  throw new JobFailure(code, message, { also, found: { cnab240: figures } });
}

async function readRemittance(job: Job, staged: StagedInput, nowMs: number): Promise<Cnab240Figures> {
  try {
    return await checkCnab240(openStaged(staged));
  } catch (error) {
    if (!(error instanceof Cnab240Invalid)) throw error;
    const code = 'cnab240.invalid';
    const also = recordRefusal(job, 'Cnab240ValidationFailed', code, error.message, nowMs);
    throw new JobFailure(code, error.message, { also });
  }
}

const recordRefusal = (
  { id: jobId, fileName, profileName }: Job,
  type: 'Cnab240ValidationFailed' | 'Cnab240PaymentDatePassed',
  code: JobFailure['code'],
  message: Sentence,
  nowMs: number,
): Write[] => recordingEvent({ type, message: ofFile(fileName, message), jobId, profileName, code }, nowMs);
