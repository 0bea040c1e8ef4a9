import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRing, listKeys, retireKey, rotateKeys } from '../../../cli/keys/commands.ts';
import { placeOfRing } from '../../../cli/keys/place.ts';
import { awaitNewestKey, beginRotation, type Deps, deployedServices } from '../../../cli/keys/rotation.ts';
import { openSecret } from '../../../functions/hub/domain/providers/client-secret.ts';
import { listProviders, providers } from '../../../functions/hub/domain/providers/provider.ts';
import { putProvider } from '../../../functions/hub/domain/providers/register-provider.ts';
import { openFile, sealFile, vault, vaultOf } from '../../../functions/session/domain/vault/vault.ts';
import { keyIdsIn } from '../../../shared/keyring/envelope.ts';
import { sealStored } from '../../../shared/keyring/stored.ts';
import { parseRing } from '../../../shared/settings/keyring.ts';
import { commit } from '../../../shared/store/commit.ts';
import { credentialsOf } from '../../../shared/webhooks/registrations/credentials.ts';
import { listWebhooks } from '../../../shared/webhooks/registrations/lookup.ts';
import { addWebhook } from '../../../shared/webhooks/registrations/registrations.ts';
import { ring } from '../../certificates/rings.ts';
import { killedAt } from '../../faults/crash.ts';
import { ownStores } from '../../functions/own-stores.ts';
import { anEngine } from '../../shared/webhooks/an-engine.ts';
import { everyItem } from '../../stores/whole-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'sinete-keys-'));
const path = join(folder, 'sealing.keys');
let stop: () => Promise<void>;
let nowMs = Date.now();
let said: string[] = [];

/** A command whose waits take no time. Processes read the ring again meanwhile. */
const deps: Deps = {
  say: (line) => said.push(line),
  now: () => nowMs,
  wait: async (ms) => {
    nowMs += ms;
    vi.setSystemTime(nowMs);
  },
};

const CPF = '52998224725';
const { engine, owner } = anEngine();

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  stop = await ownStores();
  vi.stubEnv('Sealing__Keys', `file:${path}`);
  writeFileSync(path, ring(1));
  for (let n = 0; n < 3; n++) await putProvider(provider(`p-${n}`));
  const id = { cpf: CPF, sha256: 'f00d' };
  await vault.put({ ...id, ...(await sealFile(id, Buffer.from('a file'))), importedAtMs: 0 });
  for (const token of ['one', 'two'])
    await addWebhook(engine, owner, { url: 'http://127.0.0.1:9/hook', authType: 'Bearer', token });
});
beforeEach(() => {
  said = [];
});
afterAll(async () => {
  vi.useRealTimers();
  await stop();
  rmSync(folder, { recursive: true });
});

const provider = (name: string) => ({
  name,
  company: 'A Company',
  baseUrl: 'https://p.example/v0/oauth',
  badgeUrl: null,
  clientId: 'hub-client',
  clientSecret: `secret of ${name}`,
  hashEncoding: 'base64' as const,
  tokenBody: 'form' as const,
  hashesPerCall: 10,
  sendsAlias: true,
  discovery: 'client' as const,
  timeouts: {},
});

const idsIn = (text: string): string[] => parseRing(text).map(({ id }) => id);
const ringIds = (): string[] => idsIn(readFileSync(path, 'utf8'));

/** Every key that a value of the stores names. */
async function named(): Promise<string[]> {
  const all = await Promise.all((['hub', 'session', 'documents'] as const).map(everyItem));
  return [...keyIdsIn(JSON.stringify(all))];
}

/** Opens what was sealed, by the code that uses it. */
async function everythingOpens(): Promise<void> {
  for (const each of (await listProviders()).filter(({ name }) => /^p-\d$/.test(name)))
    expect(await openSecret(each)).toEqual({ plain: `secret of ${each.name}` });
  for (const held of await vaultOf(CPF))
    expect(await openFile(held)).toEqual({ plain: Buffer.from('a file') });
  const opened = await Promise.all(
    (await listWebhooks(engine, owner)).map((each) => credentialsOf(engine, each)),
  );
  expect(opened).toEqual([{ plain: { token: 'one' } }, { plain: { token: 'two' } }]);
}

/** Leaves the newest key alone, for the next test. */
async function retireOthers(): Promise<void> {
  for (const id of ringIds().slice(1)) await retireKey(id, deps);
}

describe('npm run admin -- keys rotate', () => {
  test('wraps every value with a new key, nested ones too, and then the former one can be retired', async () => {
    expect(await named()).toEqual(['key-1']);
    const result = await rotateKeys(deps);
    const [newest = '', ...older] = ringIds();
    expect(older).toEqual(['key-1']);
    expect(result).toContain(`Every value that opens is under ${newest} now: 6 wrapped anew in`);
    expect(result).toContain('Take it out: npm run admin -- keys retire key-1');
    expect(said[1]).toBe('Waiting 12 s, until no process seals with an older key.');
    expect(said.at(-1)).toMatch(/items looked at, \d+ values wrapped anew$/);
    expect(await named()).toEqual([newest]);
    await everythingOpens();

    await expect(retireKey(newest, deps)).rejects.toThrow(`${newest} is the newest key, which seals.`);
    await expect(retireKey('key-9', deps)).rejects.toThrow('The ring has no key key-9.');
    expect(await retireKey('key-1', deps)).toContain('Took key-1 out of the ring');
    expect(ringIds()).toEqual([newest]);
    await everythingOpens();
    expect(await listKeys()).toMatch(
      new RegExp(`^The ring in .*\n${newest}  seals and opens\nEvery value has named ${newest} since `),
    );
  });

  test('that is killed at any write goes on where it was, with the same key', async () => {
    for (const moment of ['before', 'after'] as const)
      for (let write = 1; ; write++) {
        const before = ringIds();
        const isKilled = await killedAt(write, moment, () => rotateKeys(deps));
        if (isKilled) await rotateKeys(deps);
        // A command that was killed with its last write had ended.
        const added = ringIds().length - before.length;
        expect([moment, write, added >= 1 && added <= 2]).toEqual([moment, write, true]);
        expect(await named()).toEqual(ringIds().slice(0, 1));
        await everythingOpens();
        await retireOthers();
        if (!isKilled) break;
      }
  });

  // A process may read the ring at any moment of a write that takes long, and seals with what it read for twice 5 s:
  //
  //   command   |--writes the ring ------- 60 s -------|--notes--|-------- waits 12 s --------|--sweeps
  //   process                             reads the older ring --|---- seals with it ----|
  test('waits from the end of the write on, and after a kill from the moment that the next command sees the key', async () => {
    const services = await deployedServices();
    const place = placeOfRing();
    const slowly = async (ring: Parameters<typeof place.write>[0]) => {
      await deps.wait(60_000);
      await place.write(ring);
    };
    const { isNew } = await beginRotation(services, { ...place, write: slowly }, deps);
    await awaitNewestKey(services, deps);
    expect([isNew, said]).toEqual([true, ['Waiting 12 s, until no process seals with an older key.']]);
    await rotateKeys(deps);

    const killed = async (ring: Parameters<typeof place.write>[0]) => {
      await slowly(ring);
      throw new Error('killed');
    };
    await expect(beginRotation(services, { ...place, write: killed }, deps)).rejects.toThrow('killed');
    said = [];
    await rotateKeys(deps);
    expect(said[1]).toBe('Waiting 12 s, until no process seals with an older key.');
    await retireOthers();
  });

  test('refuses to retire a key while a rotation is not ended, or a value names it', async () => {
    const [before = ''] = ringIds();
    await killedAt(6, 'before', () => rotateKeys(deps));
    const [newest = ''] = ringIds();
    expect(newest).not.toBe(before);
    expect(await listKeys()).toContain('A rotation has not ended. Go on with it');
    await expect(retireKey(before, deps)).rejects.toThrow('A rotation has not ended.');
    await rotateKeys(deps);

    vi.stubEnv('Sealing__Keys', readFileSync(path, 'utf8').split('\n')[1] ?? '');
    await putProvider(provider('late'));
    vi.stubEnv('Sealing__Keys', `file:${path}`);
    await expect(retireKey(before, deps)).rejects.toThrow(`${before} is still named by 1 value of hub.`);
    await rotateKeys(deps);
    await retireOthers();
  });

  test('lets a change that was under way decide again, and does not lose it', async () => {
    const read = await providers.get('p-0');
    if (!read) throw new Error('There is no such provider.');
    await rotateKeys(deps);
    await expect(commit([providers.changing(read, { company: 'Stale' })])).rejects.toThrow(
      'was changed by another writer',
    );
    await retireOthers();
  });

  test('goes on with a key that was put into the ring by hand, where the place cannot be written', async () => {
    const own = readFileSync(path, 'utf8').trim();
    vi.stubEnv('Sealing__Keys', own);
    await expect(rotateKeys(deps)).rejects.toThrow(
      'is not a file or a parameter, which this command could write. Put a new key before the others yourself',
    );
    vi.stubEnv('Sealing__Keys', `${ring(2)}\n${own}`);
    expect(await rotateKeys(deps)).toContain('Every value that opens is under key-2 now');
    expect(await named()).toEqual(['key-2']);
    writeFileSync(path, `${ring(2)}\n${own}`);
    vi.stubEnv('Sealing__Keys', `file:${path}`);
    nowMs += 10_000;
    vi.setSystemTime(nowMs);
    await retireOthers();
  });

  test('counts values of a key that nobody has, and leaves them', async () => {
    vi.stubEnv('Sealing__Keys', ring(7));
    const sealedSecret = await sealStored({ about: 'x' }, 'x');
    vi.stubEnv('Sealing__Keys', `file:${path}`);
    const stored = await providers.get('p-0');
    if (stored) await providers.change(stored, { sealedSecret });
    expect(await rotateKeys(deps)).toContain(
      'hub: 1 value names the key key-7, which the ring does not have',
    );
    expect((await providers.get('p-0'))?.sealedSecret).toBe(sealedSecret);
  });

  test('waits for a command that changes the ring at the same time, and both end with one ring', async () => {
    const before = ringIds().length;
    // The clock stands still, so that no lease ends before its holder is done.
    const side = { ...deps, wait: () => new Promise(setImmediate) };
    await Promise.all([rotateKeys(side), rotateKeys(side)]);
    const after = ringIds();
    expect(new Set(after).size).toBe(after.length);
    expect(after.length - before).toBeLessThanOrEqual(2);
    expect((await named()).filter((id) => id !== 'key-7')).toEqual(after.slice(0, 1));
  });
});

describe('npm run admin -- keys create', () => {
  test('makes a ring for its owner alone, once', async () => {
    const to = join(folder, 'new.keys');
    expect(await createRing(to)).toContain(`in ${to}. Keep a copy of it apart from the backups`);
    const made = readFileSync(to, 'utf8');
    expect(idsIn(made)).toHaveLength(1);
    expect(statSync(to).mode & 0o777).toBe(0o600);
    await expect(createRing(`file:${to}`)).rejects.toThrow(`There is a ring in ${to} already.`);
    expect(readFileSync(to, 'utf8')).toBe(made);
    for (const nowhere of [undefined, 'secretsmanager:sinete/keys', ring(1)])
      await expect(createRing(nowhere)).rejects.toThrow('Name where: --to FILE');
  });
});
