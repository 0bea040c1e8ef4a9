import { safeFileName } from '../../../../../shared/files/safe-name.ts';
import type { TagSearch } from '../../../../../shared/platform/search.ts';
import type { Job } from '../../../jobs/domain/job/job.ts';

// The platform takes no longer text.
const MAX_SEARCHED_CHARACTERS = 200;

/** The document of a job that was dispatched at that time is found by its tag. */
export const searchOf = ({ id, fileName }: Pick<Job, 'id' | 'fileName'>, begunAtMs: number): TagSearch => ({
  tag: { label: 'batch-job', value: id },
  text: safeFileName(fileName).slice(0, MAX_SEARCHED_CHARACTERS).trim(),
  begunAtMs,
});
