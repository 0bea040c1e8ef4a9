import { readFileSync } from 'node:fs';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { endpointFiles } from '../../infra/function-files.ts';
import { handlerOf, sampleEventPath } from '../../infra/invoke.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { SERVICES } from '../../shared/settings/names.ts';
import { cleanUp, startEngineProcess } from '../infra/local/engine/engine-process.ts';

const names = endpointFiles().map(({ service, name }) => `${service}/${name}`);

let url: string;
beforeAll(async () => {
  const engine = await startEngineProcess();
  await engine.ready();
  url = engine.url;
}, 120_000);
afterAll(cleanUp);

/** Sends a function's sample event as the request that it was made from. */
function request(event: APIGatewayProxyEvent): Promise<Response> {
  const query = new URLSearchParams((event.queryStringParameters ?? {}) as Record<string, string>).toString();
  const { Host: _, ...headers } = event.headers as Record<string, string>;
  const body = event.body && Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  return fetch(`${url}${event.path}${query && `?${query}`}`, {
    method: event.httpMethod,
    headers,
    redirect: 'manual',
    ...(body && { body }),
  });
}

type Sample = APIGatewayProxyEvent & { readonly expectedStatus: number };

/** A sample with the address of this engine in the place of the usual one. */
const sample = (name: string): Sample =>
  JSON.parse(
    readFileSync(sampleEventPath(name), 'utf8').replaceAll(
      /localhost(:|%3A)3000/gi,
      `localhost$1${new URL(url).port}`,
    ),
  );

describe('over HTTP, on the running engine', () => {
  test.each(names)('%s answers by its contract', async (name) => {
    const { declaration, service } = (await handlerOf(name)) as unknown as Endpoint;
    const { expectedStatus, ...event } = sample(name);
    const answer = await request(event);
    expect(answer.status).toBe(expectedStatus);
    expect(answer.headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);

    const shape = declaration.answers[answer.status];
    if (shape instanceof z.ZodType) {
      shape.parse(await answer.json());
    } else if (!shape) {
      const everywhere = Object.values(service.situations);
      const codes = [...(declaration.refuses ?? []), ...everywhere];
      expect(codes.flatMap((code) => service.errors.statuses(code))).toContain(answer.status);
      expect(answer.status).not.toBe(500);
    }
  });

  test.each(SERVICES)(
    '%s refuses a method that a known path does not have, in its own style',
    async (service) => {
      const answer = await fetch(`${url}/${service}/openapi/v1.json`, { method: 'DELETE' });
      expect(answer.status).toBe(404);
      expect(answer.headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);
      const text = await answer.text();
      expect(text).toMatch(/ENDPOINT_NOT_FOUND|EndpointNotFound|route\.not-found/);
    },
  );

  test.each(SERVICES)(
    '%s serves its contract without a credential, its own address in it',
    async (service) => {
      const document = (await (await fetch(`${url}/${service}/openapi/v1.json`)).json()) as {
        servers: unknown;
      };
      expect(document.servers).toEqual([{ url: `${url}/${service}` }]);
    },
  );
});
