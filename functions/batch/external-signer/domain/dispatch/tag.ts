import type { Deadline } from '../../../../../shared/async/deadline.ts';
import { safeFileName } from '../../../../../shared/files/safe-name.ts';
import type { Tag } from '../../../../../shared/platform/shapes.ts';
import { externalService } from '../../../external-service.ts';
import type { Job } from '../../../jobs/domain/job/job.ts';

type Tagged = Pick<Job, 'id' | 'fileName'>;

/** The tag of the document of a job. */
export const tagOf = ({ id }: Pick<Job, 'id'>): Tag => ({ label: 'batch-job', value: id });

// The platform takes no longer text.
const MAX_SEARCHED_CHARACTERS = 200;

/** The documents of a job that was dispatched at that time, in whatever state: none, or one. */
export async function findByTag(
  job: Tagged,
  begunAtMs: number,
  deadline: Deadline,
): Promise<readonly string[]> {
  const text = safeFileName(job.fileName).slice(0, MAX_SEARCHED_CHARACTERS).trim();
  const search = { tag: tagOf(job), text, begunAtMs };
  const pending = await externalService.findByTag(search, deadline);
  return pending.length > 0 ? pending : externalService.findEnded(search, deadline);
}
