import type * as z from 'zod';
import type { Job, JobDetails } from '../../../../../../functions/batch/jobs/contract/job.ts';
import type { OperationalEvent } from '../../../../../../functions/batch/operations/contract.ts';
import { SANDBOX_KEY } from '../../../../../../functions/sandbox/sandbox-data.ts';
import { forEachConcurrently } from '../../../../../../shared/async/for-each-concurrently.ts';

export type ListedJob = z.infer<typeof Job>;
export type DetailedJob = z.infer<typeof JobDetails>;
export type ListedEvent = z.infer<typeof OperationalEvent>;

const PAGE_SIZE = 200;
const AT_ONCE = 4;
const headers = { 'x-api-key': SANDBOX_KEY };

type Page<Item> = { readonly items: readonly Item[]; readonly totalCount: number };

/** The batch service of an engine, as an operator's script calls it. */
export function batchApi(url: string) {
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${url}/batch/api/${path}`, { headers, ...init });
  const get = async (path: string): Promise<Response> => {
    const answer = await call(path);
    if (!answer.ok) throw new Error(`GET ${path} was answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const read = async <Body>(path: string): Promise<Body> => (await get(path)).json() as Promise<Body>;

  /** All items of a list, page by page. */
  const readAll = async <Item>(path: string): Promise<Page<Item>> => {
    const items: Item[] = [];
    for (let page = 1; ; page++) {
      const separator = path.includes('?') ? '&' : '?';
      const found = await read<Page<Item>>(`${path}${separator}page=${page}&pageSize=${PAGE_SIZE}`);
      items.push(...found.items);
      if (found.items.length < PAGE_SIZE) return { items, totalCount: found.totalCount };
    }
  };
  return {
    upload: (file: { readonly name: string; readonly profile: string; readonly content: Buffer }) => {
      const body = new FormData();
      body.append('file', new Blob([new Uint8Array(file.content)]), file.name);
      return call(`files?profile=${file.profile}`, { method: 'POST', body });
    },
    retry: (id: string) => call(`jobs/${id}/retry`, { method: 'POST' }),
    jobs: (filter = '') => readAll<ListedJob>(`jobs${filter}`),
    countJobs: async (filter: string) => (await read<Page<ListedJob>>(`jobs${filter}&pageSize=1`)).totalCount,
    events: (filter = '') => readAll<ListedEvent>(`events${filter}`),
    details: async (ids: readonly string[]): Promise<DetailedJob[]> => {
      const found: DetailedJob[] = [];
      await forEachConcurrently(AT_ONCE, ids, async (id) => {
        found.push(await read<DetailedJob>(`jobs/${id}`));
      });
      return found;
    },
    output: async (id: string) => Buffer.from(await (await get(`jobs/${id}/output`)).arrayBuffer()),
    metrics: async () => (await get('metrics')).text(),
    jobsInFlight: async () => (await read<{ jobsInFlight: number }>('pipeline/state')).jobsInFlight,
  };
}

export type BatchApi = ReturnType<typeof batchApi>;
