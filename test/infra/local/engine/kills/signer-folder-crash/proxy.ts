import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Where the engine is killed in the run of a document:
 *
 *   started     the platform has given the hash, and the engine does not have it yet: before the key
 *   delivering  the engine has signed, and the platform does not have the signature yet
 *   delivered   the platform has the signature, and the engine has no answer
 */
export const KILL_POINTS = ['started', 'delivering', 'delivered'] as const;
export type KillPoint = (typeof KILL_POINTS)[number];

export type SignerProxy = Awaited<ReturnType<typeof startProxy>>;

/** Stands between the batch service and the document platform of one engine, and says when to kill it. */
export async function startProxy() {
  let target = '';
  let armed: { readonly point: KillPoint; readonly reached: () => void } | undefined;
  const accepted = new Map<string, number>();

  /** Ends the line at the point where the engine is to be killed. */
  const isReached = (point: KillPoint): boolean => {
    if (armed?.point !== point) return false;
    armed.reached();
    armed = undefined;
    return true;
  };

  const server = createServer(async (request, response) => {
    try {
      const body = Buffer.concat(await request.toArray());
      const [, key] = /\/keys\/([^/]+)\/signature$/.exec(String(request.url)) ?? [];
      if (key && isReached('delivering')) return;
      const answer = await forward(target, request, body);
      if (key && JSON.parse(answer.text).success === true) accepted.set(key, (accepted.get(key) ?? 0) + 1);
      if (key && isReached('delivered')) return;
      if (String(request.url).endsWith('/signature/certificate') && isReached('started')) return;
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
    } catch {
      request.socket.destroy();
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How often the platform said that it took a signature, by document key. */
    accepted,
    forwardTo(url: string): void {
      target = url;
    },
    /** Waits until a run comes to this point, and holds it there. */
    holdAt: (point: KillPoint): Promise<void> =>
      new Promise((reached) => {
        armed = { point, reached };
      }),
    stop(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function forward(target: string, { method, url, headers }: IncomingMessage, body: Buffer) {
  const answer = await fetch(`${target}${url}`, {
    method: String(method),
    headers: {
      'x-api-key': String(headers['x-api-key']),
      ...(headers['content-type'] && { 'content-type': headers['content-type'] }),
    },
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}
