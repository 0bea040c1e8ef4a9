import { createHash, createVerify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findProvider, providers } from '../../../functions/hub/domain/providers/provider.ts';
import { parseCertificate } from '../../../shared/pki/certificate/certificate.ts';
import { writePem } from '../../../shared/pki/pem.ts';
import { type Digest, digestOid } from '../../../shared/signing/digest.ts';
import { isSignatureOfHash } from '../../../shared/signing/key-verify.ts';
import { killedAt } from '../../faults/crash.ts';
import { setting } from '../session/own-settings.ts';
import {
  aSession,
  certificateOf,
  certificateV2Of,
  customStateOf,
  HASH,
  refusal,
  signHash,
  toSign,
} from './calls.ts';
import type { Interference } from './providers-server.ts';
import { useHubStage } from './stage.ts';

const stage = useHubStage();

const callsOf = (operation: string) =>
  stage.providers.calls.filter((call) => call.endsWith(` ${operation}`)).length;
const fieldsIn = (answer: { json(): unknown }) => (answer.json() as { errors: object }).errors;

type Model = { readonly content: string; readonly alias: string; readonly serviceName: string };
const modelOf = async (session: string) => (await certificateV2Of(session)).json() as Model;
const keyIn = ({ content }: Model) => parseCertificate(Buffer.from(content, 'base64')).publicKey;

const reversed = (given: string) => {
  const { status, certificates } = JSON.parse(given);
  return JSON.stringify({ status, certificates: certificates.toReversed() });
};

const UNUSABLE = [422, 'SessionInvalidOrAlreadyUsed'];

describe("a session's certificate", () => {
  test('is a bare JSON string: DER, base64', async () => {
    const { status, headers, text, json } = await certificateOf(await aSession());
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(text).toBe(JSON.stringify(json()));
    expect(parseCertificate(Buffer.from(json() as string, 'base64')).subject.text).toContain('52998224725');
  });

  test.each([
    ['as they come', (given: string) => given],
    ['the other way round', reversed],
  ])('is of several, %s, the one that is valid now and was issued last', async (_, instead) => {
    const session = await aSession();
    stage.providers.interfere = () => ({ instead });
    const model = await modelOf(session);
    expect(model).toEqual({ content: expect.any(String), alias: 'alpha-3', serviceName: 'alpha' });
    expect((await certificateOf(session)).json()).toBe(model.content);
  });

  test('is asked for at the provider once, and kept', async () => {
    const session = await aSession();
    await certificateOf(session);
    await certificateV2Of(session);
    await signHash(toSign(session));
    expect(callsOf('certificate-discovery')).toBe(1);
  });

  test('is missing where none is valid: 500 with the short code as a JSON string', async () => {
    const session = await aSession();
    const onlyExpired = (given: string) => {
      const { status, certificates } = JSON.parse(given);
      const kept = certificates.filter(({ alias }: { alias: string }) => alias === 'alpha-1');
      return JSON.stringify({ status, certificates: kept });
    };
    stage.providers.interfere = () => ({ instead: onlyExpired });
    const { status, text } = await certificateOf(session);
    expect([status, text]).toEqual([500, '"NoValidCertificate"']);
    expect(refusal(await signHash(toSign(session)))).toEqual([500, 'NoValidCertificate']);
    stage.providers.interfere = () => undefined;
    expect((await signHash(toSign(session))).status).toBe(200);
  });

  test('cannot be read where the provider cuts it: 500 ProviderAnswerUnreadable', async () => {
    const session = await aSession();
    const cut = (given: string) =>
      JSON.stringify({ status: 'S', certificates: [{ alias: 'a', certificate: given.slice(100, 500) }] });
    stage.providers.interfere = () => ({ instead: cut });
    expect(refusal(await certificateOf(session))).toEqual([500, 'ProviderAnswerUnreadable']);
  });

  test('is asked for by a session: 400 lists it where it is missing', async () => {
    const answer = await certificateOf('');
    expect([answer.status, fieldsIn(answer)]).toEqual([400, { session: ['is required'] }]);
  });
});

describe('a signature', () => {
  test.each(['alpha', 'beta'])('of %s is a bare JSON string, and the certificate verifies it', async (at) => {
    const session = await aSession({}, { at });
    const publicKey = keyIn(await modelOf(session));
    const { status, text, json } = await signHash(toSign(session));
    expect([status, text]).toEqual([200, JSON.stringify(json())]);
    const verify = createVerify('sha256').update('what is signed');
    expect(verify.verify(publicKey, json() as string, 'base64')).toBe(true);
  });

  test('is of the algorithm that is named, by OID or in any spelling', async () => {
    const session = await aSession({ type: 'SignatureSession' });
    const key = keyIn(await modelOf(session));
    const names: [Digest, object][] = [
      ['sha1', { digestAlgorithm: 'SHA-1' }],
      ['sha256', { digestAlgorithm: 'SHA256' }],
      ['sha384', { digestAlgorithm: 'sha_384' }],
      ['sha512', { digestAlgorithm: 'Sha-512' }],
      ...(['sha1', 'sha256', 'sha384', 'sha512'] as const).map((digest): [Digest, object] => [
        digest,
        { digestAlgorithmOid: digestOid(digest) },
      ]),
      ['sha256', { digestAlgorithmOid: digestOid('sha256'), digestAlgorithm: 'SHA-512' }],
      ['sha256', { digestAlgorithmOid: digestOid('sha256'), digestAlgorithm: 'no such thing' }],
    ];
    for (const [digest, named] of names) {
      const hash = createHash(digest).update('it').digest();
      const answer = await signHash({ session, hash: hash.toString('base64'), ...named });
      expect([digest, named, answer.status]).toEqual([digest, named, 200]);
      const signature = Buffer.from(answer.json() as string, 'base64');
      expect(await isSignatureOfHash(key, digest, hash, signature)).toBe(true);
    }
  });

  test.each([{}, { digestAlgorithm: null, digestAlgorithmOid: null }, { digestAlgorithm: '' }])(
    'needs an algorithm: %j is refused with 422 DigestAlgorithmNameOrOidIsRequired',
    async (named) => {
      const { session, hash } = toSign('any');
      expect(refusal(await signHash({ session, hash, ...named }))).toEqual([
        422,
        'DigestAlgorithmNameOrOidIsRequired',
      ]);
    },
  );

  test.each([
    { digestAlgorithm: 'MD5' },
    { digestAlgorithm: 'SHA-256 with RSA' },
    { digestAlgorithmOid: '1.2.3' },
    { digestAlgorithmOid: 'SHA-256', digestAlgorithm: 'SHA-256' },
  ])('needs an algorithm that is known: %j is refused with 422 InvalidDigestAlgorithm', async (named) => {
    const { session, hash } = toSign('any');
    expect(refusal(await signHash({ session, hash, ...named }))).toEqual([422, 'InvalidDigestAlgorithm']);
  });

  test.each([
    ['not base64', 'ç'],
    ['base64 without its end', HASH.toString('base64').slice(0, -1)],
    ['of another length', Buffer.alloc(20).toString('base64')],
    ['written in hexadecimal', HASH.toString('hex')],
  ])('needs a hash: 400 lists it when it is %s', async (_, hash) => {
    const answer = await signHash(toSign('any', { hash }));
    expect([answer.status, Object.keys(fieldsIn(answer))]).toEqual([400, ['hash']]);
  });

  test('needs a session and a hash: 400 lists both', async () => {
    const answer = await signHash({ digestAlgorithm: 'SHA-256' });
    expect([answer.status, fieldsIn(answer)]).toEqual([
      400,
      { session: ['is required'], hash: ['is required'] },
    ]);
  });

  test('is by the certificate of the alias that is given', async () => {
    const session = await aSession({ type: 'SignatureSession' });
    let listed: { alias: string; certificate: string }[] = [];
    stage.providers.interfere = () => ({
      instead: (given) => {
        listed = JSON.parse(given).certificates ?? listed;
        return given;
      },
    });
    const newest = keyIn(await modelOf(session));
    const signature = (await signHash(toSign(session, { certificateAlias: 'alpha-2' }))).json() as string;
    const older = listed.find(({ alias }) => alias === 'alpha-2')?.certificate ?? '';
    const verify = () => createVerify('sha256').update('what is signed');
    expect(verify().verify(older, signature, 'base64')).toBe(true);
    const other = writePem('PUBLIC KEY', newest.export({ type: 'spki', format: 'der' }));
    expect(verify().verify(other, signature, 'base64')).toBe(false);
  });

  test('is not made for an alias that the holder does not have: 400 lists it, and the session is not used', async () => {
    const session = await aSession();
    const answer = await signHash(toSign(session, { certificateAlias: 'nobody' }));
    expect([answer.status, Object.keys(fieldsIn(answer))]).toEqual([400, ['certificateAlias']]);
    expect((await signHash(toSign(session))).status).toBe(200);
  });
});

describe('the use of a session', () => {
  test.each(['SingleSignature', 'MultiSignature'])(
    'of the type %s is over after one signature',
    async (type) => {
      const session = await aSession({ type });
      expect((await signHash(toSign(session))).status).toBe(200);
      expect(refusal(await signHash(toSign(session)))).toEqual(UNUSABLE);
      expect(refusal(await certificateOf(session))).toEqual(UNUSABLE);
      expect(refusal(await certificateV2Of(session))).toEqual(UNUSABLE);
      expect(refusal(await customStateOf(session))).toEqual(UNUSABLE);
      expect(callsOf('signature')).toBe(1);
    },
  );

  test('of the type SignatureSession goes on', async () => {
    const session = await aSession({ type: 3 });
    const signed = await Promise.all([1, 2, 3].map(() => signHash(toSign(session))));
    expect(signed.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('of the type AuthenticationSession gives the certificate and signs nothing', async () => {
    const session = await aSession({ type: 'AuthenticationSession' });
    expect((await certificateOf(session)).status).toBe(200);
    expect((await signHash(toSign(session))).json()).toMatchObject({
      code: 'SessionInvalidOrAlreadyUsed',
      details: { type: 'AuthenticationSession', reason: expect.stringContaining('signs nothing') },
    });
    expect(callsOf('signature')).toBe(0);
  });

  // Fifty callers read a session that is usable, and each claims it before the provider is asked: the store lets one.
  test('by fifty at once reaches the provider once', async () => {
    const session = await aSession();
    await certificateOf(session);
    const answers = await Promise.all(Array.from({ length: 50 }, () => signHash(toSign(session))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200).map(refusal)).toEqual(Array(49).fill(UNUSABLE));
    expect(callsOf('signature')).toBe(1);
  });

  // killed before the claim: nothing has happened. After it: the session stays in use, and signs no more, as nobody knows
  // whether the provider has signed.
  test.each(['before', 'after'] as const)(
    'of a single use reaches the provider once at most, where the process is killed %s any of its writes',
    async (moment) => {
      let usableAgain = 0;
      for (let write = 1, isKilled = true; isKilled; write++) {
        const session = await aSession();
        stage.providers.calls.length = 0;
        isKilled = await killedAt(write, moment, () => signHash(toSign(session)));
        const again = await signHash(toSign(session));
        expect(callsOf('signature')).toBeLessThanOrEqual(1);
        if (again.status === 200) usableAgain += 1;
        else expect(refusal(again)).toEqual(UNUSABLE);
      }
      expect(usableAgain).toBe(moment === 'before' ? 1 : 0);
    },
  );

  test('that is given back keeps the certificates that were learned', async () => {
    const session = await aSession();
    stage.providers.interfere = (call) =>
      call.endsWith(' signature') ? { status: 429, body: '{}' } : undefined;
    expect((await signHash(toSign(session))).status).toBe(500);
    stage.providers.interfere = () => undefined;
    expect((await signHash(toSign(session))).status).toBe(200);
    expect(callsOf('certificate-discovery')).toBe(1);
  });

  test('by a reader of the certificate does not take it from the one who signs', async () => {
    const session = await aSession();
    const [signed, read] = await Promise.all([signHash(toSign(session)), certificateOf(session)]);
    expect([signed.status, read.status]).toEqual([200, 200]);
    expect(refusal(await signHash(toSign(session)))).toEqual(UNUSABLE);
  });
});

const otherSignature = (given: string) => {
  const { signatures, ...rest } = JSON.parse(given);
  const [{ id }] = signatures;
  return JSON.stringify({
    ...rest,
    signatures: [{ id, raw_signature: Buffer.alloc(256, 7).toString('base64') }],
  });
};

// Whether a session that takes one signature may still be used is told by what the provider may have done.
describe('a provider that fails to sign', () => {
  test.each<[string, string, 'given back' | 'used', Interference]>([
    ['an error of its own', 'ProviderUnavailable', 'used', { status: 500, body: '{}' }],
    ['no time for it', 'ProviderUnavailable', 'given back', { status: 503, body: '{}' }],
    ['too many requests', 'ProviderUnavailable', 'given back', { status: 429, body: '{}' }],
    ['a refusal', 'ProviderRefused', 'given back', { status: 400, body: '{"error":"invalid_request"}' }],
    ['a page', 'ProviderAnswerUnreadable', 'used', { status: 200, body: '<html>' }],
    ['nothing for a signature', 'ProviderAnswerUnreadable', 'used', { status: 200, body: '{}' }],
    ['a gateway that had no answer', 'ProviderUnavailable', 'used', { status: 504, body: '' }],
    ['a line that breaks', 'ProviderUnavailable', 'used', 'hang-up'],
    ['an answer that is lost', 'ProviderUnavailable', 'used', 'answer-lost'],
    ['silence', 'ProviderTimeout', 'used', 'silence'],
    ['the signature of another key', 'SignatureDoesNotMatchCertificate', 'used', { instead: otherSignature }],
  ])('with %s: 500 as a JSON string with %s, and the session is %s', async (_, code, left, interference) => {
    setting('Providers:SignatureTimeout', '1');
    const session = await aSession();
    stage.providers.interfere = (call) => (call.endsWith(' signature') ? interference : undefined);
    const answer = await signHash(toSign(session));
    expect([answer.status, answer.text]).toEqual([500, `"${code}"`]);
    stage.providers.interfere = () => undefined;
    const again = await signHash(toSign(session));
    expect(again.status === 200 ? 'given back' : refusal(again)).toEqual(
      left === 'used' ? UNUSABLE : 'given back',
    );
  });

  test('that is removed by an operator accepts its sessions no more', async () => {
    const session = await aSession({ type: 'SignatureSession' });
    expect((await certificateOf(session)).status).toBe(200);
    const alpha = await findProvider('alpha');
    if (!alpha) throw new Error('The sandbox has no provider alpha.');
    await providers.delete(alpha);
    expect(refusal(await certificateOf(session))).toEqual(UNUSABLE);
    expect(refusal(await signHash(toSign(session)))).toEqual(UNUSABLE);
    await providers.put(alpha);
    expect((await certificateOf(session)).status).toBe(200);
  });
});
