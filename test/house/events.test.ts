import { globSync, readFileSync } from 'node:fs';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { eventFile, handlerOf } from '../../infra/invoke.ts';
import { LOCAL_SETTINGS } from '../../infra/local/sandbox-data.ts';
import { seedSandbox } from '../../infra/local/seed.ts';
import { lambdaContext } from '../http-event.ts';
import { declaredFunctions } from './functions.ts';

const names = declaredFunctions().map(({ name }) => name);
const workers = declaredFunctions()
  .filter(({ events }) => events.every(({ http }) => !http))
  .map(({ name }) => name);

// What the sample asks for is not there, and the answer says so.
const REFUSALS: Readonly<Record<string, number>> = { 'hub/get-custom-state': 422 };
const statusOf = (name: string): number =>
  REFUSALS[name] ?? (name.endsWith('/refuse-unknown-route') ? 404 : 200);

const invoke = async (name: string) => {
  const handler = await handlerOf(name);
  return handler(JSON.parse(readFileSync(eventFile(name), 'utf8')), lambdaContext());
};

beforeAll(async () => {
  for (const [variable, value] of Object.entries(LOCAL_SETTINGS)) vi.stubEnv(variable, value);
  await seedSandbox();
});

describe('sample events', () => {
  it('there is one for every function, and none for anything else', () => {
    const samples = globSync('events/*/*.json').map((path) => path.replace(/^events\/|\.json$/g, ''));
    expect(samples.toSorted()).toEqual(names.toSorted());
  });

  // The contract is checked on the way out: Http:CheckAnswers is on in tests, and a difference is a 500.
  it.each(names.filter((name) => !workers.includes(name)))(
    '%s answers its sample by its contract',
    async (name) => {
      const answer = (await invoke(name)) as APIGatewayProxyResult;
      expect(answer.statusCode).toBe(statusOf(name));
      expect(answer.headers?.['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('a queue function reports no failed item', async () => {
    expect(await invoke('documents/collect-upload')).toEqual({ batchItemFailures: [] });
  });

  it('a schedule function ends', async () => {
    await expect(invoke('documents/send-due')).resolves.toBeUndefined();
  });
});
