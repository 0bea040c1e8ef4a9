import { describe, expect, test } from 'vitest';
import { authentications } from '../../../../functions/pki/authentication/domain/authentication.ts';
import { SANDBOX_CONTEXT } from '../../../../functions/sandbox/sandbox-data.ts';
import { hashSecret } from '../../../../shared/access/secrets.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ask, authenticationStage, CPF, offerOf, prepared } from './stage.ts';

const stage = await forFile(authenticationStage());

const aNonce = async (): Promise<string> => String((await ask('nonce')).nonce);
const request = (nonce: string, change: object = {}, cpf?: string) => ({
  nonce,
  ...offerOf(stage.holder(cpf), nonce),
  securityContextId: SANDBOX_CONTEXT,
  ...change,
});

describe('POST /Api/Authentication', () => {
  test('tells who signed the nonce', async () => {
    expect(await ask('authenticate', request(await aNonce()))).toMatchObject({
      status: 200,
      certificate: { subjectIdentifier: CPF, issuer: { issuer: { issuer: null } } },
      validationResults: { errors: [] },
    });
  });

  test('a replay is NonceAlreadyUsed, however its base64 is written', async () => {
    const nonce = await aNonce();
    const last = nonce.at(-2) ?? '';
    // 32 bytes leave two bits of the last letter that nobody reads.
    const rewritten = `${nonce.slice(0, -2)}${String.fromCharCode(last.charCodeAt(0) + 1)}=`;
    expect(Buffer.from(rewritten, 'base64')).toEqual(Buffer.from(nonce, 'base64'));
    expect(await ask('authenticate', request(nonce))).toMatchObject({ status: 200 });
    for (const again of [nonce, rewritten])
      expect(await ask('authenticate', request(again))).toMatchObject({
        status: 422,
        code: 'NonceAlreadyUsed',
      });
  });

  test('of 20 at once, one is told', async () => {
    const sent = request(await aNonce());
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('authenticate', sent)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'NonceAlreadyUsed')).toHaveLength(19);
  });

  test('an old nonce is StaleSession', async () => {
    const nonce = await aNonce();
    const found = await authentications.get({ handle: 'nonce', hash: hashSecret(nonce) });
    if (found) await authentications.change(found, { expiresAtMs: Date.now() - 1 });
    expect(await ask('authenticate', request(nonce))).toMatchObject({ status: 422, code: 'StaleSession' });
  });

  test.each([
    ['no context', 422, 'SecurityContextRequired', { securityContextId: undefined }],
    ['an unknown context', 422, 'SecurityContextNotFound', { securityContextId: crypto.randomUUID() }],
    ['no certificate to read', 422, 'PKCertificateMalformed', { certificate: 'bm90aGluZw==' }],
    ['no signature of its own', 422, 'InvalidSignature', { signature: 'AAAA' }],
    ['no nonce', 400, 'InvalidRequest', { nonce: undefined }],
  ])('a request with %s is refused with %i %s, and spends nothing', async (_, status, code, change) => {
    const nonce = await aNonce();
    expect(await ask('authenticate', request(nonce, change))).toMatchObject({ status, code });
    expect(await ask('authenticate', request(nonce))).toMatchObject({ status: 200 });
  });

  test('a nonce that was given for another way of authenticating is unknown here', async () => {
    const { data } = await prepared();
    expect(await ask('authenticate', request(data))).toMatchObject({ status: 422, code: 'InvalidToken' });
  });

  test('a certificate that fails is an answer with its errors, and the nonce is used', async () => {
    const nonce = await aNonce();
    expect(await ask('authenticate', request(nonce, {}, '12345678909'))).toMatchObject({
      status: 200,
      validationResults: { errors: [expect.objectContaining({ type: 'CertificateExpired' })] },
    });
    expect(await ask('authenticate', request(nonce))).toMatchObject({ code: 'NonceAlreadyUsed' });
  });

  test('an unknown revocation is a warning where ignoreRevocationStatusUnknown is asked for', async () => {
    const wish = { ignoreRevocationStatusUnknown: true };
    expect(await ask('authenticate', request(await aNonce(), wish, '15350946056'))).toMatchObject({
      validationResults: { errors: [], warnings: [{ type: 'CertificateRevocationStatusUnknown' }] },
    });
  });
});
