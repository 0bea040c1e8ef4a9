import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type StoreProxy = Awaited<ReturnType<typeof startStoreProxy>>;

/**
 * Stands between an engine and its store, and can cut the connection: requests get no answer until it is mended.
 * @example const proxy = await startStoreProxy(stores.env.AWS_ENDPOINT_URL_DYNAMODB);
 */
export async function startStoreProxy(target: string) {
  const agent = new Agent({ keepAlive: true });
  const passing = new Set<Promise<void>>();
  let cut: PromiseWithResolvers<void> | undefined;

  const server = createServer(async (asked, answered) => {
    const body = await asked.toArray().catch(() => []);
    while (cut) await cut.promise;
    // A request that its client has given up never reaches the store.
    if (asked.socket.destroyed) return;
    const pass = forward(agent, target, asked, body, answered).finally(() => passing.delete(pass));
    passing.add(pass);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns when the store has answered what it had received before the cut. */
    async cut(): Promise<void> {
      cut ??= Promise.withResolvers();
      await Promise.all(passing);
    },
    mend(): void {
      cut?.resolve();
      cut = undefined;
    },
    stop(): void {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

const forward = (
  agent: Agent,
  target: string,
  { method, url, headers, socket }: IncomingMessage,
  body: readonly Buffer[],
  answered: ServerResponse,
): Promise<void> =>
  new Promise((done) => {
    const giveUp = () => {
      socket.destroy();
      done();
    };
    const sent = request(`${target}${url}`, { agent, method, headers }, (answer) => {
      answered.writeHead(Number(answer.statusCode), answer.headers);
      answer.pipe(answered).on('close', done);
      answer.on('error', giveUp);
    });
    sent.on('error', giveUp);
    sent.end(Buffer.concat(body));
  });
