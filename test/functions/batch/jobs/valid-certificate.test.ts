import { afterAll, expect, test, vi } from 'vitest';
import { requireValidCertificate } from '../../../../functions/batch/jobs/domain/engine/valid-certificate.ts';
import type { Job } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { writePem } from '../../../../shared/pki/pem.ts';
import { localKey } from '../../../../shared/signing/key.ts';
import { testPki } from '../../../certificates/pki.ts';

afterAll(() => vi.unstubAllEnvs());

test("the certificate of a profile is judged by the chain of its file, and not by its issuer's address alone", async () => {
  const pki = testPki();
  vi.stubEnv('Certificates__TrustAnchors', writePem('CERTIFICATE', pki.root.certificate.der));
  const { privateKey, certificate, chain } = pki.holder();
  const refusalOf = (above: typeof chain) =>
    requireValidCertificate(
      { profileName: 'default' } as Job,
      localKey(privateKey, certificate, above),
      Date.now(),
    );
  // It names no list and no responder, so that its revocation is unknown at best.
  await expect(refusalOf(chain)).rejects.toThrow('The certificate of profile default is STALE.');
  await expect(refusalOf([])).rejects.toThrow('The certificate of profile default is UNTRUSTED.');
});
