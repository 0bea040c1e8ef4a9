import type { SignatureKind } from '../../../../../shared/signing/format.ts';
import { outputName } from '../../../../../shared/signing/output-name.ts';
import type { Profile } from '../../../profiles/domain/profile.ts';
import { safeNameOf } from './file-name.ts';
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

/** The same of a job to be, for its record: what will be done as far as is known by now. */
export const willEncrypt = (
  requested: boolean | null,
  { encryption }: Pick<Profile, 'encryption'>,
): boolean => requested ?? encryption !== undefined;

/** The name that a profile's rules give the output of a job. */
export function outputNameOf(
  job: Job,
  profile: OutputNameRules,
  { isNumbered = job.isOutputNumbered } = {},
): string {
  const signed = outputName(safeNameOf(job.fileName), {
    format: SIGNATURE_KINDS[job.format],
    preserveExtension: profile.preserveFileExtension,
    pem: profile.saveAsPem,
  });
  const named = isNumbered ? withNumber(signed, job.id) : signed;
  return isEncrypted(job, profile) ? `${named}.enc` : named;
}

/** The name under which the file of a rejected job goes back to output/, not signed. */
export function rejectedNameOf(fileName: string): string {
  const name = safeNameOf(fileName);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)}.reject${name.slice(dot)}` : `${name}.reject`;
}

/** The first eight characters of the job's id, before the extension. */
function withNumber(name: string, jobId: string): string {
  const dot = name.lastIndexOf('.');
  return `${name.slice(0, dot)}.${jobId.slice(0, 8)}${name.slice(dot)}`;
}
