import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { count, takeCounted } from '../../../shared/metrics/count.ts';
import { type SocketEvent, socketHandler } from '../../../shared/sockets/handler.ts';
import { currentTrace } from '../../../shared/trace/trace.ts';
import { logOf } from '../http/log-of.ts';
import { errors } from '../http/sample.ts';

// As on Lambda, so that what was counted is written.
beforeEach(() => {
  vi.stubEnv('AWS_LAMBDA_RUNTIME_API', '127.0.0.1:9001');
  vi.stubEnv('STAGE', 'prod');
  takeCounted();
});
afterEach(() => {
  vi.unstubAllEnvs();
  takeCounted();
});

const eventOf = (eventType: SocketEvent['requestContext']['eventType']): SocketEvent => ({
  requestContext: { eventType, connectionId: 'c1', requestId: 'gateway-1' },
  connectionsUrl: 'http://127.0.0.1:1',
});

const handler = socketHandler('session', 'agent-socket', {
  connect: async () => {
    throw errors.refuse('Refused');
  },
  message: async () => undefined,
  disconnect: async () => {
    const Service = currentTrace()?.service === 'session' ? 'session' : 'hub';
    count('Conflicts', { Service });
    throw new Error('The table is away.');
  },
});

test('a failed event is one that Lambda counts, by a line with its ids, and what it counted is written', async () => {
  const { lines } = await logOf(() => expect(handler(eventOf('DISCONNECT'))).rejects.toThrow('away'));
  expect(lines).toContainEqual(
    expect.objectContaining({
      ...{ event: 'DISCONNECT', gatewayRequestId: 'gateway-1' },
      correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    }),
  );
  expect(lines).toContainEqual(expect.objectContaining({ Service: 'session', Conflicts: 1 }));
  expect(takeCounted()).toEqual([]);
});

test('a refused connection is answered with the status of its refusal, and is no failure of the function', async () => {
  const { statusCode } = await handler(eventOf('CONNECT'));
  expect(statusCode).toBeGreaterThanOrEqual(400);
  expect(statusCode).toBeLessThan(500);
});

test('of connections that are refused, a line a second says how many', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 14) });
  vi.stubEnv('Log__Level', 'INFO');
  const { lines } = await logOf(async () => {
    for (let n = 0; n < 100; n++) await handler(eventOf('CONNECT'));
    vi.setSystemTime(Date.UTC(2026, 10, 14, 0, 0, 1));
    await handler(eventOf('CONNECT'));
  });
  vi.useRealTimers();
  const refused = lines.filter(({ message }) => message === 'A WebSocket event was refused.');
  expect(refused.map(({ refused }) => refused)).toEqual([1, 100]);
});
