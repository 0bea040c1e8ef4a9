import { createSignerJudge } from '../../../../../shared/pki/verdict/certificate-judge.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import type { OpenedProfile } from '../../../profiles/domain/open-profile.ts';
import { settings } from '../../../settings.ts';
import type { Job } from '../job/job.ts';
import { JobFailure } from './end-job.ts';

const judgeSigner = createSignerJudge('batch', settings);

/** Judges the certificate of a job's profile. Throws JobFailure with job.certificate-invalid. */
export async function requireValidCertificate(
  job: Job,
  { certificate, chain }: NonNullable<OpenedProfile['signer']>,
  nowMs: number,
): Promise<void> {
  const { status } = await judgeSigner(certificate, nowMs, { intermediates: chain });
  if (status === 'ACTIVE') return;
  const also = [counting('bulk_cert_validation_failed_total', { profile: job.profileName })];
  throw new JobFailure(
    'job.certificate-invalid',
    `The certificate of profile ${job.profileName} is ${status}.`,
    { also },
  );
}
