import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { authentications } from '../../../../functions/pki/authentication/domain/authentication.ts';
import { SANDBOX_CONTEXT } from '../../../../functions/sandbox/sandbox-data.ts';
import { hashSecret } from '../../../../shared/access/secrets.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ask, authenticationStage, CPF, offerOf, prepared, started } from './stage.ts';

const stage = await forFile(authenticationStage());

type Params = { readonly token: string };
const submit = (params: Params, offer: object) => ask('signedBytes', offer, { params });
const finalize = (params: Params) => ask('finalize', undefined, { params, method: 'POST' });
const stored = ({ token }: Params) => authentications.get({ handle: 'token', hash: hashSecret(token) });

async function grownOld(params: Params): Promise<void> {
  const found = await stored(params);
  if (found) await authentications.change(found, { expiresAtMs: Date.now() - 1 });
}

const OWNER = { certificate: { subjectIdentifier: CPF, issuer: { issuer: { issuer: null } } } };
const VALID = { status: 200, ...OWNER, validationResults: { errors: [] } };

describe('POST /Api/Authentications', () => {
  test('answers a token, the bytes to sign and their hash', async () => {
    const answer = await ask('start', { securityContextId: SANDBOX_CONTEXT });
    const bytes = Buffer.from(String(answer.toSignData), 'base64');
    expect(bytes).toHaveLength(32);
    expect(answer).toEqual({
      status: 200,
      token: expect.stringMatching(/^[\w-]{43}$/),
      toSignData: bytes.toString('base64'),
      toSignHash: createHash('sha256').update(bytes).digest('base64'),
      digestAlgorithmOid: '2.16.840.1.101.3.4.2.1',
    });
  });

  test.each([undefined, {}, { securityContextId: null }])(
    'wants the security context to be named: %j',
    async (wish) => {
      const answer = await ask('start', wish, { method: 'POST' });
      expect(answer).toMatchObject({ status: 422, code: 'SecurityContextRequired' });
    },
  );

  test('knows no context that nobody named roots for', async () => {
    const securityContextId = 'c438b17e-4862-446b-86ad-6f85734f0bfe';
    expect(await ask('start', { securityContextId })).toMatchObject({
      status: 422,
      code: 'SecurityContextNotFound',
      details: { securityContextId },
    });
  });
});

describe('POST /Api/Authentications/{token}/SignedBytes', () => {
  test('tells who signed', async () => {
    const { params, data } = await started();
    expect(await submit(params, offerOf(stage.holder(), data))).toMatchObject(VALID);
  });

  test('takes an EC key', async () => {
    const { params, data } = await started();
    expect(await submit(params, offerOf(stage.holderWith('p256'), data))).toMatchObject({
      validationResults: { errors: [] },
    });
  });

  test('a certificate that fails is an answer with its errors', async () => {
    const { params, data } = await started();
    expect(await submit(params, offerOf(stage.holder('56072386105'), data))).toMatchObject({
      status: 200,
      validationResults: { errors: [expect.objectContaining({ type: 'CertificateRevoked' })] },
    });
  });

  test('takes one signature: of 20 at once one is taken, and the others are told that there is one', async () => {
    const { params, data } = await started();
    const offer = offerOf(stage.holder(), data);
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(params, offer)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'ClientSignatureAlreadySet')).toHaveLength(19);
  });

  test('a signature that is not over these bytes is refused, and leaves the token as it was', async () => {
    const [own, other] = [await started(), await started()];
    expect(await submit(own.params, offerOf(stage.holder(), other.data))).toMatchObject({
      status: 422,
      code: 'InvalidSignature',
    });
    expect(await submit(own.params, offerOf(stage.holder(), own.data))).toMatchObject(VALID);
  });

  test.each([
    ['a certificate that cannot be read', 422, 'PKCertificateMalformed', { certificate: '%%%' }],
    ['no signature', 400, 'InvalidRequest', { signature: undefined }],
  ])('%s is refused with %i %s', async (_, status, code, change) => {
    const { params, data } = await started();
    const answer = await submit(params, { ...offerOf(stage.holder(), data), ...change });
    expect(answer).toMatchObject({ status, code });
  });

  test('an old token is StaleSession, and a state of the other generation is no token', async () => {
    const { params, data } = await started();
    await grownOld(params);
    expect(await submit(params, offerOf(stage.holder(), data))).toMatchObject({
      status: 422,
      code: 'StaleSession',
    });
    const other = await prepared();
    const offer = offerOf(stage.holder(), other.data);
    expect(await submit({ token: other.state }, offer)).toMatchObject({ code: 'InvalidToken' });
  });
});

describe('POST /Api/Authentications/{token}/Finalize', () => {
  test('tells, once, who signed under the token', async () => {
    const { params, data } = await started();
    await submit(params, offerOf(stage.holder(), data));
    expect(await finalize(params)).toMatchObject(VALID);
    expect(await finalize(params)).toMatchObject({ status: 422, code: 'NonceAlreadyUsed' });
    expect(await submit(params, offerOf(stage.holder(), data))).toMatchObject({ code: 'NonceAlreadyUsed' });
  });

  test('of 20 at once, one is told', async () => {
    const { params, data } = await started();
    await submit(params, offerOf(stage.holder(), data));
    const answers = await Promise.all(Array.from({ length: 20 }, () => finalize(params)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'NonceAlreadyUsed')).toHaveLength(19);
  });

  test('before the bytes are signed there is nothing to finalize, and that spends nothing', async () => {
    const { params, data } = await started();
    expect(await finalize(params)).toMatchObject({ status: 422, code: 'ClientSignatureNotSet' });
    expect(await submit(params, offerOf(stage.holder(), data))).toMatchObject(VALID);
  });

  test('judges the certificate as it stands then', async () => {
    const { params, data } = await started();
    expect(await submit(params, offerOf(stage.holder(), data))).toMatchObject(VALID);
    vi.stubEnv('SecurityContexts__Others', `${SANDBOX_CONTEXT}=${stage.otherRootFile}`);
    const answer = await finalize(params);
    vi.stubEnv('SecurityContexts__Others', `${SANDBOX_CONTEXT}=${stage.rootFile}`);
    expect(answer).toMatchObject({
      ...{ status: 200, validationResults: { errors: [{ type: 'CertificateIssuerInvalid' }] } },
    });
  });

  test('honours ignoreRevocationStatusUnknown as it was started with', async () => {
    const wish = { securityContextId: SANDBOX_CONTEXT, ignoreRevocationStatusUnknown: true };
    const { params, data } = await started(wish);
    const told = { errors: [], warnings: [{ type: 'CertificateRevocationStatusUnknown' }] };
    const offer = offerOf(stage.holder('15350946056'), data);
    expect(await submit(params, offer)).toMatchObject({ validationResults: told });
    expect(await finalize(params)).toMatchObject({ validationResults: told });
  });

  test('an old token is StaleSession, an unknown one InvalidToken', async () => {
    const { params, data } = await started();
    await submit(params, offerOf(stage.holder(), data));
    await grownOld(params);
    expect(await finalize(params)).toMatchObject({ status: 422, code: 'StaleSession' });
    expect(await finalize({ token: 'x'.repeat(43) })).toMatchObject({ status: 422, code: 'InvalidToken' });
  });
});
