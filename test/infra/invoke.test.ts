import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createOrganization } from '../../functions/documents/domain/places/organization-roster.ts';
import { handlerOf, runInvoke } from '../../infra/invoke.ts';
import { createApplication, issueKey } from '../../shared/access/administration.ts';
import { httpEvent } from '../requests/http-event.ts';
import { announceEngine, bareEnvironment, command, type Ended } from './child.ts';

const folder = mkdtempSync(join(tmpdir(), 'sinete-invoke-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = command('infra/invoke.ts', { env: bareEnvironment() });
// A data folder that no engine runs on, so that each run has stores of its own.
const invoke = (...words: string[]) => run(...words, '--data', folder);

/** The same in this process, for what ends before a store is opened. */
async function runHere(...words: string[]): Promise<Ended> {
  const [said, complained]: [string[], string[]] = [[], []];
  const output = {
    print: (text: string) => void said.push(text),
    printError: (text: string) => void complained.push(text),
  };
  const code = await runInvoke(words, output);
  return { code, out: said.join('\n'), error: complained.join('\n') };
}

async function refused(...words: string[]): Promise<string> {
  const { code, out, error } = await runHere(...words, '--data', folder);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(error.split('\n')).toHaveLength(1);
  return error;
}

function eventFile(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** The stores of this test run, announced as an engine announces its own. */
async function anEngineWithAnOrganization() {
  const orgId = randomUUID();
  const engine = join(folder, 'engine');
  mkdirSync(engine);
  announceEngine(engine);
  const owner = { id: 'o', name: 'O' };
  await createOrganization({ id: orgId, name: 'In this engine only', identifier: null, owner }, Date.now());
  const application = { name: `test-${orgId}`, permissions: [], registered: { organizations: [orgId] } };
  await createApplication('documents', application);
  const { text: key } = await issueKey('documents', application.name);
  return { engine, orgId, key };
}

describe('npm run invoke', () => {
  test('runs a function on its sample event, with the sandbox in its stores, and prints its answer', async () => {
    const { code, out, error } = await invoke('documents/get-organization');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const { statusCode, body } = JSON.parse(out);
    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ name: 'Sandbox Organization' });
  });

  test('sends the event of a file, and uses the stores of the engine that runs on the data folder', async () => {
    const { engine, orgId, key } = await anEngineWithAnOrganization();
    const event = httpEvent({ params: { orgId }, headers: { 'X-API-Key': key } });
    const path = eventFile('organization.json', JSON.stringify(event));
    const { out } = await run('documents/get-organization', path, '--data', engine);
    expect(JSON.parse(JSON.parse(out).body)).toMatchObject({ name: 'In this engine only' });
  });

  test('without a word, or asked for help, prints its usage', async () => {
    const usage = { code: 0, out: expect.stringContaining('npm run invoke -- SERVICE/FUNCTION'), error: '' };
    expect(await Promise.all([runHere(), run('--help')])).toEqual([usage, usage]);
    const line = "Unknown option '--event'. See: npm run invoke -- --help";
    expect(await invoke('--event')).toEqual({ code: 1, out: '', error: line });
  });

  test('exits 1 with one line for an unknown function, and names those there are', async () => {
    const line = await refused('session/sing');
    expect(line).toContain('There is no function "session/sing". There are: ');
    expect(line).toContain('session/get-status');
    expect(line).not.toContain('documents/');
    await expect(handlerOf('sesion/sign')).rejects.toThrow(/There are: .*session\/…/);
  });

  test('exits 1 with one line for an event that is not there, or is not JSON', async () => {
    const broken = eventFile('broken.json', '{"a":');
    const line = 'There is no event file nowhere.json.';
    expect(await refused('session/get-status', 'nowhere.json')).toBe(line);
    expect(await refused('session/get-status', broken)).toMatch(/broken\.json is not JSON: /);
  });
});
