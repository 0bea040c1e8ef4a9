import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { issueCertificate } from '../../../../../functions/sandbox/authority/domain/issuing/certificate.ts';
import {
  authorityKeyIdentifierOf,
  basicConstraintsOf,
  certificatePoliciesOf,
  extendedKeyUsageOf,
  keyUsageOf,
  subjectKeyIdentifierOf,
} from '../../../../../functions/sandbox/authority/domain/issuing/extensions.ts';
import { implicit, sequence, utf8String } from '../../../../../shared/der/write.ts';
import { parseCertificate } from '../../../../../shared/pki/certificate/certificate.ts';
import { EXTENSION, KEY_PURPOSE } from '../../../../../shared/pki/extensions/extensions.ts';
import { PAST_ALGORITHMS, pathSettings } from '../../../../../shared/pki/path/settings.ts';
import { validatePath } from '../../../../../shared/pki/path/validate.ts';
import {
  inhibitAnyPolicyOf,
  policyConstraintsOf,
  policyMappingsOf,
} from '../../../../certificates/constraints.ts';
import { extension } from '../../../../certificates/odd-certificates.ts';
import { testKey } from '../../../../certificates/pki.ts';
import {
  AT_MS,
  authority,
  authorityExtensions,
  errorsOf,
  failures,
  holder,
  named,
  pathOf,
  root,
} from '../chain.ts';

const good = () => holder('Holder', {}, authority('Authority'));

const withBrokenSignature = () => {
  const { certificate, ...rest } = good();
  const der = Buffer.from(certificate.der);
  der[der.length - 1] = (der.at(-1) ?? 0) ^ 1;
  return { ...rest, certificate: parseCertificate(der) };
};

describe('a path is valid', () => {
  test('when every rule holds', () => expect(errorsOf(good())).toEqual([]));

  test('not when a signature is not one of the issuer', () =>
    expect(errorsOf(withBrokenSignature())).toEqual(['0: InvalidCertificateSignature']));

  test('not when a signature could not be checked, which is told apart from a wrong one', () => {
    const spent = { leftUnits: 0, known: new Map() };
    const notChecked = validatePath(pathOf(good()), pathSettings({ atMs: AT_MS, checks: spent }));
    expect(failures(notChecked[0] ?? []).map(({ message }) => message)).toEqual([
      'The signature on the certificate of Holder was not checked: the file asks for more checks than one may.',
    ]);
    const { certificate, chain } = good();
    const ecdsa = Buffer.from('06082a8648ce3d040302', 'hex'); // with SHA-256, which becomes an unknown algorithm
    const der = Buffer.from(certificate.der);
    for (const at of [der.indexOf(ecdsa), der.lastIndexOf(ecdsa)]) der[at + ecdsa.length - 1] = 0x7f;
    const unknown = pathOf({ ...good(), certificate: parseCertificate(der), chain });
    const [findings = []] = validatePath(unknown, pathSettings({ atMs: AT_MS }));
    expect(failures(findings).map(({ message }) => message)[0]).toMatch(
      /uses an algorithm or key that is not supported here \(1\.2\.840\.10045\.4\.3\.127\), and was not checked/,
    );
  });

  test('not when another key of the same name signed', () => {
    const impostor = authority('Authority', { keyName: 'impostor' });
    const of = { ...holder('Holder', {}, impostor), chain: pathOf(authority('Authority')) };
    expect(errorsOf(of)).toEqual(['0: InvalidCertificateSignature']);
  });

  test('not when a certificate has expired, whichever it is', () => {
    const notAfterMs = AT_MS - 1;
    expect(errorsOf(holder('Holder', { notAfterMs }, authority('Authority')))).toEqual([
      '0: CertificateExpired',
    ]);
    expect(errorsOf(holder('Holder', {}, authority('Authority', { notAfterMs })))).toEqual([
      '1: CertificateExpired',
    ]);
  });

  test('up to the last moment of a certificate and from its first', () => {
    const exact = holder('Holder', { notBeforeMs: AT_MS, notAfterMs: AT_MS }, authority('Authority'));
    expect(errorsOf(exact)).toEqual([]);
  });

  test('not before a certificate is', () => {
    const early = holder('Holder', { notBeforeMs: AT_MS + 1_000 }, authority('Authority'));
    expect(errorsOf(early)).toEqual(['0: CertificateNotYetValid']);
  });

  test('not when the issuer is named otherwise than the certificate above', () => {
    const of = holder('Holder', {}, authority('Authority', { keyName: 'shared' }));
    const misnamed = { ...of, chain: pathOf(authority('Other', { keyName: 'shared' })) };
    expect(errorsOf(misnamed)).toEqual(['0: CertificateIssuerNotFound']);
  });

  test('not when the key identifiers contradict each other', () => {
    const other = createPublicKey(testKey('p256', 'other'));
    const issuer = authority('Authority', {
      extensions: [...authorityExtensions(), subjectKeyIdentifierOf(other)],
    });
    const own = authorityKeyIdentifierOf(issuer.certificate.publicKey);
    expect(errorsOf(holder('Holder', { extensions: [own] }, issuer))).toEqual([
      '0: CertificateIssuerNotFound',
    ]);
    expect(errorsOf(holder('Holder', { extensions: [authorityKeyIdentifierOf(other)] }, issuer))).toEqual([]);
  });

  test('not when the issuer is pointed to by another serial number', () => {
    const issuer = authority('Authority', { serialNumber: 7 });
    const pointing = (serial: number) => [
      extension(EXTENSION.authorityKeyIdentifier, sequence(implicit(2, Buffer.from([serial])))),
    ];
    expect(errorsOf(holder('Holder', { extensions: pointing(7) }, issuer))).toEqual([]);
    expect(errorsOf(holder('Holder', { extensions: pointing(8) }, issuer))).toEqual([
      '0: CertificateIssuerNotFound',
    ]);
  });

  test('not when a holder issues certificates', () => {
    const notAnAuthority = { extensions: [basicConstraintsOf({ isAuthority: false })] };
    expect(errorsOf(holder('Holder', {}, authority('Authority', notAnAuthority)))).toEqual([
      '1: UnauthorizedIssuer',
    ]);
    expect(errorsOf(holder('Holder', {}, authority('Authority', { extensions: [] })))).toEqual([
      '1: UnauthorizedIssuer',
    ]);
  });

  test('not when an authority has more authorities below it than it allows', () => {
    const top = authority('Top', { extensions: authorityExtensions(0) });
    const of = holder('Holder', {}, authority('Below', {}, top));
    expect(errorsOf(of)).toEqual(['1: InvalidCertificationPathLen']);
    expect(errorsOf(holder('Holder', {}, top))).toEqual([]);
    const one = authority('Below', {}, authority('Top', { extensions: authorityExtensions(1) }));
    expect(errorsOf(holder('Holder', {}, one))).toEqual([]);
    expect(errorsOf(holder('Holder', {}, authority('Two Below', {}, one)))).toEqual([
      '1: InvalidCertificationPathLen',
    ]);
  });

  test('when an authority certifies its own new key, whatever length it allows', () => {
    const top = authority('Top', { extensions: authorityExtensions(0) });
    const rolledOver = authority('Top', { keyName: 'new', extensions: authorityExtensions(0) }, top);
    expect(errorsOf(holder('Holder', {}, rolledOver))).toEqual([]);
  });

  test("not past the length that the anchor's own certificate allows", () => {
    const key = testKey('p256', 'short root');
    const subject = named('Short Root');
    const times = { notBeforeMs: 0, notAfterMs: AT_MS * 2 };
    const certificate = issueCertificate({
      ...times,
      subject,
      publicKey: createPublicKey(key),
      issuer: { privateKey: key },
      extensions: authorityExtensions(0),
    });
    const anchor = { certificate, privateKey: key, chain: [] };
    expect(errorsOf(holder('Holder', {}, authority('Authority', {}, anchor)))).toEqual([
      '1: InvalidCertificationPathLen',
    ]);
  });

  test('not when an authority signs with a key that is not for certificates', () => {
    const extensions = [
      basicConstraintsOf({ isAuthority: true }),
      keyUsageOf(['cRLSign', 'digitalSignature']),
    ];
    expect(errorsOf(holder('Holder', {}, authority('Authority', { extensions })))).toEqual([
      '1: InvalidKeyUsage',
    ]);
  });

  test('not for a use that the key is not for', () => {
    const of = holder('Holder', { extensions: [keyUsageOf(['keyEncipherment'])] }, authority('Authority'));
    expect(errorsOf(of, { keyUsages: ['digitalSignature', 'nonRepudiation'] })).toEqual([
      '0: InvalidKeyUsage',
    ]);
    expect(errorsOf(of, { keyUsages: ['digitalSignature', 'keyEncipherment'] })).toEqual([]);
    expect(errorsOf(good(), { keyUsages: ['digitalSignature'] })).toEqual([]);
  });

  test('not for a purpose that the certificate is not for', () => {
    const of = holder('Holder', { extensions: [extendedKeyUsageOf(['clientAuth'])] }, authority('Authority'));
    expect(errorsOf(of, { purposes: [KEY_PURPOSE.timeStamping] })).toEqual(['0: InvalidKeyUsage']);
    expect(errorsOf(of, { purposes: [KEY_PURPOSE.clientAuth] })).toEqual([]);
  });

  test('not when a critical extension is unknown', () => {
    const extensions = [extension('1.2.3.4', utf8String('x'), true)];
    expect(errorsOf(holder('Holder', { extensions }, authority('Authority')))).toEqual([
      '0: CertificateValidationFailed',
    ]);
    const bearable = [extension('1.2.3.4', utf8String('x'))];
    expect(errorsOf(holder('Holder', { extensions: bearable }, authority('Authority')))).toEqual([]);
  });

  test('not when an extension that a rule rests on is broken, and the other rules still speak', () => {
    const extensions = [
      extension(EXTENSION.keyUsage, Buffer.from('05', 'hex')),
      ...authorityExtensions().slice(0, 1),
    ];
    const of = holder('Holder', { notAfterMs: AT_MS - 1 }, authority('Authority', { extensions }));
    expect(errorsOf(of)).toEqual(['0: CertificateExpired', '1: DecodeError']);
  });

  test('not with algorithms that are not safe, unless the caller says so', () => {
    const of = holder('Holder', { digest: 'sha1' }, authority('Authority'));
    expect(errorsOf(of)).toEqual(['0: AlgorithmNotAllowed']);
    expect(errorsOf(of, { algorithms: PAST_ALGORITHMS })).toEqual([]);
  });

  test('not with an RSA key that is too short', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const publicKey = createPublicKey(privateKey);
    const issuer = { ...authority('Short', { publicKey }), privateKey };
    expect(errorsOf(holder('Holder', {}, issuer))).toEqual(['0: AlgorithmNotAllowed']);
    expect(errorsOf(holder('Holder', {}, issuer), { algorithms: PAST_ALGORITHMS })).toEqual([]);
  });

  test('not without a policy that is accepted, where one is asked for', () => {
    const policies = [certificatePoliciesOf(['1.2.3'])];
    const issuer = authority('Authority', { extensions: [...authorityExtensions(), ...policies] });
    const of = holder('Holder', { extensions: policies }, issuer);
    expect(errorsOf(of, { policies: { explicit: true, accepted: ['1.2.3'] } })).toEqual([]);
    expect(errorsOf(of, { policies: { explicit: true, accepted: ['1.2.4'] } })).toEqual([
      '0: CertificateValidationFailed',
    ]);
    expect(errorsOf(of, { policies: { accepted: ['1.2.4'] } })).toEqual([]);
  });

  test('not without any policy below an authority that demands one', () => {
    const demand = policyConstraintsOf({ requireExplicitPolicy: 0 });
    const policies = certificatePoliciesOf(['1.2.3']);
    const issuer = authority('Authority', { extensions: [...authorityExtensions(), policies, demand] });
    expect(errorsOf(holder('Holder', {}, issuer))).toEqual(['0: CertificateValidationFailed']);
    expect(errorsOf(holder('Holder', { extensions: [policies] }, issuer))).toEqual([]);
  });

  test('by a policy under another name only while mapping is not inhibited', () => {
    const mapping = policyMappingsOf([['1.2.3', '1.8']]);
    const policies = certificatePoliciesOf(['1.2.3']);
    const issuer = authority('Authority', { extensions: [...authorityExtensions(), policies, mapping] });
    const of = holder('Holder', { extensions: [certificatePoliciesOf(['1.8'])] }, issuer);
    expect(errorsOf(of, { policies: { explicit: true, accepted: ['1.2.3'] } })).toEqual([]);
    expect(errorsOf(of, { policies: { explicit: true, inhibitMapping: true } })).toContain(
      '0: CertificateValidationFailed',
    );
  });

  test('by any policy only while that is not inhibited', () => {
    const any = certificatePoliciesOf(['2.5.29.32.0']);
    const inhibit = inhibitAnyPolicyOf(0);
    const policies = { explicit: true, accepted: ['1.2.3'] };
    const free = authority('Authority', { extensions: [...authorityExtensions(), any] });
    const bound = authority('Authority', { extensions: [...authorityExtensions(), any, inhibit] });
    expect(errorsOf(holder('Holder', { extensions: [any] }, free), { policies })).toEqual([]);
    expect(errorsOf(holder('Holder', { extensions: [any] }, bound), { policies })).toEqual([
      '0: CertificateValidationFailed',
    ]);
  });

  test('for an anchor alone while its own time lasts', () => {
    const { certificate } = root();
    expect(validatePath([certificate], pathSettings({ atMs: AT_MS })).flatMap(failures)).toEqual([]);
    const late = validatePath([certificate], pathSettings({ atMs: certificate.notAfterMs + 1 }));
    expect(late.flatMap(failures)).toMatchObject([{ type: 'CertificateExpired' }]);
  });
});
