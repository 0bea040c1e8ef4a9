import type { Stored } from '../../../../shared/store/collection.ts';
import { readFlight } from '../../pipeline/domain/slots.ts';
import { type Job, jobs } from './job/job.ts';
import { jobList } from './job/list.ts';
import { isInFlight, type JobState } from './job/states.ts';

export type JobFilter = { readonly status?: JobState | undefined; readonly profile?: string | undefined };
export type JobPage = { readonly items: readonly Stored<Job>[]; readonly totalCount: number };

/** A page of jobs, newest first. Its cost does not depend on its number. */
export async function listJobs(
  { status, profile }: JobFilter,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
): Promise<JobPage> {
  if (status && isInFlight(status)) {
    const found = await jobsInFlight({ status, profile });
    return { items: found.slice((page - 1) * pageSize, page * pageSize), totalCount: found.length };
  }
  const state = status as Exclude<JobState, 'Processing' | 'Verifying'> | undefined;
  const list = jobList({ ...(profile !== undefined && { profile }), ...(state && { state }) });
  const { ids, total } = await list.page({ page, pageSize });
  const items = await jobs.getMany(ids);
  // A job that has moved on since its entry was read is not of this status any more.
  return { items: state ? items.filter((job) => job.state === state) : items, totalCount: total };
}

/** The jobs that workers have, newest first. They are few: a slot has one. */
async function jobsInFlight({ status, profile }: JobFilter): Promise<Stored<Job>[]> {
  const { slots } = await readFlight();
  const found = await jobs.getMany(slots.map(({ jobId }) => jobId));
  return found
    .filter((job) => job.state === status && (profile === undefined || job.profileName === profile))
    .toSorted((a, b) => b.createdAtMs - a.createdAtMs);
}
