import { X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import type { Extension } from 'pkijs';
import { describe, expect, test } from 'vitest';
import { issueCertificate } from '../../../../functions/sandbox/authority/domain/issuing/certificate.ts';
import { children, readDer } from '../../../../shared/der/read.ts';
import {
  bitString,
  explicit,
  integer,
  NULL,
  octetString,
  oid,
  sequence,
} from '../../../../shared/der/write.ts';
import {
  type Certificate,
  CertificateMalformed,
  PublicKeyUnsupported,
  parseCertificate,
} from '../../../../shared/pki/certificate/certificate.ts';
import * as extensions from '../../../../shared/pki/extensions/extensions.ts';
import {
  accessAddresses,
  crlAddresses,
  freshestCrl,
  isOcspNoCheck,
} from '../../../../shared/pki/extensions/locations.ts';
import { nameConstraints } from '../../../../shared/pki/extensions/name-constraints.ts';
import * as policies from '../../../../shared/pki/extensions/policies.ts';
import { certificateModel } from '../../../../shared/pki/model/certificate-model.ts';
import { certificatesFromPem, pemBlocks, writePem } from '../../../../shared/pki/pem.ts';
import { extension } from '../../../certificates/odd-certificates.ts';
import { testKey, testPki } from '../../../certificates/pki.ts';
import { runs } from '../../../faults/fuzz.ts';
import { startCpuClock } from '../../../measure/cpu-time.ts';

const pki = testPki('p256');
const places = {
  crl: ['http://a.test/1.crl', 'http://b.test/1.crl'],
  ocsp: ['http://o.test'],
  caIssuers: ['http://i.test'],
};
const { certificate } = pki.holder({ key: 'p256', places });

/** Reads every field and extension of a certificate. */
function readAll(parsed: Certificate): unknown[] {
  return [
    parsed.subject.text,
    parsed.issuer.text,
    parsed.publicKey,
    extensions.basicConstraints(parsed),
    extensions.keyUsage(parsed),
    extensions.extendedKeyUsage(parsed),
    extensions.subjectKeyIdentifier(parsed),
    extensions.authorityKeyIdentifier(parsed),
    policies.certificatePolicies(parsed),
    policies.policyMappings(parsed),
    policies.policyConstraints(parsed),
    policies.inhibitAnyPolicy(parsed),
    crlAddresses(parsed),
    freshestCrl(parsed),
    accessAddresses(parsed, 'ocsp'),
    nameConstraints(parsed),
    certificateModel(parsed, [pki.intermediate.certificate]),
  ];
}

describe('a certificate', () => {
  test('is read as node:crypto reads it', () => {
    const seen = new X509Certificate(certificate.der);
    expect(certificate.serialHex.toUpperCase()).toBe(seen.serialNumber);
    expect(certificate.sha256.toUpperCase()).toBe(seen.fingerprint256.replaceAll(':', ''));
    expect(certificate.sha1.toUpperCase()).toBe(seen.fingerprint.replaceAll(':', ''));
    expect(certificate.notBeforeMs).toBe(Date.parse(seen.validFrom));
    expect(certificate.notAfterMs).toBe(Date.parse(seen.validTo));
    expect(certificate.publicKey.equals(seen.publicKey)).toBe(true);
    expect(seen.verify(pki.intermediate.certificate.publicKey)).toBe(true);
    expect(certificate.version).toBe(3);
  });

  test('keeps its own copy of the bytes it was read from', () => {
    const bytes = Buffer.from(certificate.der);
    const parsed = parseCertificate(bytes);
    bytes.fill(0);
    expect(parsed.der.equals(certificate.der)).toBe(true);
    expect(parsed.spki.equals(certificate.spki)).toBe(true);
  });

  test('says what its extensions say', () => {
    expect(extensions.basicConstraints(certificate)).toEqual({ isAuthority: false });
    expect(extensions.basicConstraints(pki.intermediate.certificate)).toEqual({
      isAuthority: true,
      pathLength: 0,
    });
    expect(extensions.keyUsage(certificate)).toEqual(
      new Set(['digitalSignature', 'nonRepudiation', 'keyEncipherment']),
    );
    expect(extensions.extendedKeyUsage(certificate)).toEqual([
      extensions.KEY_PURPOSE.clientAuth,
      extensions.KEY_PURPOSE.emailProtection,
    ]);
    expect(extensions.authorityKeyIdentifier(certificate)?.keyIdentifier).toEqual(
      extensions.subjectKeyIdentifier(pki.intermediate.certificate),
    );
    expect(policies.certificatePolicies(certificate)?.map(({ oid }) => oid)).toEqual(['2.16.76.1.2.1.999']);
    expect(crlAddresses(certificate)).toEqual(places.crl);
    expect(accessAddresses(certificate, 'ocsp')).toEqual(places.ocsp);
    expect(accessAddresses(certificate, 'caIssuers')).toEqual(places.caIssuers);
    expect(isOcspNoCheck(pki.ocspResponder().certificate)).toBe(true);
    expect(isOcspNoCheck(certificate)).toBe(false);
    expect(extensions.keyUsage(pki.root.certificate)).toEqual(new Set(['keyCertSign', 'cRLSign']));
    expect(certificate.extensions.get(extensions.EXTENSION.keyUsage)?.critical).toBe(true);
    expect(certificate.extensions.get(extensions.EXTENSION.subjectAltName)?.critical).toBe(false);
  });

  test('of version 1 has no extensions', () => {
    const [tbs, algorithm, signature] = children(readDer(certificate.der));
    if (!tbs || !algorithm || !signature) throw new Error('no certificate');
    const fields = children(tbs).slice(1, -1);
    const old = parseCertificate(
      sequence(sequence(...fields.map(({ raw }) => raw)), algorithm.raw, signature.raw),
    );
    expect(old.version).toBe(1);
    expect(old.extensions.size).toBe(0);
    const last = children(tbs).at(-1)?.raw ?? Buffer.alloc(0);
    const claims = sequence(sequence(...fields.map(({ raw }) => raw), last), algorithm.raw, signature.raw);
    expect(() => parseCertificate(claims)).toThrow('only version 3');
  });

  const reissued = (extra: readonly Extension[]) =>
    issueCertificate({
      subject: [['commonName', 'x']],
      publicKey: certificate.publicKey,
      issuer: pki.intermediate,
      notBeforeMs: 0,
      notAfterMs: 1,
      extensions: extra,
    });

  test('with an extension twice is refused, so that no two readers see two certificates', () => {
    const twice = extension(extensions.EXTENSION.basicConstraints, sequence());
    expect(() => reissued([twice, twice])).toThrow('2.5.29.19 twice');
  });

  test('with an extension that is not what its name promises is malformed when that extension is read', () => {
    const broken = reissued([extension(extensions.EXTENSION.keyUsage, integer(1))]);
    expect(() => extensions.keyUsage(broken)).toThrow(CertificateMalformed);
    expect(() => extensions.keyUsage(broken)).toThrow('keyUsage');
  });

  test('that names two signature algorithms is refused', () => {
    const [tbs, , signature] = children(readDer(certificate.der));
    const other = sequence(oid('1.2.840.113549.1.1.11'), NULL);
    const two = sequence(tbs?.raw ?? NULL, other, signature?.raw ?? NULL);
    expect(() => parseCertificate(two)).toThrow('one signature algorithm inside and another outside');
  });

  test('whose signature ends within a byte has none that verifies', () => {
    const [tbs, algorithm] = children(readDer(certificate.der));
    const ragged = sequence(tbs?.raw ?? NULL, algorithm?.raw ?? NULL, bitString(Buffer.from([0x80]), 7));
    expect(parseCertificate(ragged).signature).toHaveLength(0);
  });

  test('with a key of an unknown kind is read, and only its key is refused', () => {
    const [tbs, algorithm, signature] = children(readDer(certificate.der));
    const fields = tbs ? children(tbs) : [];
    const strange = sequence(sequence(oid('1.2.3.4')), bitString(Buffer.alloc(8)));
    const changed = fields.map(({ raw }, i) => (i === 6 ? strange : raw));
    const parsed = parseCertificate(
      sequence(sequence(...changed), algorithm?.raw ?? NULL, signature?.raw ?? NULL),
    );
    expect(parsed.keyAlgorithm.oid).toBe('1.2.3.4');
    expect(() => parsed.publicKey).toThrow(PublicKeyUnsupported);
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('-----BEGIN CERTIFICATE-----')],
    ['a byte too many', Buffer.concat([certificate.der, Buffer.from([0])])],
    ['a byte too few', certificate.der.subarray(0, -1)],
    ['a version that does not exist', sequence(sequence(explicit(0, integer(7))), NULL, NULL)],
    ['a megabyte', Buffer.alloc(1_000_000, 0x30)],
  ])('is not read out of %s', (_, bytes) => {
    expect(() => parseCertificate(bytes)).toThrow(CertificateMalformed);
  });
});

describe('PEM', () => {
  test('gives back every certificate in its order, and passes over other blocks and commentary', () => {
    const key = testKey('p256', 'holder').export({ format: 'pem', type: 'pkcs8' });
    const text = [
      'Subject: somebody\r\n',
      writePem('CERTIFICATE', certificate.der),
      key,
      writePem('CERTIFICATE', pki.root.certificate.der).replaceAll('\n', '\r\n'),
    ].join('');
    expect(certificatesFromPem(text).map(({ sha256 }) => sha256)).toEqual([
      certificate.sha256,
      pki.root.certificate.sha256,
    ]);
    expect(pemBlocks(text).map(({ label }) => label)).toEqual(['CERTIFICATE', 'PRIVATE KEY', 'CERTIFICATE']);
  });

  test('says which certificate of a text is broken', () => {
    const text = writePem('CERTIFICATE', certificate.der) + writePem('CERTIFICATE', Buffer.from('no'));
    expect(() => certificatesFromPem(text)).toThrow('Certificate 2 of the PEM text');
  });

  test('of a hundred thousand openings and no end takes no time', () => {
    const cpuMs = startCpuClock();
    expect(pemBlocks('-----BEGIN CERTIFICATE-----\n'.repeat(100_000))).toEqual([]);
    expect(cpuMs()).toBeLessThan(1000);
  });
});

describe('hostile certificates', () => {
  const onlyNamedErrors = (bytes: Uint8Array) => {
    try {
      for (const piece of readAll(parseCertificate(bytes))) void piece;
    } catch (error) {
      if (!(error instanceof CertificateMalformed || error instanceof PublicKeyUnsupported)) throw error;
    }
  };

  test('of one to five changed bytes throw nothing but the named errors', () => {
    const change = fc.tuple(fc.nat(certificate.der.length - 1), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
        const bytes = Buffer.from(certificate.der);
        for (const [at, value] of changes) bytes[at] = value;
        onlyNamedErrors(bytes);
      }),
      { numRuns: runs(1500) },
    );
  });

  test('cut anywhere or grown by noise throw nothing but the named errors', () => {
    fc.assert(
      fc.property(fc.nat(certificate.der.length), fc.uint8Array({ maxLength: 64 }), (at, noise) => {
        onlyNamedErrors(Buffer.concat([certificate.der.subarray(0, at), noise]));
        onlyNamedErrors(
          Buffer.concat([certificate.der.subarray(0, at), noise, certificate.der.subarray(at)]),
        );
      }),
      { numRuns: runs(300) },
    );
  });

  test('of any extension with noise in it throw nothing but the named errors', () => {
    const ids = Object.values(extensions.EXTENSION);
    const noise = fc.uint8Array({ maxLength: 40 });
    const shaped = noise.map((bytes) => sequence(bytes));
    const nested = fc
      .tuple(noise, fc.integer({ min: 0xa0, max: 0xa8 }))
      .map(([b, tag]) => sequence(explicit(tag & 15, b)));
    const issued = reissuedWith;
    fc.assert(
      fc.property(fc.constantFrom(...ids), fc.oneof(noise, shaped, nested), (id, value) => {
        onlyNamedErrors(issued(sequence(oid(id), octetString(value))));
      }),
      { numRuns: runs(300) },
    );
  });

  const [tbsOf, algorithmOf, signatureOf] = children(readDer(certificate.der));
  /** The certificate with only this extension; its signature is not checked here. */
  function reissuedWith(one: Buffer): Buffer {
    const fields = tbsOf ? children(tbsOf).slice(0, -1) : [];
    const tbs = sequence(...fields.map(({ raw }) => raw), explicit(3, sequence(one)));
    return sequence(tbs, algorithmOf?.raw ?? NULL, signatureOf?.raw ?? NULL);
  }

  test('of a hundred thousand tiny elements cost little time', () => {
    const cpuMs = startCpuClock();
    onlyNamedErrors(sequence(sequence(Buffer.alloc(99_000, NULL)), NULL, NULL));
    expect(cpuMs()).toBeLessThan(1000);
  });
});
