import { constants, createHash, generateKeyPairSync, privateEncrypt, publicDecrypt, sign } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { authentications } from '../../../../functions/pki/authentication/domain/authentication.ts';
import { PKI_BRAZIL } from '../../../../functions/pki/domain/security-contexts.ts';
import { SANDBOX_CONTEXT } from '../../../../functions/sandbox/sandbox-data.ts';
import { putApplication } from '../../../../shared/access/administration.ts';
import { keyFromText } from '../../../../shared/access/applications.ts';
import { hashSecret } from '../../../../shared/access/secrets.ts';
import { allErrors, type ValidationResults } from '../../../../shared/pki/findings/validation-results.ts';
import { forFile } from '../../../runner/for-file.ts';
import { type Answer, ask, authenticationStage, CPF, offerOf, prepared } from './stage.ts';

const stage = await forFile(authenticationStage());

const complete = (state: string, offer: object, headers = {}): Promise<Answer> =>
  ask('complete', { state, ...offer }, { headers });

const stored = (state: string) => authentications.get({ handle: 'state', hash: hashSecret(state) });

async function grownOld(state: string): Promise<void> {
  const found = await stored(state);
  if (found) await authentications.change(found, { expiresAtMs: Date.now() - 1 });
}

const typesOf = ({ validationResults }: Answer): string[] =>
  allErrors(validationResults as ValidationResults).map(({ type }) => type);

/** Another application, with the same permission. */
async function otherKey(): Promise<string> {
  const key = 'other|another-key-of-this-test';
  const permissions = ['authentication'];
  await putApplication('pki', {
    name: 'other',
    disabled: false,
    permissions,
    registered: {},
    keys: [keyFromText(key)],
  });
  return key;
}

describe('POST /api/v2/authentication', () => {
  test('answers a state, and the same bytes to sign in every form that a key may take', async () => {
    const answer = await ask('prepare', { securityContextId: SANDBOX_CONTEXT });
    const { data } = answer.toSign as { data: string };
    const bytes = Buffer.from(data, 'base64');
    const hash = createHash('sha256').update(bytes).digest();
    expect(bytes).toHaveLength(32);
    expect(answer).toEqual({
      status: 200,
      state: expect.stringMatching(/^[\w-]{43}$/),
      toSignHash: { algorithm: 'SHA256', value: hash.toString('base64'), hexValue: hash.toString('hex') },
      toSign: {
        signatureAlgorithm: {
          algorithm: 'SHA256WithRSA',
          oid: '1.2.840.113549.1.1.11',
          digestAlgorithm: 'SHA256',
          digestAlgorithmOid: '2.16.840.1.101.3.4.2.1',
        },
        data,
        hash: hash.toString('base64'),
        digestInfo: expect.any(String),
      },
    });
  });

  test('what it gives as digestInfo is what an RSA signature of the data holds', async () => {
    const { toSign } = await ask('prepare', { securityContextId: SANDBOX_CONTEXT });
    const { data, digestInfo } = toSign as { data: string; digestInfo: string };
    const { privateKey, certificate } = stage.holder();
    const signature = sign('sha256', Buffer.from(data, 'base64'), privateKey);
    const key = { key: certificate.publicKey, padding: constants.RSA_PKCS1_PADDING };
    expect(publicDecrypt(key, signature).toString('base64')).toBe(digestInfo);
  });

  test.each([undefined, {}, { securityContextId: null }])(
    'is for ICP-Brasil where none is named: %j',
    async (wish) => {
      const { state } = await ask('prepare', wish, { method: 'POST' });
      expect(await stored(String(state))).toMatchObject({ securityContextId: PKI_BRAZIL, state: 'Given' });
    },
  );

  test('keeps the hash of the state, and not the state', async () => {
    const { state } = await prepared();
    expect(JSON.stringify(await stored(state))).not.toContain(state);
  });

  test.each([
    ['c438b17e-4862-446b-86ad-6f85734f0bfe', 422, 'SecurityContextNotFound'],
    ['3881384c-a54d-45c5-bbe9-976b674f5ec7', 422, 'SecurityContextNotFound'],
    ['00000000-0000-4000-8000-000000000000', 422, 'SecurityContextNotFound'],
    ['no id', 400, 'InvalidRequest'],
  ])('a context that nobody named roots for is refused: %s', async (securityContextId, status, code) => {
    expect(await ask('prepare', { securityContextId })).toMatchObject({ status, code });
  });
});

describe('POST /api/v2/authentication/completion', () => {
  test('tells who signed, with the issuers up to the root and every check', async () => {
    const { state, data } = await prepared();
    const answer = await complete(state, offerOf(stage.holder(), data));
    expect(answer).toMatchObject({
      status: 200,
      success: true,
      failure: null,
      certificate: {
        subjectCommonName: expect.stringContaining('SANDBOX HOLDER'),
        subjectIdentifier: CPF,
        pkiBrazil: { cpf: CPF, certificateType: 'A1' },
        issuer: { issuer: { issuer: null } },
      },
      validationResults: {
        errors: [],
        passedChecks: expect.arrayContaining([
          expect.objectContaining({
            type: 'CertificateIssuerValid',
            innerValidationResults: expect.objectContaining({ errors: [] }),
          }),
        ]),
      },
    });
  });

  test.each(['p256', 'p384'] as const)('takes a key of the kind %s', async (kind) => {
    const { state, data } = await prepared();
    expect(await complete(state, offerOf(stage.holderWith(kind), data))).toMatchObject({ success: true });
  });

  test('takes a signature that was made over the hash alone', async () => {
    const { toSign, state } = await ask('prepare', { securityContextId: SANDBOX_CONTEXT });
    const { privateKey, certificate } = stage.holder();
    const info = Buffer.from((toSign as { digestInfo: string }).digestInfo, 'base64');
    const key = { key: privateKey, padding: constants.RSA_PKCS1_PADDING };
    const offer = {
      certificate: certificate.der.toString('base64'),
      signature: privateEncrypt(key, info).toString('base64'),
    };
    expect(await complete(String(state), offer)).toMatchObject({ success: true });
  });

  test.each([
    ['expired', '12345678909', 'CertificateExpired'],
    ['revoked', '56072386105', 'CertificateRevoked'],
    ['of an issuer that is not trusted', '87378011126', 'CertificateChainRootNotTrusted'],
    ['of unknown revocation', '15350946056', 'CertificateRevocationStatusUnknown'],
  ])('a certificate that is %s is an answer with success false', async (_, cpf, type) => {
    const { state, data } = await prepared();
    const answer = await complete(state, offerOf(stage.holder(cpf), data));
    expect(answer).toMatchObject({
      status: 200,
      success: false,
      failure: 'CertificateFailedValidation',
      certificate: { subjectIdentifier: cpf },
    });
    expect(typesOf(answer)).toContain(type);
  });

  test('a certificate that is not yet valid fails, and its verdict is the last of its state', async () => {
    const { state, data } = await prepared();
    const early = stage.holderWith('rsa2048', { notBeforeMs: Date.now() + 3_600_000 });
    const answer = await complete(state, offerOf(early, data));
    expect(answer).toMatchObject({ success: false, failure: 'CertificateFailedValidation' });
    expect(typesOf(answer)).toContain('CertificateNotYetValid');
    expect(await complete(state, offerOf(stage.holder(), data))).toMatchObject({ code: 'NonceAlreadyUsed' });
  });

  test('an unknown revocation is a warning where ignoreRevocationStatusUnknown was asked for', async () => {
    const wish = { securityContextId: SANDBOX_CONTEXT, ignoreRevocationStatusUnknown: true };
    const unknown = await prepared(wish);
    expect(await complete(unknown.state, offerOf(stage.holder('15350946056'), unknown.data))).toMatchObject({
      success: true,
      validationResults: {
        errors: [],
        warnings: [expect.objectContaining({ type: 'CertificateRevocationStatusUnknown' })],
      },
    });
    const revoked = await prepared(wish);
    expect(await complete(revoked.state, offerOf(stage.holder('56072386105'), revoked.data))).toMatchObject({
      success: false,
    });
  });

  test('judges by the context that the state was prepared for', async () => {
    const own = '11111111-2222-4333-8444-555555555555';
    const others = process.env.SecurityContexts__Others;
    vi.stubEnv('SecurityContexts__Others', `${others}, ${own.toUpperCase()} = ${stage.otherRootFile}`);
    const { state, data } = await prepared({ securityContextId: own.toUpperCase() });
    const answer = await complete(state, offerOf(stage.holder(), data));
    vi.stubEnv('SecurityContexts__Others', others);
    expect(answer).toMatchObject({ success: false, failure: 'CertificateFailedValidation' });
    expect(typesOf(answer)).toContain('CertificateChainRootNotTrusted');
  });

  test('a context that is known no more when it completes is told, and the state is not used', async () => {
    const { state, data } = await prepared();
    const others = process.env.SecurityContexts__Others;
    vi.stubEnv('SecurityContexts__Others', '');
    const refused = await complete(state, offerOf(stage.holder(), data));
    vi.stubEnv('SecurityContexts__Others', others);
    expect(refused).toMatchObject({ status: 422, code: 'SecurityContextNotFound' });
    expect(await complete(state, offerOf(stage.holder(), data))).toMatchObject({ success: true });
  });

  test('an old state is StaleSession', async () => {
    const { state, data } = await prepared();
    await grownOld(state);
    expect(await complete(state, offerOf(stage.holder(), data))).toEqual({
      status: 200,
      success: false,
      failure: 'StaleSession',
      certificate: null,
      validationResults: null,
    });
    expect(await stored(state)).toMatchObject({ state: 'Given' });
  });

  test('a replay is NonceAlreadyUsed, also when the time is over', async () => {
    const { state, data } = await prepared();
    const offer = offerOf(stage.holder(), data);
    expect(await complete(state, offer)).toMatchObject({ success: true });
    expect(await complete(state, offer)).toMatchObject({ status: 422, code: 'NonceAlreadyUsed' });
    await grownOld(state);
    expect(await complete(state, offer)).toMatchObject({ status: 422, code: 'NonceAlreadyUsed' });
  });

  // All find the state unused and the signature good; only the write that spends it tells them apart.
  test('of 100 that complete one state at once, one is told that it succeeded', async () => {
    const { state, data } = await prepared();
    const offer = offerOf(stage.holder(), data);
    const answers = await Promise.all(Array.from({ length: 100 }, () => complete(state, offer)));
    expect(answers.filter(({ success }) => success === true)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'NonceAlreadyUsed')).toHaveLength(99);
  });
});

describe('a state that was stolen', () => {
  test('authenticates nobody by a signature of another certificate, and stays good for its owner', async () => {
    const { state, data } = await prepared();
    const owner = offerOf(stage.holder(), data);
    const thief = offerOf(stage.holder('47363361886'), data);
    const mixed = [
      { certificate: owner.certificate, signature: thief.signature },
      { certificate: thief.certificate, signature: owner.signature },
    ];
    for (const offer of mixed)
      expect(await complete(state, offer)).toMatchObject({ status: 422, code: 'InvalidSignature' });
    expect(await complete(state, owner)).toMatchObject({ success: true });
  });

  test('tells of whoever signed, and never of its owner', async () => {
    const { state, data } = await prepared();
    expect(await complete(state, offerOf(stage.holder('47363361886'), data))).toMatchObject({
      success: true,
      certificate: { subjectIdentifier: '47363361886' },
    });
    expect(await complete(state, offerOf(stage.holder(), data))).toMatchObject({ code: 'NonceAlreadyUsed' });
  });

  test('is unknown to another application', async () => {
    const { state, data } = await prepared();
    const offer = offerOf(stage.holder(), data);
    const headers = { 'X-API-Key': await otherKey() };
    expect(await complete(state, offer, headers)).toMatchObject({ status: 422, code: 'InvalidToken' });
    expect(await complete(state, offer)).toMatchObject({ success: true });
  });

  test('is good for no signature over another nonce', async () => {
    const [own, other] = [await prepared(), await prepared()];
    expect(await complete(own.state, offerOf(stage.holder(), other.data))).toMatchObject({
      code: 'InvalidSignature',
    });
  });
});

describe('what is no offer', () => {
  test.each([
    ['an unknown state', 422, 'InvalidToken', { state: 'x'.repeat(43) }],
    ['a certificate that cannot be read', 422, 'PKCertificateMalformed', { certificate: 'bm90aGluZw==' }],
    ['a signature that is no base64', 400, 'InvalidRequest', { signature: '%%%' }],
    ['a signature of nothing', 422, 'InvalidSignature', { signature: 'AAAA' }],
    ['no state', 400, 'InvalidRequest', { state: undefined }],
    ['no certificate', 400, 'InvalidRequest', { certificate: undefined }],
    ['no signature', 400, 'InvalidRequest', { signature: undefined }],
  ])('%s is refused with %i %s', async (_, status, code, change) => {
    const { state, data } = await prepared();
    const offer = { state, ...offerOf(stage.holder(), data), ...change };
    expect(await ask('complete', offer)).toMatchObject({ status, code });
  });

  test('a key of a kind that does not sign here is told, and the state is not used', async () => {
    const { state, data } = await prepared();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
    expect(await complete(state, offerOf(stage.certified(privateKey), data))).toMatchObject({
      status: 422,
      code: 'UnsupportedSignatureAlgorithm',
      details: { reason: expect.stringContaining('P-256') },
    });
    expect(await stored(state)).toMatchObject({ state: 'Given' });
  });
});
