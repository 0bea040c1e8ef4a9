import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeConnection, postToConnection } from '../../../shared/sockets/connections.ts';

// As serverless-offline answers: API Gateway names its error beside the status.
const gateway = createServer((_request, response) => response.writeHead(410).end());
beforeAll(() => new Promise<void>((done) => gateway.listen(0, '127.0.0.1', done)));
afterAll(() => void gateway.close());

test('a connection that has ended is none, also where the gateway does not name the error', async () => {
  const connection = { id: 'gone', url: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}` };
  expect(await postToConnection(connection, 'hello')).toBe(false);
  expect(await closeConnection(connection)).toBe(false);
});
