import { setTimeout as pause } from 'node:timers/promises';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { type EngineProcess, startEngineProcess } from '../../infra/local/engine/engine-process.ts';

const headers = { 'x-api-key': SANDBOX_KEY };
const BOUNDARY = 'bench-boundary';
const LOOK_EVERY_MS = 50;
// Each of them costs six calls of the store. The end of a round, which takes three seconds, is looked at as it comes.
const COUNT_EVERY_MS = 250;
const COUNT_AT_END_EVERY_MS = 30;
const LAST_FILES = 30;
const CONNECTIONS = 10;

/** An engine that signs eight files at a time, and takes as many as are sent. For the end: cleanUp(). */
export async function startBatchEngine(options: { readonly root?: string } = {}): Promise<EngineProcess> {
  const engine = await startEngineProcess({
    ...options,
    env: {
      Log__Level: 'WARN',
      Pipeline__MaxConcurrency: '8',
      Pipeline__PollIntervalSeconds: '2',
      RateLimiting__Upload__PermitLimit: '1000000',
    },
  });
  await engine.ready();
  return engine;
}

/** Hands over files with names of their own, ten at a time, until all are completed. Answers their number a second. */
export function filesPerSecond(client: Pick<ReturnType<typeof batchClient>, 'countCompleted'>) {
  let sent = 0;
  return async (count: number, send: (name: string) => Promise<unknown>): Promise<number> => {
    const startedAt = performance.now();
    const end = sent + count;
    const connection = async (): Promise<void> => {
      while (sent < end) await send(`bench-${++sent}`);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
    for (;;) {
      const done = await client.countCompleted();
      if (done >= end) break;
      await pause(end - done > LAST_FILES ? COUNT_EVERY_MS : COUNT_AT_END_EVERY_MS);
    }
    return (count * 1000) / (performance.now() - startedAt);
  };
}

/** Calls of the batch service on a running engine. */
export function batchClient(url: string) {
  const api = `${url}/batch/api`;

  async function* form(name: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    yield Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`,
    );
    yield* content;
    yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  }

  return {
    /** Uploads a file as it is made. Answers the id of its job. */
    async upload(
      name: string,
      content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
      query = '',
    ): Promise<string> {
      const answer = await fetch(`${api}/files${query}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
        body: ReadableStream.from(form(name, content)),
        duplex: 'half',
      } as RequestInit);
      const text = await answer.text();
      if (answer.status !== 202) throw new Error(`An upload was answered ${answer.status}: ${text}`);
      return (JSON.parse(text) as { jobId: string }).jobId;
    },

    /** Waits until a job is completed. */
    async completed(jobId: string): Promise<void> {
      for (;;) {
        const answer = await fetch(`${api}/jobs/${jobId}`, { headers });
        const { status, errorMessage } = (await answer.json()) as { status: string; errorMessage: string };
        if (status === 'Completed') return;
        if (status === 'Failed') throw new Error(`The job ${jobId} failed: ${errorMessage}`);
        await pause(LOOK_EVERY_MS);
      }
    },

    /** How many jobs are completed. */
    async countCompleted(): Promise<number> {
      const answer = await fetch(`${api}/jobs?status=Completed&pageSize=1`, { headers });
      return ((await answer.json()) as { totalCount: number }).totalCount;
    },

    /** Downloads the output of a job and drops it. Answers its length. */
    async download(jobId: string): Promise<number> {
      const answer = await fetch(`${api}/jobs/${jobId}/output`, { headers });
      if (!answer.ok || !answer.body) throw new Error(`A download was answered ${answer.status}.`);
      let bytes = 0;
      for await (const chunk of answer.body) bytes += chunk.length;
      return bytes;
    },
  };
}
