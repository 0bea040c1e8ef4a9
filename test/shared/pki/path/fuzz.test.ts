import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  authorityInfoAccessOf,
  authorityKeyIdentifierOf,
  certificatePoliciesOf,
  crlDistributionPointsOf,
  extendedKeyUsageOf,
  keyUsageOf,
  subjectAltNameOf,
} from '../../../../functions/sandbox/authority/domain/issuing/extensions.ts';
import { mailName } from '../../../../functions/sandbox/authority/domain/issuing/general-names.ts';
import { explicit, integer, oid, sequence } from '../../../../shared/der/write.ts';
import {
  type Certificate,
  CertificateMalformed,
  parseCertificate,
} from '../../../../shared/pki/certificate/certificate.ts';
import { readCertificates } from '../../../../shared/pki/certificates-in.ts';
import { judge } from '../../../../shared/pki/verdict/verdict.ts';
import {
  inhibitAnyPolicyOf,
  nameConstraintsOf,
  policyConstraintsOf,
  policyMappingsOf,
} from '../../../certificates/constraints.ts';
import { runs } from '../../../faults/fuzz.ts';
import { makeCrl, NOW_MS } from '../revocation/make-crl.ts';
import { authority, authorityExtensions, holder, root } from './chain.ts';

const issuer = authority('Issuer', {
  extensions: [
    ...authorityExtensions(1),
    certificatePoliciesOf(['1.2.3', '2.5.29.32.0']),
    policyMappingsOf([['1.2.3', '1.2.4']]),
    policyConstraintsOf({ requireExplicitPolicy: 3, inhibitPolicyMapping: 3 }),
    inhibitAnyPolicyOf(3),
    nameConstraintsOf({ permitted: [mailName('example.com')] }),
  ],
});
const subject = holder(
  'Holder',
  {
    extensions: [
      keyUsageOf(['digitalSignature']),
      extendedKeyUsageOf(['clientAuth']),
      certificatePoliciesOf(['1.2.4'], 'http://example.com/dpc'),
      subjectAltNameOf([mailName('a@example.com')]),
      authorityKeyIdentifierOf(issuer.certificate.publicKey),
      crlDistributionPointsOf(['http://crl.example/a.crl']),
      authorityInfoAccessOf({ ocsp: ['http://ocsp.example/'], caIssuers: ['http://ca.example/i.crt'] }),
    ],
  },
  issuer,
);
const crls = [makeCrl(root()), makeCrl(issuer)];

const judged = (target: Certificate, intermediate: Certificate) =>
  judge(target, {
    anchors: [root().certificate],
    intermediates: [intermediate],
    crls,
    atMs: NOW_MS,
    now: () => NOW_MS,
    keyUsages: ['digitalSignature'],
    policies: { explicit: true },
  });

/** The certificate with one byte changed, if it still parses. */
const flipped = (certificate: Certificate) =>
  fc
    .record({ at: fc.nat(certificate.der.length - 1), by: fc.integer({ min: 1, max: 255 }) })
    .map(({ at, by }) => {
      const der = Buffer.from(certificate.der);
      der[at] = (der[at] ?? 0) ^ by;
      try {
        return parseCertificate(der);
      } catch (error) {
        expect(error).toBeInstanceOf(CertificateMalformed);
        return undefined;
      }
    });

describe('whatever the bytes', () => {
  test('a certificate with a byte changed gets a verdict, and never a good one', async () => {
    expect((await judged(subject.certificate, issuer.certificate)).status).toBe('ACTIVE');
    await fc.assert(
      fc.asyncProperty(
        flipped(subject.certificate),
        flipped(issuer.certificate),
        async (target, intermediate) => {
          if (target) expect((await judged(target, issuer.certificate)).status).not.toBe('ACTIVE');
          if (intermediate)
            expect((await judged(subject.certificate, intermediate)).status).not.toBe('ACTIVE');
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test('a file of certificates is read or refused by name', () => {
    const bundle = sequence(
      oid('1.2.840.113549.1.7.2'),
      explicit(0, sequence(integer(1), explicit(0, issuer.certificate.der, subject.certificate.der))),
    );
    expect(readCertificates(bundle)).toHaveLength(2);
    const changed = fc.tuple(fc.nat(bundle.length - 1), fc.nat(255)).map(([at, byte]) => {
      const bytes = Buffer.from(bundle);
      bytes[at] = byte;
      return bytes;
    });
    fc.assert(
      fc.property(fc.oneof(changed, fc.uint8Array({ maxLength: 200 })), (bytes) => {
        try {
          readCertificates(Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(CertificateMalformed);
        }
      }),
      { numRuns: runs(1_000) },
    );
  });
});
