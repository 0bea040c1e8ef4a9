import { createReadStream } from 'node:fs';
import { createSignerJudge } from '../../../../shared/pki/verdict/certificate-judge.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { checkCnab240, isPaymentDatePassed } from '../../jobs/domain/cnab240/check.ts';
import type { Cnab240Figures } from '../../jobs/domain/cnab240/figures.ts';
import { Cnab240Invalid } from '../../jobs/domain/cnab240/invalid.ts';
import type { Job } from '../../jobs/domain/job/job.ts';
import { recordingEvent } from '../../operations/domain/events.ts';
import { counting } from '../../operations/domain/metrics.ts';
import { findProfile } from '../../profiles/domain/find-profile.ts';
import { type OpenedProfile, openProfile, ProfileDegraded } from '../../profiles/domain/open-profile.ts';
import type { Profile } from '../../profiles/domain/profile.ts';
import { settings } from '../../settings.ts';
import { JobFailure } from './end-job.ts';
import type { StagedInput } from './stage-input.ts';

/** What a job may be signed with. */
export type Passed = {
  readonly profile: Profile;
  readonly opened: OpenedProfile;
  readonly cnab240: Cnab240Figures | null;
  /** What the passing counts, for the commit that ends the job. */
  readonly counted: readonly Write[];
};

/** A failure at a gate, with what it counts and records in the commit that fails the job. */
export class GateFailure extends JobFailure {
  readonly also: readonly Write[];
  readonly cnab240: Cnab240Figures | undefined;

  constructor(code: JobFailure['code'], message: string, also: readonly Write[], cnab240?: Cnab240Figures) {
    super(code, message);
    this.also = also;
    this.cnab240 = cnab240;
  }
}

/** Opens the profile of a job. */
async function requireProfile(job: Job): Promise<Pick<Passed, 'profile' | 'opened'>> {
  const profile = await findProfile(job.profileName);
  if (!profile) throw new JobFailure('profile.degraded', `The profile ${job.profileName} no longer exists.`);
  try {
    return { profile, opened: await openProfile(profile) };
  } catch (error) {
    if (error instanceof ProfileDegraded) throw new JobFailure('profile.degraded', error.message);
    throw error;
  }
}

/**
 * The gates between a staged file and the key, in their order. Those of approvals and of the external service follow the
 * file's own checks: both park a job that would be signed.
 */
export async function passGates(job: Job, staged: StagedInput, nowMs: number): Promise<Passed> {
  const { profile, opened } = await requireProfile(job);
  // Fail closed: the caller was told that the output would be encrypted.
  if (job.encryption && !profile.encryption)
    throw new JobFailure(
      'job.signing-failed',
      `The output is to be encrypted, and profile ${profile.name} says not how.`,
    );
  if (profile.validateCertificate) await requireValidCertificate(job, opened, nowMs);
  const cnab240 = profile.checkCnab240 ? await requireRemittance(job, profile, staged, nowMs) : null;
  const isDateSkipped = cnab240 !== null && !profile.checkCnab240PaymentDates;
  const counted = isDateSkipped
    ? [counting('bulk_cnab240_payment_date_checks_skipped_total', { profile: profile.name })]
    : [];
  return { profile, opened, cnab240, counted };
}

const judgeSigner = createSignerJudge('batch', settings);

async function requireValidCertificate(job: Job, { signer }: OpenedProfile, nowMs: number): Promise<void> {
  const { status } = await judgeSigner(signer.certificate, nowMs);
  if (status === 'ACTIVE') return;
  throw new GateFailure(
    'job.certificate-invalid',
    `The certificate of profile ${job.profileName} is ${status}.`,
    [counting('bulk_cert_validation_failed_total', { profile: job.profileName })],
  );
}

async function requireRemittance(
  job: Job,
  profile: Profile,
  { path }: StagedInput,
  nowMs: number,
): Promise<Cnab240Figures> {
  const figures = await readRemittance(job, path, nowMs);
  if (!profile.checkCnab240PaymentDates) return figures;
  if (!isPaymentDatePassed(figures, nowMs, settings['Cnab240:TimeZone'])) return figures;
  const code = 'cnab240.payment-date-passed';
  const message = `The earliest payment date, ${figures.earliestPaymentDate}, is in the past.`;
  const event = recordRefusal(job, 'Cnab240PaymentDatePassed', code, message, nowMs);
  throw new GateFailure(code, message, event, figures);
}

async function readRemittance(job: Job, path: string, nowMs: number): Promise<Cnab240Figures> {
  try {
    return await checkCnab240(createReadStream(path));
  } catch (error) {
    if (!(error instanceof Cnab240Invalid)) throw error;
    const code = 'cnab240.invalid';
    throw new GateFailure(
      code,
      error.message,
      recordRefusal(job, 'Cnab240ValidationFailed', code, error.message, nowMs),
    );
  }
}

const recordRefusal = (
  { id: jobId, fileName, profileName }: Job,
  type: 'Cnab240ValidationFailed' | 'Cnab240PaymentDatePassed',
  code: JobFailure['code'],
  message: string,
  nowMs: number,
): Write[] => recordingEvent({ type, message: `${fileName}: ${message}`, jobId, profileName, code }, nowMs);
