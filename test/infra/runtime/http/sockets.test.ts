import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { clientReader } from '../../../../infra/runtime/http/client.ts';
import { startServer } from '../../../../infra/runtime/http/server.ts';
import { socketUrlAt, startSocketGateway } from '../../../../infra/runtime/sockets/gateway.ts';
import { closeConnection, ownGateways, postToConnection } from '../../../../shared/sockets/connections.ts';
import type { SocketEvent } from '../../../../shared/sockets/handler.ts';

const events: SocketEvent[] = [];
const kinds = () => events.map(({ requestContext }) => requestContext.eventType);
const sockets = await startSocketGateway({
  invoke: async (event) => {
    events.push(event);
    return { statusCode: event.headers?.['x-agent-id'] === 'stranger' ? 401 : 200 };
  },
  report: (error) => console.error(error),
});
const server = startServer({
  tls: undefined,
  handle: async (_, response) => void response.writeHead(404).end(),
  onClosed: () => undefined,
  sockets,
  clientOf: clientReader([]),
  maxConnections: 2,
});
// As the parent of the workers hands connections over.
const parent = createServer({ pauseOnConnect: true, allowHalfOpen: true }, server.take).listen(
  0,
  '127.0.0.1',
);
await once(parent, 'listening');
const url = `http://127.0.0.1:${(parent.address() as AddressInfo).port}`;
afterAll(() => parent.close());

const connect = (headers: Record<string, string> = {}) => new WebSocket(socketUrlAt(url), { headers });
const address = () => {
  const [first] = events;
  return { id: first?.requestContext.connectionId ?? '', url: first?.connectionsUrl ?? '' };
};

test('a connection is the function’s to accept; it is no idle one, takes messages of other processes, and ends with the host', async () => {
  const agent = connect();
  await once(agent, 'open');
  expect(kinds()).toEqual(['CONNECT']);
  agent.send('a poll');
  await expect.poll(kinds).toEqual(['CONNECT', 'MESSAGE']);
  expect(events[1]).toMatchObject({ body: 'a poll', requestContext: { connectionId: address().id } });

  const stranger = connect({ 'x-agent-id': 'stranger' });
  await once(stranger, 'error');
  // Two connections fit, and one of these two is open: what is idle makes room, and the agent stays.
  for (let n = 0; n < 4; n++) expect((await fetch(`${url}/session/agent/connection`)).status).toBe(404);
  expect(agent.readyState).toBe(WebSocket.OPEN);

  // From here on as a process that does not hold the connection: by the SDK.
  ownGateways().clear();
  const heard = once(agent, 'message');
  expect(await postToConnection(address(), 'a task')).toBe(true);
  expect((await heard)[0]).toMatchObject({ data: 'a task' });
  expect(await postToConnection({ ...address(), id: 'nobody' }, 'a task')).toBe(false);
  expect(await closeConnection({ ...address(), id: 'nobody' })).toBe(false);

  const closed = once(agent, 'close');
  await server.drain();
  expect((await closed)[0]).toMatchObject({ code: 1001 });
  expect(kinds().at(-1)).toBe('DISCONNECT');
});
