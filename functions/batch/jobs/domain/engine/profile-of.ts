import { findProfile } from '../../../profiles/domain/find-profile.ts';
import { type OpenedProfile, openProfile, ProfileDegraded } from '../../../profiles/domain/open-profile.ts';
import type { Profile } from '../../../profiles/domain/profile.ts';
import type { Job } from '../job/job.ts';
import { JobFailure } from './end-job.ts';

/**
 * The profile of a job, opened for those who sign it: by the frozen rule of a job that waited for approval, whatever the
 * profile says now. Throws JobFailure with profile.degraded or profile.key-unavailable.
 */
export async function openProfileOf({
  profileName,
  approval,
}: Job): Promise<{ readonly profile: Profile; readonly opened: OpenedProfile }> {
  const profile = await findProfile(profileName);
  if (!profile) throw new JobFailure('profile.degraded', `The profile ${profileName} no longer exists.`);
  const isKeyFrozen = approval !== null && approval.signerSet !== 'Approvers';
  const hasNoKey = profile.sealedKey === undefined && profile.cloudCertificate === undefined;
  if (isKeyFrozen && profile.method !== 'ExternalSigner' && hasNoKey)
    throw new JobFailure('profile.key-unavailable');
  try {
    return { profile, opened: await openProfile(profile, (approval ?? profile.approval)?.signerSet) };
  } catch (error) {
    if (error instanceof ProfileDegraded) throw new JobFailure('profile.degraded', error.sentence);
    throw error;
  }
}
