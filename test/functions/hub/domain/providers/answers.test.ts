import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writePem } from '../../../../../shared/pki/pem.ts';
import { testPki } from '../../../../certificates/pki.ts';
import { runs } from '../../../../faults/fuzz.ts';
import { forFile } from '../../../../runner/for-file.ts';
import {
  exchangeCode,
  failure,
  heldAs,
  holdsCertificate,
  json,
  listCertificates,
  raw,
  signed,
  signHashes,
  startProvider,
} from './a-provider.ts';

const at = await forFile(startProvider());

const holder = testPki().holder();
const { der } = holder.certificate;
const hash = createHash('sha256').update('x').digest();
const exchange = {
  code: 'c',
  codeVerifier: 'v',
  redirectUri: 'https://hub.example/cb',
  lifetimeSeconds: 300,
};
const CPF = { type: 'CPF', value: '52998224725' } as const;

describe('a certificate is read', () => {
  const pem = writePem('CERTIFICATE', der);
  test.each([
    ['as PEM', pem],
    ['as PEM with CRLF', pem.replaceAll('\n', '\r\n')],
    ['as PEM in one line', pem.replaceAll('\n', '')],
    ['as PEM whose line breaks are written out', pem.replaceAll('\n', '\\n')],
    ['as bare base64', der.toString('base64')],
    ['as bare base64 in lines', der.toString('base64').replace(/.{76}/g, '$&\r\n')],
    ['as base64url without padding', der.toString('base64url')],
  ])('%s', async (_, certificate) => {
    at.answers(json({ status: 'S', certificates: [{ alias: 'a', certificate }] }));
    const [held] = await listCertificates(at.provider(), 'tok');
    expect(held?.alias).toBe('a');
    expect(held?.certificate.der.equals(der)).toBe(true);
  });

  test('and one that cannot be read does not stand in the way of another', async () => {
    const cut = { alias: 'cut', certificate: der.subarray(0, -20).toString('base64') };
    at.answers(json({ certificates: [cut, { alias: 'whole', certificate: pem }] }));
    expect((await listCertificates(at.provider(), 'tok')).map(({ alias }) => alias)).toEqual(['whole']);
    at.answers(json({ certificates: [cut] }));
    expect((await failure(listCertificates(at.provider(), 'tok'))).reason).toBe('unreadable');
  });
});

describe('a signature', () => {
  const sign = (held = heldAs('a', holder)) =>
    signHashes(at.provider(), 'tok', { held, digest: 'sha256', hashes: [hash] });
  const answered = (raw_signature: string) => json({ signatures: [{ id: '1', raw_signature }] });

  test('is read in every form that providers write it in', async () => {
    const signature = await signed(holder, 'sha256', hash);
    for (const text of [
      signature.toString('hex'),
      signature.toString('hex').toUpperCase(),
      signature.toString('base64'),
      signature.toString('base64').replace(/.{64}/g, '$&\n'),
      signature.toString('base64').replace(/=+$/, ''),
      signature.toString('base64url'),
      writePem('SIGNATURE', signature),
    ]) {
      at.answers(answered(text));
      expect(await sign()).toEqual([signature]);
    }
    at.answers(json({ raw_signature: signature.toString('base64') }));
    expect(await sign()).toEqual([signature]);
    at.answers(json({ signatures: [{ id: 1, raw_signature: signature.toString('base64') }] }));
    expect(await sign()).toEqual([signature]);
  });

  test('is not looked for among a megabyte of what is none, one by one', async () => {
    at.answers(json({ signatures: new Array(500_000).fill(0) }));
    const { reason, mayHaveActed, message } = await failure(sign());
    expect({ reason, mayHaveActed }).toEqual({ reason: 'unreadable', mayHaveActed: true });
    // One fault, of the list as a whole.
    expect(message).toMatch(/not as it should be: signatures\.$/);
  });

  test('may be of an EC key', async () => {
    const other = testPki().holder({ key: 'p256' });
    const signature = await signed(other, 'sha256', hash);
    at.answers(answered(signature.toString('base64')));
    expect(await sign(heldAs('a', other))).toEqual([signature]);
  });

  test('by another key, or over something else, is given to nobody', async () => {
    const another = testPki().holder({ keyName: 'another' });
    for (const wrong of [
      await signed(another, 'sha256', hash),
      await signed(holder, 'sha256', createHash('sha256').update('y').digest()),
      await signed(holder, 'sha512', createHash('sha512').update('x').digest()),
      Buffer.alloc(256),
      Buffer.alloc(0),
    ]) {
      at.answers(answered(wrong.toString('base64')));
      expect(await failure(sign())).toMatchObject({ reason: 'wrong-signature', mayHaveActed: true });
    }
  });

  test('without the id that was asked for, twice, or missing is not taken', async () => {
    const text = (await signed(holder, 'sha256', hash)).toString('base64');
    const one = { id: '1', raw_signature: text };
    for (const answer of [
      { signatures: [{ ...one, id: '2' }] },
      { signatures: [one, one] },
      { signatures: [one, { ...one, id: '2' }] },
      { signatures: [] },
      {},
      { signatures: [{ id: '1' }] },
    ]) {
      at.answers(json(answer));
      expect(await failure(sign())).toMatchObject({ reason: 'unreadable', mayHaveActed: true });
    }
  });

  test('is not asked for with a key that could not be checked', async () => {
    at.answers(answered('AA=='));
    const weak = heldAs('a', holder);
    const publicKey = { ...weak.certificate.publicKey, asymmetricKeyType: 'ed25519' };
    const held = { ...weak, certificate: { ...weak.certificate, publicKey: publicKey as never } };
    expect(await failure(sign(held))).toMatchObject({ reason: 'unreadable', mayHaveActed: false });
    expect(at.got).toEqual([]);
  });
});

describe('an answer that is none', () => {
  test.each([
    ['HTML', '<!doctype html><title>Login</title>'],
    ['cut JSON', '{"access_token":"abc'],
    ['a list', '[]'],
    ['a word', '"S"'],
    ['nothing', ''],
  ])('is not taken: %s', async (_, body) => {
    at.answers(raw(body));
    expect(await failure(holdsCertificate(at.provider(), CPF))).toMatchObject({
      reason: 'unreadable',
      mayHaveActed: false,
    });
    expect(await failure(exchangeCode(at.provider(), exchange))).toMatchObject({
      reason: 'unreadable',
      mayHaveActed: true,
    });
  });

  test('is not taken where it lacks what it must have, and what came is not repeated', async () => {
    at.answers(json({ access_token: 'a token with spaces', expires_in: 'soon' }));
    const { reason, message } = await failure(exchangeCode(at.provider(), exchange));
    expect(reason).toBe('unreadable');
    expect(message).toContain('access_token, expires_in');
    expect(message).not.toContain('spaces');
    at.answers(json({ status: 'perhaps' }));
    expect((await failure(holdsCertificate(at.provider(), CPF))).reason).toBe('unreadable');
  });

  test('never does more than fail, whatever JSON it is', async () => {
    const known = [
      'signatures',
      'certificates',
      'raw_signature',
      'access_token',
      'status',
      'id',
      'certificate',
    ];
    const anything = fc.dictionary(fc.constantFrom(...known), fc.jsonValue({ maxDepth: 3 }));
    const held = heldAs('a', holder);
    await fc.assert(
      fc.asyncProperty(anything, async (value) => {
        at.answers(json(value));
        const signing = signHashes(at.provider(), 'tok', { held, digest: 'sha256', hashes: [hash] });
        expect(['unreadable', 'wrong-signature']).toContain((await failure(signing)).reason);
        await listCertificates(at.provider(), 'tok').catch((error) =>
          expect(error.reason).toBe('unreadable'),
        );
      }),
      { numRuns: runs(40) },
    );
  });
});
