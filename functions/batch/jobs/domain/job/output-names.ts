import type { SignatureKind } from '../../../../../shared/signing/format.ts';
import { outputName } from '../../../../../shared/signing/output-name.ts';
import type { Profile } from '../../../profiles/domain/profile.ts';
import type { Job, JobFormat } from './job.ts';

/** Not beside the signing itself: whoever names or downloads an output needs no key. */
export const SIGNATURE_KINDS: Readonly<Record<JobFormat, SignatureKind>> = {
  Pades: 'pades',
  Cades: 'cades',
  Xades: 'xades',
};

/** The fields of a profile that name its outputs. */
export type OutputNameRules = Pick<Profile, 'preserveFileExtension' | 'saveAsPem' | 'encryption'>;

/** Whether the output of a job is encrypted: as its caller asked, or else as its profile says. */
export const isEncrypted = (job: Pick<Job, 'encryption'>, { encryption }: OutputNameRules): boolean =>
  encryption !== undefined && job.encryption !== false;

/** The name that a profile's rules give the output of a job. */
export function outputNameOf(
  job: Job,
  profile: OutputNameRules,
  { isNumbered = job.isOutputNumbered } = {},
): string {
  const signed = outputName(job.fileName, {
    format: SIGNATURE_KINDS[job.format],
    preserveExtension: profile.preserveFileExtension,
    pem: profile.saveAsPem,
  });
  const named = isNumbered ? withNumber(signed, job.id) : signed;
  return isEncrypted(job, profile) ? `${named}.enc` : named;
}

/** The name under which the file of a rejected job goes back to output/, not signed. */
export function rejectedNameOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.');
  return dot > 0 ? `${fileName.slice(0, dot)}.reject${fileName.slice(dot)}` : `${fileName}.reject`;
}

/** The first eight characters of the job's id, before the extension. */
function withNumber(name: string, jobId: string): string {
  const dot = name.lastIndexOf('.');
  return `${name.slice(0, dot)}.${jobId.slice(0, 8)}${name.slice(dot)}`;
}
