import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { type KeyStore, KeyUnusable, PinRejected } from '../../agent/keys/key-store.ts';
import { pkcs11Store } from '../../agent/keys/pkcs11/store.ts';
import { isSignatureOfHash } from '../../shared/signing/key-verify.ts';
import { cleanUp, temporaryFolder } from './agent-process.ts';
import { anyPerson, type Person } from './holders.ts';
import { hasTokens, MODULE, type SoftToken, softToken } from './soft-token.ts';

const PIN = '4321-token';
const HASH = createHash('sha256').update('a document').digest();

const opened: KeyStore[] = [];
afterAll(async () => {
  for (const store of opened) store.close();
  await cleanUp();
});

/** The store of a token. SoftHSM reads its settings when it is loaded: one token's folder at a time. */
function storeOf(token: SoftToken, choice = { label: token.label }): KeyStore {
  for (const store of opened.splice(0)) store.close();
  Object.assign(process.env, token.env);
  const store = pkcs11Store(MODULE, choice);
  opened.push(store);
  return store;
}

const wish = ({ certificate }: Person) => ({
  sha256: certificate.sha256,
  digest: 'sha256' as const,
  hash: HASH,
});

// Made before a token is loaded. SoftHSM leaves an error to the OpenSSL of the process, at which the next private key that
// is read fails.
const PEOPLE = (['rsa2048', 'rsa3072', 'p256', 'p384'] as const).map(
  (kind) => [kind, anyPerson(kind)] as const,
);

describe.runIf(hasTokens)('a PKCS#11 token', () => {
  test('tells its certificates without a PIN', async () => {
    const people = [anyPerson(), anyPerson('p256')];
    const look = await storeOf(softToken(people, PIN)).look();
    expect(look?.certificates?.map(({ sha256 }) => sha256).toSorted()).toEqual(
      people.map(({ certificate }) => certificate.sha256).toSorted(),
    );
  });

  test.each(PEOPLE)('signs a hash with a key of kind %s', async (_, person) => {
    const store = storeOf(softToken([person], PIN));
    const signature = await store.sign(wish(person), PIN);
    expect(await isSignatureOfHash(person.certificate.publicKey, 'sha256', HASH, signature)).toBe(true);
  });

  test('takes its own PIN and no other, also right after the right one', async () => {
    const person = anyPerson();
    const store = storeOf(softToken([person], PIN));
    expect(await store.present('wrong')).toEqual({ kind: 'rejected' });
    expect(await store.present(PIN)).toMatchObject({
      kind: 'accepted',
      certificates: [{ sha256: person.certificate.sha256 }],
    });
    expect(await store.present('wrong')).toEqual({ kind: 'rejected' });
    await expect(store.sign(wish(person), 'wrong')).rejects.toThrow(PinRejected);
  });

  test('is given its PIN again by a key that wants it for each signature', async () => {
    const person = anyPerson();
    const store = storeOf(softToken([person], PIN, '--always-auth'));
    for (const _ of [1, 2]) {
      const signature = await store.sign(wish(person), PIN);
      expect(await isSignatureOfHash(person.certificate.publicKey, 'sha256', HASH, signature)).toBe(true);
    }
  });

  test('does not sign for a certificate that it does not hold', async () => {
    const store = storeOf(softToken([anyPerson()], PIN));
    await expect(store.sign(wish(anyPerson('p256')), PIN)).rejects.toThrow(KeyUnusable);
  });

  test('is found by its label, or as the only one; one that is not there is not there', async () => {
    const token = softToken([anyPerson()], PIN);
    expect(await storeOf(token, { label: 'another' }).look()).toBeUndefined();
    expect(await storeOf(token).look()).toBeDefined();
    expect(await storeOf(token, {} as { label: string }).look()).toBeDefined();
  });

  test('that cannot be loaded is said in one line', () => {
    expect(() => pkcs11Store(`${temporaryFolder()}/none.so`, {})).toThrow(
      /^The PKCS#11 module .*none\.so cannot be loaded: /,
    );
  });
});
