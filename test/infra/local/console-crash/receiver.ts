import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call of a webhook: the id of its event, and whose document it is about. */
export type Received = { readonly eventId: string; readonly type: string; readonly documentId: string };

/** A receiver of webhooks that takes everything and forgets nothing, outside of the engine that is killed. */
export async function startReceiver() {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { type, data } = JSON.parse(Buffer.concat(chunks).toString()) as EventBody;
      const eventId = String(request.headers['webhook-id']);
      for (const { id } of data.documents ?? [data]) received.push({ eventId, type, documentId: id ?? '' });
      response.end();
    } catch {
      response.destroy(); // Cut off by a kill: nothing was taken.
    }
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return { received, url: `http://127.0.0.1:${port}/`, stop: () => server.close() };
}

type Named = { readonly id?: string };
type EventBody = { readonly type: string; readonly data: Named & { readonly documents?: readonly Named[] } };
