import { JobFailure } from '../../../jobs/domain/engine/end-job.ts';
import { openProfileOf } from '../../../jobs/domain/engine/profile-of.ts';
import type { FolderDocument, Job } from '../../../jobs/domain/job/job.ts';
import { holderOf, isBoundTo } from '../../../profiles/domain/bound-folders.ts';
import { findProfile } from '../../../profiles/domain/find-profile.ts';
import { findDegradedReason } from '../../../profiles/domain/missing-folders.ts';
import type { OpenedProfile } from '../../../profiles/domain/open-profile.ts';
import type { Profile } from '../../../profiles/domain/profile.ts';
import { say } from '../../../sentences/sentences.ts';

/** Who signs: the holder of the profile's certificate, with its key. */
export type Holder = {
  readonly profile: Profile;
  readonly signer: NonNullable<OpenedProfile['signer']>;
  readonly cpf: string;
};

/** Opens the profile of a job. Throws JobFailure with signer-folder.profile-changed or profile.degraded. */
export async function openHolder(job: Job, document: FolderDocument): Promise<Holder> {
  const current = await findProfile(job.profileName);
  if (current && !isBoundTo(current, document)) throw new JobFailure('signer-folder.profile-changed');
  const { profile, opened } = await openProfileOf(job);
  const reason = await findDegradedReason(profile);
  const cpf = holderOf(profile);
  if (reason !== undefined || !opened.signer || cpf === undefined)
    throw new JobFailure(
      'profile.degraded',
      reason === undefined ? undefined : say('degraded.profile', { name: profile.name, reason }),
    );
  return { profile, signer: opened.signer, cpf };
}
