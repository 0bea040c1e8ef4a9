import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { putProfile } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { handler as getProfile } from '../../../../functions/batch/profiles/endpoints/get-profile.ts';
import { handler as listProfiles } from '../../../../functions/batch/profiles/endpoints/list-profiles.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { writePem } from '../../../../shared/pki/pem.ts';
import { testPki } from '../../../certificates/pki.ts';
import { countCalls } from '../../../measure/calls.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ownStores } from '../../own-stores.ts';
import { BY, NOW, someProfile } from './a-profile.ts';

const headers = { 'X-API-Key': SANDBOX_KEY };
const encryption = { password: 'a-secret-password', salt: Buffer.alloc(16, 1).toString('base64') };

await forFile(ownStores());
beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const get = (name: string) => call(getProfile, { headers, params: { name } });

describe('GET /api/profiles', () => {
  test('lists the names of all profiles, sorted, disabled and degraded ones too', async () => {
    const { status, json } = await call(listProfiles, { headers });
    expect([status, json()]).toEqual([200, []]);
    await putProfile(BY, { name: 'remessas' }, NOW);
    await putProfile(BY, { name: 'default', enabled: false }, NOW);
    await putProfile(BY, { name: 'a-1' }, NOW);
    expect((await call(listProfiles, { headers })).json()).toEqual(['a-1', 'default', 'remessas']);
  });

  test('takes no parameter: one is refused with validation.filter-invalid, here and for one profile', async () => {
    for (const handler of [listProfiles, getProfile]) {
      const asked = { headers, params: { name: 'default' }, query: { enabled: 'true' } };
      const { status, json } = await call(handler, asked);
      expect(status).toBe(400);
      expect(json()).toMatchObject({
        code: 'validation.filter-invalid',
        errors: { enabled: [expect.any(String)] },
      });
    }
  });

  test('reads the store twice, however many there are', async () => {
    await Promise.all(Array.from({ length: 20 }, () => someProfile()));
    expect((await countCalls(() => call(listProfiles, { headers }))).total).toBeLessThanOrEqual(2);
  });
});

describe('GET /api/profiles/{name}', () => {
  test('shows a profile with its certificate, and nothing that is sealed', async () => {
    const profile = await someProfile({ encryption, checkCnab240: true, default: true });
    const { certificate } = testPki().holder();
    const { status, json, text } = await get(profile.name.toUpperCase());
    expect(status).toBe(200);
    expect(json()).toEqual({
      name: profile.name,
      enabled: true,
      default: true,
      method: 'Local',
      format: null,
      verify: true,
      validateCertificate: true,
      preserveFileExtension: false,
      saveAsPem: false,
      checkCnab240: true,
      checkCnab240PaymentDates: true,
      checkCnab240LotSums: false,
      timestamp: false,
      inputFolder: null,
      encryption: { method: 'Password', certificate: null },
      approval: null,
      externalSigner: null,
      signerFolder: null,
      cloudCertificate: null,
      certificate: {
        subject: 'JOSÉ DA CONCEIÇÃO TESTE:52998224725',
        issuer: 'AC Intermediaria de Testes rsa2048',
        serialNumber: expect.stringMatching(/^[0-9A-F]+$/),
        notBefore: expect.any(String),
        notAfter: expect.any(String),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      degraded: false,
      degradedReason: null,
    });
    const { encryption: sealed } = profile;
    const secrets = [encryption.password, encryption.salt, profile.sealedKey ?? ''];
    if (sealed && 'sealed' in sealed) secrets.push(sealed.sealed);
    expect(secrets).toHaveLength(4);
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(certificate.subject.text).toContain('JOSÉ');
  });

  test.each(['nope', 'a'.repeat(101), 'a'.repeat(5_000), '\u0000', '../default', 'é'])(
    'answers 404 profile.not-found for a name that no profile has: %.20j',
    async (name) => {
      const { status, json } = await get(name);
      expect([status, json()]).toMatchObject([404, { code: 'profile.not-found' }]);
    },
  );

  test('says why a profile is degraded', async () => {
    await putProfile(BY, { name: 'keyless' }, NOW);
    expect((await get('keyless')).json()).toMatchObject({
      certificate: null,
      degraded: true,
      degradedReason: expect.stringContaining('has no key'),
    });
  });

  test('names the people who sign at the external service, with their CPFs masked', async () => {
    const signers = [
      { name: 'Ana Souza', cpf: '52998224725', email: 'ana@sandbox.example', step: 1 },
      { name: 'Bruno Lima', cpf: '47363361886', email: 'bruno@sandbox.example', step: 2 },
    ];
    await putProfile(BY, { name: 'people', method: 'ExternalSigner', externalSigner: { signers } }, NOW);
    const { json, text } = await get('people');
    expect(json()).toMatchObject({
      externalSigner: {
        signers: signers.map((signer) => ({ ...signer, cpf: expect.stringContaining('*') })),
      },
    });
    expect(text).not.toMatch(/52998224725|47363361886/);
  });

  test('shows the recipient of encrypted outputs, and of approvers how many there are', async () => {
    const { certificate } = testPki().holder();
    const approvers = [{ name: 'Ana', email: 'ana@example.com', cpf: '52998224725' }];
    const { name } = await someProfile({
      encryption: { certificate: writePem('CERTIFICATE', certificate.der) },
      approval: { quorum: 1, approvers, expiresAfter: 60 },
    });
    const { json, text } = await get(name);
    expect(json()).toMatchObject({
      encryption: { method: 'Certificate', certificate: { sha256: certificate.sha256 } },
      approval: { quorum: 1, poolSize: 1, expiresAfterSeconds: 60, signerSet: 'Profile' },
    });
    expect(text).not.toContain('ana@example.com');
  });

  test.each(['unknown', '..', 'a#b', 'DEFAULT#'])('answers 404 profile.not-found to %s', async (name) => {
    const { status, json } = await get(name);
    expect(status).toBe(404);
    expect(json()).toMatchObject({ code: 'profile.not-found' });
  });
});
