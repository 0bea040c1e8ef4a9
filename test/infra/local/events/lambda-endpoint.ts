import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SQSEvent } from 'aws-lambda';
import { type Invoke, invoker } from '../../../../infra/local/events/invoke.ts';

type Handler = (event: SQSEvent & Record<string, unknown>, functionName: string) => unknown;

/** Serves one handler as serverless-offline serves functions: at a Lambda endpoint, errors in a header. */
export async function lambdaEndpoint(handler: Handler): Promise<{ invoke: Invoke; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const functionName = decodeURIComponent(request.url?.split('/')[3] ?? '');
    try {
      const answer = await handler(JSON.parse(Buffer.concat(chunks).toString()), functionName);
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? null));
    } catch (error) {
      response.setHeader('X-Amz-Function-Error', 'Unhandled');
      response.end(JSON.stringify({ errorType: 'Error', errorMessage: String(error) }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    invoke: invoker(`http://127.0.0.1:${port}`),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
