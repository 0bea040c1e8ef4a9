import { randomUUID } from 'node:crypto';
import { type Job, jobs, newJob } from '../../../functions/batch/jobs/domain/job/job.ts';
import { changingLists } from '../../../functions/batch/jobs/domain/job/list.ts';
import { commit } from '../../../shared/store/commit.ts';

/** A job as it would be at a time, with these fields, in the lists. */
export async function newJobAt(atMs: number, fields: Partial<Job>): Promise<Job> {
  const request = {
    id: randomUUID(),
    fileName: 'listed.bin',
    originalPath: null,
    folder: null,
    inputShare: null,
    inputKey: null,
    format: 'Cades',
    source: 'Upload',
    parentJobId: null,
    profileName: 'default',
    externalReference: null,
    encryption: null,
    encryptionEnabled: fields.encryption ?? false,
  } as const;
  const job: Job = { ...newJob(request, 'Uploaded.', atMs), ...fields };
  await commit([jobs.creating(job), ...changingLists(undefined, job)]);
  return job;
}
