import { findProfile } from '../../../profiles/domain/find-profile.ts';
import { type OpenedProfile, openProfile, ProfileDegraded } from '../../../profiles/domain/open-profile.ts';
import type { Profile } from '../../../profiles/domain/profile.ts';
import { JobFailure } from './end-job.ts';
import type { Job } from './job.ts';

/** The profile of a job, opened. Throws JobFailure with profile.degraded. */
export async function openProfileOf({
  profileName,
}: Job): Promise<{ readonly profile: Profile; readonly opened: OpenedProfile }> {
  const profile = await findProfile(profileName);
  if (!profile) throw new JobFailure('profile.degraded', `The profile ${profileName} no longer exists.`);
  try {
    return { profile, opened: await openProfile(profile) };
  } catch (error) {
    if (error instanceof ProfileDegraded) throw new JobFailure('profile.degraded', error.message);
    throw error;
  }
}
