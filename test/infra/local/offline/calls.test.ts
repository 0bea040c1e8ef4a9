import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

type Caller = { setEvent(event: object): void; runHandler(): Promise<unknown> };

const { callFunctionsDirectly } = await import(pathToFileURL(resolve('infra/local/offline/calls.mjs')).href);
const file = new URL('./lambda/LambdaFunction.js', import.meta.resolve('serverless-offline'));
const { prototype } = (await import(file.href)).default as { prototype: Caller };
const { setEvent, runHandler } = prototype;

let root: string;

beforeAll(async () => {
  // It is set for the process.
  vi.stubEnv('IS_OFFLINE', undefined);
  root = mkdtempSync(join(tmpdir(), 'sinete-calls-'));
  mkdirSync(join(root, 'dist/session'), { recursive: true });
  const write = (name: string, body: string) =>
    writeFileSync(join(root, `dist/session/${name}.mjs`), `export const handler = ${body};`);
  write('echo', 'async (event) => event');
  write('never', '() => new Promise(() => undefined)');
  const functions = {
    echo: { name: 'sample-echo', handler: 'dist/session/echo.handler' },
    never: { name: 'sample-never', handler: 'dist/session/never.handler', timeout: 0.02 },
  };
  await callFunctionsDirectly({
    service: { functions, custom: { 'serverless-offline': {} } },
    serviceDir: root,
  });
});
afterAll(() => {
  Object.assign(prototype, { setEvent, runHandler });
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

/** A function of serverless-offline, as far as the methods that are replaced look at it. */
const functionOf = (functionName: string): Caller =>
  Object.create(prototype, { functionName: { value: functionName } });

describe('a function that serverless-offline calls', () => {
  test('has each caller answered for its own event, though another one comes meanwhile', async () => {
    const echo = functionOf('sample-echo');
    const answers = [1, 2, 3].map((caller) => {
      echo.setEvent({ caller });
      return echo.runHandler();
    });
    expect(await Promise.all(answers)).toEqual([{ caller: 1 }, { caller: 2 }, { caller: 3 }]);
  });

  test('that is late is answered for: serverless-offline makes a 504 of this error', async () => {
    const never = functionOf('sample-never');
    never.setEvent({});
    await expect(never.runHandler()).rejects.toThrow('[504] - Lambda timeout.');
  });
});
