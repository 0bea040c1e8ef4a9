import type { AddressInfo } from 'node:net';
import type { APIGatewayProxyEvent, APIGatewayProxyEventV2 } from 'aws-lambda';
import express from 'express';
import { Hono } from 'hono';
import {
  forExpress,
  forHono,
  forLambda,
  forNext,
  type Receiver,
} from '../../../clients/typescript/src/webhooks/index.ts';

export type Sent = {
  readonly method?: string;
  readonly headers: Record<string, string>;
  readonly body: string;
};
export type Answered = { readonly status: number; readonly text: string; readonly retryAfter: string | null };
type Framework = (
  receiver: Receiver,
) => Promise<{ send(sent: Sent): Promise<Answered>; stop?(): Promise<void> }>;

const answeredOf = async (answer: Response): Promise<Answered> => ({
  status: answer.status,
  text: await answer.text(),
  retryAfter: answer.headers.get('retry-after'),
});
const initOf = ({ method = 'POST', headers, body }: Sent): RequestInit => ({
  ...{ method, headers },
  ...(method === 'POST' && { body }),
});

/** An express with a webhook behind some middleware. */
export async function startExpress(receiver: Receiver, ...before: express.RequestHandler[]) {
  const app = express();
  app.use(...before, (_request, _response, next) => next());
  app.all('/webhooks', forExpress(receiver));
  const failed: express.ErrorRequestHandler = (error: Error, _request, response, _next) => {
    response.status(500).send(error.message);
  };
  app.use(failed);
  const server = app.listen(0, '127.0.0.1');
  await new Promise((ready) => server.once('listening', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  return {
    send: async (sent: Sent) => answeredOf(await fetch(url, initOf(sent))),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((stopped) => server.close(stopped));
    },
  };
}

const MIXED_CASE = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replace(/^./, (a) => a.toUpperCase()), value]),
  );

async function lambda(receiver: Receiver, eventOf: (sent: Sent) => object) {
  const handler = forLambda(receiver);
  const send = async (sent: Sent): Promise<Answered> => {
    const { statusCode, headers, body } = await handler(eventOf(sent));
    return { status: statusCode, text: body, retryAfter: headers['retry-after'] ?? null };
  };
  return { send };
}

/** Ways in which a webhook is received, each by its framework itself. */
export const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  Hono: async (receiver) => {
    const app = new Hono().all('/webhooks', forHono(receiver));
    app.onError(({ message }, context) => context.text(message, 500));
    return { send: async (sent) => answeredOf(await app.request('/webhooks', initOf(sent))) };
  },
  Express: (receiver) => startExpress(receiver),
  'Express with express.raw': (receiver) =>
    startExpress(receiver, express.raw({ type: '*/*', limit: '2mb' })),
  'a route of Next': async (receiver) => {
    const POST = forNext(receiver);
    const failed = ({ message }: Error) => new Response(message, { status: 500 });
    const send = async (sent: Sent) =>
      answeredOf(await POST(new Request('http://next.test/webhooks', initOf(sent))).catch(failed));
    return { send };
  },
  'Lambda behind a REST API': (receiver) =>
    lambda(receiver, ({ method = 'POST', headers, body }) => {
      const event: Pick<APIGatewayProxyEvent, 'httpMethod' | 'headers' | 'body' | 'isBase64Encoded'> = {
        ...{ httpMethod: method, headers: MIXED_CASE(headers), body, isBase64Encoded: false },
      };
      return event;
    }),
  'Lambda behind a function URL': (receiver) =>
    lambda(receiver, ({ method = 'POST', headers, body }) => {
      const http = { method, path: '/', protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'Sinete' };
      const requestContext = { http } as APIGatewayProxyEventV2['requestContext'];
      const bytes = Buffer.from(body).toString('base64');
      return { requestContext, headers, body: bytes, isBase64Encoded: true };
    }),
};
