import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLIENT_PACKAGES, GO_ENV, isComplete, MAVEN, VENV } from '../../infra/install/clients.mjs';
import { isInstalled } from '../../infra/install/tools.mjs';
import { cleanUp, startEngineProcess } from '../infra/local/engine/engine-process.ts';
import { runCommands, STEPS, writeContracts } from './page.ts';

// The models of every service are compiled by the build tools of their languages, and the programs of examples/clients sign,
// verify and receive a webhook with them. The one in TypeScript is in typescript/packed.test.ts.

const folder = mkdtempSync(join(tmpdir(), 'sinete-programs-'));
let url: string;
beforeAll(async () => {
  // Of its own: a new session of a person ends the one before.
  const engine = await startEngineProcess();
  url = engine.url;
  writeContracts(join(folder, 'contracts'));
  await engine.ready();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await cleanUp();
});

/** Why a language is skipped. In CI none may be missing. */
function missingFor(tools: readonly string[]): string | undefined {
  const tool = tools.find((command) => !isInstalled({ command }));
  if (tool !== undefined) return `${tool} is not installed`;
  const packages = CLIENT_PACKAGES.find((one) => tools.includes(one.tool) && !isComplete(one));
  return packages && `run npm run install:clients for ${packages.use}`;
}

const inLanguage = (language: string, tools: readonly string[], run: () => Promise<void>): void => {
  const missing = missingFor(tools);
  test(`the client in ${language} signs, verifies and receives a webhook`, async ({ skip }) => {
    if (missing !== undefined && !process.env.CI) {
      console.warn(`Skipped: the client in ${language}: ${missing}.`);
      skip(missing);
    }
    expect(missing).toBeUndefined();
    await run();
  });
};

inLanguage('Java', ['javac', 'mvn'], async () => {
  // A compiler that runs once is not worth compiling.
  const MAVEN_OPTS = `-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dmaven.repo.local=${MAVEN}`;
  expect(await runCommands('Java', { folder, url, env: { MAVEN_OPTS } })).toContain(STEPS);
});

inLanguage('Python', ['python3'], async () => {
  const instead = ['python3 -m venv', `ln -s ${VENV} .venv`] as const;
  expect(await runCommands('Python', { folder, url, instead })).toContain(STEPS);
});

inLanguage('Go', ['go'], async () => {
  expect(await runCommands('Go', { folder, url, env: GO_ENV })).toContain(STEPS);
});
