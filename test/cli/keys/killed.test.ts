import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { openSecret } from '../../../functions/hub/domain/providers/client-secret.ts';
import { providers } from '../../../functions/hub/domain/providers/provider.ts';
import { putProvider } from '../../../functions/hub/domain/providers/register-provider.ts';
import { openFile, sealFile, vault } from '../../../functions/session/domain/vault/vault.ts';
import { agents, newServerKey, serverKeyOf } from '../../../functions/session/domain/workstations/agent.ts';
import { storesIn } from '../../../infra/local/stores/own.ts';
import { provideStores } from '../../../shared/embedded/provided.ts';
import { openStores } from '../../../shared/embedded/stores.ts';
import { keyIdsIn } from '../../../shared/keyring/envelope.ts';
import { parseRing } from '../../../shared/settings/keyring.ts';
import { SERVICES } from '../../../shared/settings/names.ts';
import { credentialsOf } from '../../../shared/webhooks/registrations/credentials.ts';
import { listWebhooks } from '../../../shared/webhooks/registrations/lookup.ts';
import { addWebhook } from '../../../shared/webhooks/registrations/registrations.ts';
import { type AgentProcess, agentProcess } from '../../agent/agent-process.ts';
import { cleanUp, ownEnvironment, REQUIRED, temporaryFolder } from '../../infra/host/host-process.ts';
import { anEngine } from '../../shared/webhooks/an-engine.ts';
import { everyItem } from '../../stores/whole-table.ts';

// This process is the service: it opens and seals all the time, with a ring that it has read before. The command is another
// process on the same stores.

const FILES = 1_600; // eight pages
const LOAD_AT_ONCE = 4;

const folder = temporaryFolder();
const [ringFile, config] = [join(folder, 'sealing.keys'), join(folder, 'sinete.yaml')];
const data = temporaryFolder();
const environment = ownEnvironment();
afterAll(cleanUp);

const admin = (...words: string[]): AgentProcess =>
  agentProcess(
    words,
    // Nothing of this process: its stage and its stores are named by the file.
    Object.fromEntries(Object.keys(process.env).map((name) => [name, environment[name]])),
    'cli/admin/admin.ts',
  );
async function done(...words: string[]): Promise<string> {
  const command = admin(...words);
  expect([await command.exited, command.printed()]).toEqual([0, expect.any(String)]);
  return command.printed();
}

const ringIds = (): string[] => parseRing(readFileSync(ringFile, 'utf8')).map(({ id }) => id);

/** The secrets of the services, each with the way in which its service reads it. */
const secrets: (() => Promise<unknown>)[] = [];
const { engine } = anEngine();

const kinds: (() => Promise<() => Promise<unknown>>)[] = [
  async () => {
    const id = { cpf: '52998224725', sha256: randomUUID() };
    const file = Buffer.from(randomUUID());
    await vault.put({ ...id, ...(await sealFile(id, file)), importedAtMs: 0 });
    return async () => {
      const held = await vault.get(id);
      if (held) expect(await openFile(held)).toEqual({ plain: file });
      return held;
    };
  },
  async () => {
    const [name, clientSecret] = [randomUUID(), randomUUID()];
    await putProvider({
      name,
      clientSecret,
      company: 'A Company',
      baseUrl: 'https://p.example/v0/oauth',
      badgeUrl: null,
      clientId: 'hub-client',
      hashEncoding: 'base64',
      tokenBody: 'form',
      hashesPerCall: 10,
      sendsAlias: true,
      discovery: 'client',
      timeouts: {},
    });
    return async () => {
      const found = await providers.get(name);
      if (found) expect(await openSecret(found)).toEqual({ plain: clientSecret });
      return found;
    };
  },
  async () => {
    const [owner, token] = [randomUUID(), randomUUID()];
    await addWebhook(engine, owner, { url: 'http://127.0.0.1:9/hook', authType: 'Bearer', token });
    return async () => {
      const [found] = await listWebhooks(engine, owner);
      if (found) expect(await credentialsOf(engine, found)).toEqual({ plain: { token } });
      return found;
    };
  },
  async () => {
    const id = randomUUID();
    const fields = {
      name: 'a desk',
      ed25519: '',
      x25519: '',
      certificates: [],
      enrolledAtMs: 0,
      disabled: false,
    };
    await agents.create({ id, ...fields, sealedServerKey: await newServerKey(id) });
    return async () => {
      const found = await agents.get(id);
      return found && (await serverKeyOf(found));
    };
  },
];

const addSecret = async (kind = Math.floor(Math.random() * kinds.length)): Promise<void> => {
  const make = kinds[kind];
  if (make) secrets.push(await make());
};

/** Seals and opens until it is stopped; tells how often. */
function load() {
  let [isOver, opened, sealed] = [false, 0, 0];
  const work = async (): Promise<void> => {
    while (!isOver) {
      const open = secrets[Math.floor(Math.random() * secrets.length)];
      expect(await open?.()).toBeDefined();
      opened++;
      if (opened % 4 === 0) {
        await addSecret();
        sealed++;
      }
      await pause(1);
    }
  };
  const all = Promise.all(Array.from({ length: LOAD_AT_ONCE }, work));
  return {
    async stop() {
      isOver = true;
      await all;
      return { opened, sealed };
    },
  };
}

test('a rotation under load that is killed three times ends with every secret readable, all by the new key', async () => {
  writeFileSync(
    config,
    stringify({
      stage: 'prod',
      publicUrl: 'http://localhost:3999',
      data,
      settings: { ...REQUIRED, 'Sealing:Keys': { file: ringFile } },
    }),
  );
  await done('keys', 'create', '--to', ringFile);
  expect(await done('keys', 'list', '--config', config)).toContain('No rotation has been made.');
  const [first = ''] = ringIds();

  vi.stubEnv('STAGE', 'prod');
  vi.stubEnv('Sealing__Keys', `file:${ringFile}`);
  const stores = openStores({ folder: storesIn(data) });
  provideStores(stores);
  for (let n = 0; n < FILES; n++) await addSecret(0);
  for (let n = 0; n < 200; n++) await addSecret(1 + (n % 3));

  const running = load();
  const rotate = () => admin('keys', 'rotate', '--config', config);
  // While it waits for the processes, after its first page, and in the middle.
  for (const moment of [/Waiting \d+ s/, /session: 200 items/, /session: [68]00 items/]) {
    const command = rotate();
    await command.said(moment);
    await command.kill();
    expect(command.printed()).not.toContain('Every value that opens');
    expect(ringIds()).toHaveLength(2);
  }
  const last = rotate();
  expect([await last.exited, last.printed()]).toEqual([
    0,
    expect.stringMatching(/session: goes on after \d+ items/),
  ]);
  const { opened, sealed } = await running.stop();
  expect(opened).toBeGreaterThan(100);
  expect(sealed).toBeGreaterThan(25);

  const [newest = '', ...older] = ringIds();
  expect(older).toEqual([first]);
  const items = await Promise.all(SERVICES.map((service) => everyItem(service)));
  expect([...keyIdsIn(JSON.stringify(items))]).toEqual([newest]);
  for (const open of secrets) expect(await open()).toBeDefined();
  expect(last.printed()).toMatch(
    new RegExp(`Every value that opens is under ${newest} now: \\d+ wrapped anew`),
  );

  await done('keys', 'retire', first, '--config', config);
  expect(ringIds()).toEqual([newest]);
  for (const open of secrets) expect(await open()).toBeDefined();
  stores.close();
}, 300_000);
