import { requireJob } from '../../batch/jobs/domain/job/job.ts';
import { findProfile } from '../../batch/profiles/domain/find-profile.ts';
import { encryptingOf, eventsOf, renderCompactJob } from './job-view.ts';

/** A job with its events, or the refusal job.not-found. */
export async function readCompactJob(id: string) {
  const job = await requireJob(id);
  const profile = await findProfile(job.profileName);
  return { ...renderCompactJob(job, encryptingOf(profile ? [profile] : [])), events: eventsOf(job) };
}
