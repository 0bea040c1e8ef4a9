import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registrarOf } from '../../agent/certificates.ts';
import { readIdentity } from '../../agent/identity.ts';
import { type Contents, type HashToSign, type KeyStore, PinRejected } from '../../agent/keys/key-store.ts';
import { DEFAULT_TIMES, pinKeeper } from '../../agent/pin-keeper.ts';
import { workstationCertificates } from '../../functions/session/domain/workstations/certificates.ts';
import { localKey } from '../../shared/signing/key.ts';
import { cleanUp, enrolled } from './agent-process.ts';
import { anyPerson, type Person } from './holders.ts';
import { type Host, serveSession } from './host.ts';

let host: Host;
beforeAll(async () => {
  host = await serveSession();
});
afterAll(async () => {
  await cleanUp();
  host.close();
});

/** A reader into which people put their tokens, each with the PIN 4321. */
async function workstation(cpf?: string) {
  const dataDir = await enrolled(host, cpf);
  const said: string[] = [];
  const needed: (string | undefined)[] = [];
  let inside: Person | undefined;
  let signs = 0;
  let isPinChanged = false;
  const store: KeyStore = {
    name: 'reader',
    look: async (): Promise<Contents | undefined> =>
      inside && { source: inside.name, certificates: [inside.certificate], lastTry: false },
    present: async () => ({ kind: 'accepted', certificates: [] }),
    async sign({ digest, hash }: HashToSign) {
      signs += 1;
      if (isPinChanged) throw new PinRejected('No.');
      if (!inside) throw new Error('Nothing is in.');
      return localKey(inside.privateKey, inside.certificate, []).signHash(digest, hash);
    },
    lock: () => undefined,
    close: () => undefined,
  };
  const keeper = pinKeeper(store, DEFAULT_TIMES);
  const registrar = registrarOf({
    identity: readIdentity(dataDir),
    dataDir,
    store,
    keeper,
    output: { print: (line) => said.push(line), printError: (line) => said.push(line) },
    signal: new AbortController().signal,
    needPin: (holder) => needed.push(holder),
  });
  return {
    keeper,
    needed,
    said,
    signs: () => signs,
    changePin: () => {
      isPinChanged = true;
    },
    /** Puts a token in, or takes it out. */
    async put(person: Person | undefined) {
      inside = person;
      await registrar.refresh();
    },
  };
}

const isOffered = async ({ cpf }: Person) => (await workstationCertificates(cpf, Date.now())).length === 1;

describe('the certificates of a workstation', () => {
  test('are offered when the holder has typed the PIN once, and not asked for again', async () => {
    const [ana, { put, keeper, needed }] = [anyPerson(), await workstation()];
    await put(ana);
    await put(ana);
    expect(needed).toEqual([expect.stringContaining(ana.name)]);
    expect(await isOffered(ana)).toBe(false);
    await keeper.type('4321');
    await put(ana);
    expect(await isOffered(ana)).toBe(true);
  });

  test('are taken back when the token is taken out, with its PIN; put in again it needs no proof', async () => {
    const [ana, { put, keeper, needed, signs }] = [anyPerson(), await workstation()];
    await keeper.type('4321');
    await put(ana);
    await put(undefined);
    expect(await isOffered(ana)).toBe(false);
    expect(keeper.inUse()).toBeUndefined();
    await put(ana);
    expect(await isOffered(ana)).toBe(true);
    expect({ needed, signs: signs() }).toEqual({ needed: [], signs: 1 });
  });

  test('of another token put in its place are not opened with the PIN of the first', async () => {
    const [ana, eva, { put, keeper, needed, signs }] = [anyPerson(), anyPerson(), await workstation()];
    await keeper.type('4321');
    await put(ana);
    await put(eva);
    expect(keeper.inUse()).toBeUndefined();
    expect(needed).toEqual([expect.stringContaining(eva.name)]);
    expect([await isOffered(ana), await isOffered(eva)]).toEqual([false, false]);
    expect(signs()).toBe(1);
  });

  test('are not proven with a PIN that the token rejects, which is tried once', async () => {
    const [ana, { put, keeper, signs, changePin }] = [anyPerson(), await workstation()];
    await keeper.type('4321');
    changePin();
    for (const _ of [1, 2, 3]) await put(ana);
    expect(signs()).toBe(1);
    expect(keeper.inUse()).toBeUndefined();
  });

  test('of somebody else than the agent was enrolled for are said to be left out', async () => {
    const [ana, eva] = [anyPerson(), anyPerson()];
    const { put, keeper, said } = await workstation(eva.cpf);
    await keeper.type('4321');
    await put(ana);
    expect(await isOffered(ana)).toBe(false);
    expect(said.join('\n')).toContain(`${ana.name}:${ana.cpf} is not one that this agent was enrolled for.`);
  });
});
