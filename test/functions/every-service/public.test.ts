import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { deployedFiles } from '../../../infra/build/function-files.ts';
import { handlerOf } from '../../../infra/invoke.ts';
import { LOCAL_SETTINGS } from '../../../infra/local/seed/local-settings.ts';
import { toHttpEvent } from '../../../infra/runtime/events/sample-event.ts';
import { manuals } from '../../../infra/settings.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { Router } from '../../../shared/http/router.ts';
import { WITHHELD } from '../../../shared/settings/named-values.ts';
import { sampleOf } from '../../contract/samples.ts';
import { countCalls } from '../../measure/calls.ts';
import { lambdaContext } from '../../requests/http-event.ts';

// The role of a public function reaches no store: a call to one would fail on AWS, and there alone.
const routers = deployedFiles().filter(({ path }) => path.endsWith('/routers/public.ts'));
const operations = routers.flatMap((router) =>
  router.operations.map(({ service, name }) => ({ name: `${service}/${name}`, router: router.path })),
);
const ACCEPTED = ['application/json', 'text/html'];
const METHODS = ['HEAD', 'PUT'];

// As deployed: it gets no secret.
const secrets = (await manuals()).flatMap(({ table }) =>
  Object.entries(table).flatMap(([name, { secret }]) => (secret ? [name.replaceAll(':', '__')] : [])),
);

beforeEach(() => {
  for (const [variable, value] of Object.entries(LOCAL_SETTINGS)) vi.stubEnv(variable, value);
  for (const variable of secrets) vi.stubEnv(variable, WITHHELD);
});

describe.each(operations)('$name', ({ name, router }) => {
  test('asks no store for its sample, in any form or by another method', async () => {
    const { handler }: { handler: Router } = await import(pathToFileURL(resolve(router)).href);
    const sample = toHttpEvent(sampleOf(name));
    const answers: APIGatewayProxyResult[] = [];
    const { byCommand } = await countCalls(async () => {
      for (const httpMethod of [sample.httpMethod, ...METHODS])
        for (const Accept of ACCEPTED) {
          const headers = { ...sample.headers, Accept };
          const event = { ...sample, httpMethod, headers, multiValueHeaders: {} };
          answers.push(await handler(event, lambdaContext()));
        }
    });
    expect(byCommand).toEqual({});
    expect(answers[0]?.statusCode).toBe(sampleOf(name).expectedStatus);
    expect(answers.filter(({ statusCode }) => statusCode >= 500)).toEqual([]);
  });

  test('takes anyone, and counts no calls', async () => {
    const { declaration } = (await handlerOf(name)) as unknown as Endpoint;
    expect([declaration.access, declaration.rate, declaration.permission]).toEqual([
      'public',
      undefined,
      undefined,
    ]);
  });
});
