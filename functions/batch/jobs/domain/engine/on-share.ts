import { ShareMissing } from '../../../storage/domain/share.ts';
import { explainShareFailure } from '../../../storage/domain/share-failure.ts';
import { JobFailure } from './end-job.ts';

/** Names the share that failed in the failure of the job. */
export async function onShare<T>(share: string | null | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const why =
      typeof share === 'string' && !(error instanceof JobFailure)
        ? explainShareFailure(share, error)
        : undefined;
    if (why === undefined) throw error;
    const code = error instanceof ShareMissing ? 'job.input-missing' : 'job.signing-failed';
    throw new JobFailure(code, `${why} When it is as it should be, retry.`, { cause: error });
  }
}
