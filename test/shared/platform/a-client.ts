import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Deadline, deadlineIn } from '../../../shared/async/deadline.ts';
import { platformClient } from '../../../shared/platform/client.ts';
import { type Server, startServer } from '../net/a-server.ts';

export type Received = {
  readonly call: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
};
type Respond = (request: IncomingMessage, response: ServerResponse, received: Received) => unknown;

/** A client before a real server that answers as the test says. */
export function clientBeforeServer({ requestTimeoutMs = 2_000 } = {}) {
  let server: Server;
  let respond: Respond = () => undefined;
  const received: Received[] = [];
  const pauses: number[] = [];
  let clockMs = Date.parse('2026-07-01T12:00:00Z');
  const now = () => clockMs;
  const access = {
    apiKey: 'app|secret',
    requestTimeoutMs,
    get address() {
      return server.url;
    },
  };
  const pause = async (ms: number) => {
    pauses.push(ms);
    clockMs += ms;
  };

  beforeAll(async () => {
    server = await startServer(async (request, response) => {
      const text = Buffer.concat(await request.toArray()).toString();
      const one = { call: `${request.method} ${request.url}`, headers: request.headers, text };
      received.push(one);
      respond(request, response, one);
    });
  });
  afterEach(() => {
    received.length = 0;
    pauses.length = 0;
  });
  afterAll(() => server.stop());

  return {
    client: platformClient(access, pause),
    received,
    /** The waits that the client made, which end at once and move its clock. */
    pauses,
    now,
    within: (ms = 60_000): Deadline => deadlineIn(ms, now),
    answer(given: Respond) {
      respond = given;
    },
    answerJson(value: unknown, status = 200, headers: Record<string, string> = {}) {
      respond = (_, response) => response.writeHead(status, headers).end(JSON.stringify(value));
    },
  };
}

/** The error that a call fails with. */
export const failureOf = (call: Promise<unknown>): Promise<Error & Record<string, unknown>> =>
  call.then(
    () => expect.unreachable('The call was answered.'),
    (error) => error,
  );
