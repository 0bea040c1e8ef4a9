import { sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { readCertificate } from '../../../../functions/pki/domain/certificate-proof.ts';
import { seedSandbox } from '../../../../infra/local/seed/seed.ts';
import { EXTENSION } from '../../../../shared/pki/extensions/extensions.ts';
import { testPki } from '../../../certificates/pki.ts';
import { runs } from '../../../faults/fuzz.ts';
import { ask, prepared } from './stage.ts';

const { certificate, privateKey } = testPki().holder();
const RUNS = runs(60);

const root = testPki().root.certificate.der.toString('base64');
vi.stubEnv(
  'SecurityContexts__PkiBrazil',
  `-----BEGIN CERTIFICATE-----\n${root}\n-----END CERTIFICATE-----\n`,
);
await seedSandbox();

/** The certificate with one byte changed, which its key still signs for. */
const changed = (at: number, by: number): string => {
  const der = Buffer.from(certificate.der);
  der[at % der.length] = (der[at % der.length] ?? 0) ^ by;
  return der.toString('base64');
};

describe('a certificate that somebody wrote to do harm', () => {
  test('is answered or refused, and is never a failure of ours nor a success', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(certificate.der.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const { state, data } = await prepared({});
          const signature = sign('sha256', Buffer.from(data, 'base64'), privateKey).toString('base64');
          const answer = await ask('complete', { state, certificate: changed(at, by), signature });
          expect([200, 422]).toContain(answer.status);
          expect(answer.success ?? false).toBe(false);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('whose names cannot be read is malformed, and not half shown', () => {
    const names = certificate.extensions.get(EXTENSION.subjectAltName)?.value ?? Buffer.alloc(0);
    const at = certificate.der.indexOf(names);
    expect(at).toBeGreaterThan(0);
    expect(() => readCertificate(changed(at, 0xff))).toThrow(
      expect.objectContaining({ code: 'PKCertificateMalformed' }),
    );
  });
});

test('a signature of any bytes is refused, and is never a failure of ours', async () => {
  const { state } = await prepared({});
  const offered = certificate.der.toString('base64');
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 600 }), async (bytes) => {
      const signature = Buffer.from(bytes).toString('base64');
      expect(await ask('complete', { state, certificate: offered, signature })).toMatchObject({
        status: 422,
        code: 'InvalidSignature',
      });
    }),
    { numRuns: RUNS },
  );
});
