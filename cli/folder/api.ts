import { CommandRefusal, causeOf } from '../../shared/command-line/reason.ts';

/** A job as the service lists it. */
export type RemoteJob = {
  readonly id: string;
  readonly originalPath: string | null;
  readonly status: string;
  readonly createdAt: string;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
};

export type RemoteJobDetails = RemoteJob & { readonly inputSha256: string | null };

export type RemoteFolder = {
  readonly name: string;
  readonly path: string;
  readonly status: string;
  readonly lastError: string | null;
  readonly profileName: string | null;
};

/** The service or its store does not answer now. It is tried again. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** The service refuses a request about one file. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export type Api = ReturnType<typeof batchApi>;

const ANSWER_WITHIN_MS = 30_000;
/** The largest page of a list. */
export const PAGE_SIZE = 200;

/** The operations of the batch service that the command calls. @example await batchApi({ url, key }).folders() */
export function batchApi({ url, key }: { readonly url: string; readonly key: string }) {
  const call = async (path: string, signal?: AbortSignal): Promise<Response> => {
    const headers = { 'x-api-key': key };
    const answer = await fetch(`${url}/api/${path}`, { headers, ...(signal && { signal }) }).catch(
      (error) => {
        throw new Unavailable(`${url} does not answer (${causeOf(error)})`, { cause: error });
      },
    );
    if (answer.ok) return answer;
    const { status } = answer;
    const text = await answer.text().catch(() => '');
    if (status === 429 || status >= 500) throw new Unavailable(`${url} answers ${status}`);
    if (status === 401 || status === 403)
      throw new CommandRefusal(
        `${url} refuses the operator key (${status}). Name the right one: --key-file FILE or --key-env NAME`,
      );
    const { code, title } = problemOf(text);
    const unknown = `${url}/api/${path} answers ${status}. Is ${url} the base address of the batch service?`;
    throw new Refused(status, code ?? String(status), title ?? unknown);
  };
  const json = async <T>(path: string): Promise<T> => {
    const answer = await call(path, AbortSignal.timeout(ANSWER_WITHIN_MS));
    return answer.json().catch((error) => {
      throw new Unavailable(`${url} does not answer in JSON (${causeOf(error)})`, { cause: error });
    }) as Promise<T>;
  };
  return {
    profiles: () => json<readonly string[]>('profiles'),
    profile: (name: string) => json<{ readonly inputFolder: string | null }>(`profiles/${name}`),
    folders: () => json<readonly RemoteFolder[]>('folders'),
    /** A page of all jobs, newest first. */
    jobs: async (page: number): Promise<readonly RemoteJob[]> =>
      (await json<{ items: readonly RemoteJob[] }>(`jobs?page=${page}&pageSize=${PAGE_SIZE}`)).items,
    job: (id: string) => json<RemoteJobDetails>(`jobs/${id}`),
    output: (id: string) => call(`jobs/${id}/output`),
  };
}

function problemOf(text: string): { code?: string; title?: string } {
  try {
    const { code, detail, title } = JSON.parse(text);
    const message = [detail, title].find((each) => typeof each === 'string');
    return { ...(typeof code === 'string' && { code }), ...(message && { title: message }) };
  } catch {
    return {};
  }
}
