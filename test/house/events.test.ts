import { globSync } from 'node:fs';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { endpointFiles, type FunctionFile, functionFiles } from '../../infra/build/function-files.ts';
import { handlerOf, sampleEventPath } from '../../infra/invoke.ts';
import { LOCAL_SETTINGS } from '../../infra/local/seed/local-settings.ts';
import { seedSandbox } from '../../infra/local/seed/seed.ts';
import { toLambdaEvent } from '../../infra/runtime/events/sample-event.ts';
import { sampleOf } from '../contract/samples.ts';
import { lambdaContext } from '../requests/http-event.ts';

const nameOf = ({ service, name }: FunctionFile): string => `${service}/${name}`;
const names = functionFiles().map(nameOf);
const endpoints = endpointFiles().map(nameOf);

// Without the engine there is no trust anchor, no biometric provider and no platform to call over HTTP.
const WITHOUT_ENGINE: Readonly<Record<string, number>> = {
  'pki/prepare-authentication': 422,
  'pki/start-authentication': 422,
  'pki/create-signature-session': 422,
  'pki/start-liveness': 422,
  'pki/start-enrollment': 422,
  'documents/verify-file': 503,
  'session/get-document': 502,
  'sandbox/create-sample-document': 503,
};
const statusOf = (name: string): number => WITHOUT_ENGINE[name] ?? sampleOf(name).expectedStatus;

const invoke = async (name: string) => {
  const handler = await handlerOf(name);
  return handler(toLambdaEvent(sampleOf(name)), lambdaContext());
};

beforeAll(async () => {
  for (const [variable, value] of Object.entries(LOCAL_SETTINGS)) vi.stubEnv(variable, value);
  await seedSandbox();
});

describe('sample events', () => {
  test('there is one for every endpoint and worker, and none for anything else', () => {
    expect(globSync('events/**/*.json').toSorted()).toEqual(names.map(sampleEventPath).toSorted());
  });

  // The contract is checked on the way out: Http:CheckAnswers is on in tests, and a difference is a 500.
  test.each(endpoints)('%s answers its sample by its contract', async (name) => {
    // Nothing listens there, also where a developer has an engine running.
    vi.stubEnv('Http__PublicUrl', name in WITHOUT_ENGINE ? 'http://localhost:1' : undefined);
    const answer = (await invoke(name)) as APIGatewayProxyResult;
    expect(answer.statusCode).toBe(statusOf(name));
    expect(answer.headers?.['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a queue function reports no failed item', async () => {
    expect(await invoke('documents/collect-upload')).toEqual({ batchItemFailures: [] });
  });

  test('a schedule function ends', async () => {
    await expect(invoke('documents/send-due')).resolves.toBeUndefined();
  });
});
