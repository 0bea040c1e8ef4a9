import { Batch, NoAnswer, Refused } from '../../clients/typescript/src/index.ts';
import { CommandRefusal, causeOf } from '../../shared/command-line/reason.ts';

type Answer<Name extends 'listJobs' | 'listFolders'> = Awaited<ReturnType<Batch[Name]>>;

/** A job as the service lists it. */
export type RemoteJob = Answer<'listJobs'>['items'][number];
export type RemoteFolder = Answer<'listFolders'>[number];

/** The service or its store does not answer now. It is tried again. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** The service refuses a request about one file. */
export { Refused };

export type Api = ReturnType<typeof batchApi>;

const ANSWER_WITHIN_MS = 30_000;
/** The largest page of a list. */
export const PAGE_SIZE = 200;

/** The operations of the batch service that the command calls. @example await batchApi({ url, key }).folders() */
export function batchApi({ url, key }: { readonly url: string; readonly key: string }) {
  // The command itself tries again, and says why it waits.
  const batch = new Batch({ url, key, timeoutMs: ANSWER_WITHIN_MS, retries: 0 });
  const ask = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error) => {
      throw problemOf(url, error);
    });
  return {
    profiles: () => ask(batch.listProfiles()),
    profile: (name: string) => ask(batch.getProfile({ name })),
    folders: () => ask(batch.listFolders()),
    /** A page of all jobs, newest first. */
    jobs: async (page: number) => (await ask(batch.listJobs({ page, pageSize: PAGE_SIZE }))).items,
    job: (id: string) => ask(batch.getJob({ id })),
    output: (id: string) => ask(batch.getJobOutput({ id })),
  };
}

function problemOf(url: string, error: unknown): unknown {
  if (error instanceof NoAnswer)
    return new Unavailable(`${url} does not answer (${causeOf(error.cause)})`, { cause: error });
  if (!(error instanceof Refused)) return error;
  const { status } = error;
  if (status === 429 || status >= 500) return new Unavailable(`${url} answers ${status}`);
  if (status === 401 || status === 403)
    return new CommandRefusal(
      `${url} refuses the operator key (${status}). Name the right one: --key-file FILE or --key-env NAME`,
    );
  return error;
}
