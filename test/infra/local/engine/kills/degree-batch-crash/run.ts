import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ownStage, type Stage } from '../../../../../functions/credentials/degrees/batches/stage.ts';
import { joinEngine } from '../../crowd.ts';
import { type KillableEngine, secondsUntil, startKillable } from '../killed-work.ts';
import { fileOfLines, type MixedLine, mixedLines } from './lines.ts';

const GIVE_UP_SECONDS = 3_600;

export type Batch = {
  readonly id: string;
  readonly status: string;
  readonly lines: number;
  readonly processed: number;
  readonly created: number;
  readonly failed: number;
};

type UploadLink = {
  readonly uploadId: string;
  readonly url: string;
  readonly headers: Record<string, string>;
};

export type BatchRun = {
  readonly engine: KillableEngine;
  readonly api: Api;
  readonly id: string;
  readonly lines: readonly MixedLine[];
  /** Those that met the batch at work: a fast machine may end it before the last. */
  readonly kills: number;
  /** Of all, and those of them in which no engine was ready. */
  readonly seconds: number;
  readonly secondsDown: number;
};

export type Api = ReturnType<typeof apiOf>;

/** The degrees of an engine, as a university's script reads them. */
function apiOf(url: string, headers: Record<string, string>) {
  let busy = 0;
  const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const answer = await fetch(`${url}/credentials/api/degrees${path}`, {
      ...init,
      headers: { ...headers, ...init.headers },
    });
    if (answer.ok) return answer;
    const text = await answer.text();
    if (answer.status !== 503 || init.method)
      throw new Error(`${path} was answered ${answer.status}: ${text}`);
    // A store of so many items may be busy for some seconds. A call that only reads is repeated when it says so.
    busy += 1;
    await pause(1000 * Number(answer.headers.get('retry-after')));
    return call(path, init);
  };
  const read = async <Body>(path: string): Promise<Body> => (await call(path)).json() as Promise<Body>;
  return {
    /** By a link, as a file must be sent that is too large for one request. */
    async send(file: Buffer): Promise<Batch> {
      const post = async <Answer>(path: string, body: object): Promise<Answer> => {
        const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
        return (await call(path, { ...init, body: JSON.stringify(body) })).json() as Promise<Answer>;
      };
      const link = await post<UploadLink>('/batches/uploads', { size: file.length });
      const { status } = await fetch(link.url, {
        method: 'PUT',
        headers: link.headers,
        body: new Uint8Array(file),
      });
      if (status !== 200) throw new Error(`The put of the file was answered ${status}.`);
      return post<Batch>('/batches', { uploadId: link.uploadId });
    },
    /** Answers so far that the store was busy. */
    busy: () => busy,
    batch: (id: string) => read<Batch>(`/batches/${id}`),
    text: async (path: string) => (await call(path)).text(),
    /** All items of a list, page by page. */
    async all<Item>(path: string): Promise<{ items: Item[]; totalCount: number }> {
      const items: Item[] = [];
      for (let page = 1; ; page++) {
        const found = await read<{ items: Item[]; totalCount: number }>(`${path}?page=${page}&pageSize=200`);
        items.push(...found.items);
        if (found.items.length < 200) return { items, totalCount: found.totalCount };
      }
    },
  };
}

/** Sends a batch, and kills the engine each time another part of it is worked through. */
export async function runKilledBatch({
  count,
  kills,
}: {
  readonly count: number;
  readonly kills: number;
}): Promise<BatchRun> {
  // A document platform that never answers: what is handed to it is not looked at here.
  const platform = await startSilentServer();
  try {
    const engine = await startKillable({
      credentials__Signer__BaseAddress: `http://127.0.0.1:${platform.port}`,
      credentials__Signer__ApiKey: 'none',
      credentials__Signer__RequestTimeout: '60',
    });
    // Everything is made before the first kill: this process knows the stores of the first engine.
    joinEngine(engine.dataDir);
    const stage: Stage = await ownStage();
    const api = apiOf(engine.url, stage.headers);
    const lines = mixedLines(count, stage.instituteId);
    const startedAt = performance.now();
    let [secondsDown, killed] = [0, 0];
    const { id } = await api.send(fileOfLines(lines));
    const isPast = (part: number) => async () => (await api.batch(id)).processed >= part * count;
    for (; killed < kills; killed++) {
      await secondsUntil(isPast(killed / (kills + 1)), GIVE_UP_SECONDS);
      if ((await api.batch(id)).status === 'Finished') break;
      const killedAt = performance.now();
      await engine.killAndRestart();
      secondsDown += (performance.now() - killedAt) / 1000;
    }
    await secondsUntil(async () => (await api.batch(id)).status === 'Finished', GIVE_UP_SECONDS);
    const seconds = (performance.now() - startedAt) / 1000;
    return { engine, api, id, lines, kills: killed, seconds, secondsDown };
  } finally {
    await platform.stop();
  }
}

async function startSilentServer(): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> {
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.');
  return {
    port: address.port,
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
