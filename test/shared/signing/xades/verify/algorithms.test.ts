import { constants, generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { resultsOf } from '../../../../../shared/pki/findings/validation-results.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { below, type Holder, testKey } from '../../../../certificates/pki.ts';
import { CANONICAL, DS, ENVELOPED, type Made, makeSigned, transform } from '../made-signatures.ts';
import { judge, pki } from '../parties.ts';
import { hasXmlsec, xmlsec } from '../xmlsec.ts';

const atMs = Date.now();
const outside = xmlsec(pki);
afterAll(() => outside.remove());

const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
const MORE_2007 = 'http://www.w3.org/2007/05/xmldsig-more#';
const MORE_2021 = 'http://www.w3.org/2021/04/xmldsig-more#';

const holderOf = (privateKey: KeyObject): Holder =>
  below(pki.intermediate, privateKey, () => ({
    subject: [['commonName', `HOLDER OF ${privateKey.asymmetricKeyType}`]],
    extensions: [],
  }));
const rsa = holderOf(testKey());
const curve = (namedCurve: string): Holder => holderOf(generateKeyPairSync('ec', { namedCurve }).privateKey);
const edwards = {
  ed25519: holderOf(generateKeyPairSync('ed25519').privateKey),
  ed448: holderOf(generateKeyPairSync('ed448').privateKey),
};

const byCurve =
  ({ privateKey: key }: Holder, digest: string) =>
  (bytes: Buffer): Buffer =>
    signBytes(digest, bytes, { key, dsaEncoding: 'ieee-p1363' });
const byPss =
  (digest: string, saltLength: number) =>
  (bytes: Buffer): Buffer =>
    signBytes(digest, bytes, {
      ...{ key: rsa.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength },
    });

const ecdsa = (name: string, digest: string, uri = `${MORE}ecdsa-${digest}`): Made => {
  const holder = curve(name);
  return { holder, method: { uri }, sign: byCurve(holder, digest) };
};
const pssParameters = (content: string) => ({
  uri: `${MORE_2007}rsa-pss`,
  parameters: `<pss:RSAPSSParams xmlns:pss="${MORE_2007}">${content}</pss:RSAPSSParams>`,
});
const method = (uri: string): string => `<ds:DigestMethod Algorithm="${uri}"></ds:DigestMethod>`;
const SHA512 = method('http://www.w3.org/2001/04/xmlenc#sha512');
const mask = (digest: string): string =>
  `<pss:MaskGenerationFunction Algorithm="${MORE_2007}MGF1">${digest}</pss:MaskGenerationFunction>`;

const SUPPORTED: Record<string, Made> = {
  'RSA-PSS with SHA-256': {
    holder: rsa,
    method: { uri: `${MORE_2007}sha256-rsa-MGF1` },
    sign: byPss('sha256', 32),
  },
  'RSA-PSS with SHA3-512': {
    ...{ holder: rsa, method: { uri: `${MORE_2007}sha3-512-rsa-MGF1` }, sign: byPss('sha3-512', 64) },
  },
  'RSA-PSS by its defaults': {
    holder: rsa,
    method: { uri: `${MORE_2007}rsa-pss` },
    sign: byPss('sha256', 32),
  },
  'RSA-PSS with parameters': {
    holder: rsa,
    method: pssParameters(
      `${SHA512}${mask(SHA512)}<pss:SaltLength>20</pss:SaltLength><pss:TrailerField>1</pss:TrailerField>`,
    ),
    sign: byPss('sha512', 20),
  },
  'ECDSA on brainpoolP256r1': ecdsa('brainpoolP256r1', 'sha256'),
  'ECDSA on brainpoolP512r1': ecdsa('brainpoolP512r1', 'sha512'),
  'ECDSA on secp256k1 with SHA3-256': ecdsa('secp256k1', 'sha3-256', `${MORE_2021}ecdsa-sha3-256`),
  Ed25519: {
    ...{ holder: edwards.ed25519, method: { uri: `${MORE_2021}eddsa-ed25519` } },
    sign: (bytes) => signBytes(null, bytes, edwards.ed25519.privateKey),
  },
  Ed448: {
    ...{ holder: edwards.ed448, method: { uri: `${MORE_2021}eddsa-ed448` } },
    sign: (bytes) => signBytes(null, bytes, edwards.ed448.privateKey),
  },
  'a SHA3-384 digest': { holder: rsa, digest: { uri: `${MORE_2007}sha3-384`, name: 'sha3-384' } },
};

const short = holderOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey);
const WEAK: Record<string, Made> = {
  'RSA with SHA-224': {
    ...{ holder: rsa, method: { uri: `${MORE}rsa-sha224` } },
    sign: (bytes) => signBytes('sha224', bytes, rsa.privateKey),
  },
  'RSA with SHA-1': {
    ...{ holder: rsa, method: { uri: `${DS}rsa-sha1` } },
    sign: (bytes) => signBytes('sha1', bytes, rsa.privateKey),
  },
  'ECDSA on P-521 with SHA-224': ecdsa('secp521r1', 'sha224'),
  'ECDSA on P-192': ecdsa('prime192v1', 'sha256'),
  'RSA of 1024 bits': { holder: short, sign: (bytes) => signBytes('sha256', bytes, short.privateKey) },
  'a SHA-224 digest': { holder: rsa, digest: { uri: `${MORE}sha224`, name: 'sha224' } },
  'a SHA-1 digest': { holder: rsa, digest: { uri: `${DS}sha1`, name: 'sha1' } },
};

const verify = (document: Buffer | string) => verifyXades(Buffer.from(document), { judge, atMs });
const errorsOf = async (document: Buffer | string) => {
  const { signatures, valid } = await verify(document);
  expect(valid).toBe(false);
  const [{ intact, results } = { intact: true, results: { errors: [] } }] = signatures;
  return {
    intact,
    errors: results.errors.map(({ type }) => type),
    messages: results.errors.map((e) => e.message),
  };
};

describe('an algorithm that is supported', () => {
  test.each(Object.entries(SUPPORTED))('makes a valid signature: %s', async (_name, made) => {
    const report = await verify(makeSigned(made));
    expect(report.signatures[0]?.results.errors).toEqual([]);
    expect(report).toMatchObject({ valid: true, signatures: [{ intact: true }] });
  });

  test.each(Object.entries(WEAK))(
    'makes a valid signature where it was once strong: %s',
    async (_name, made) => {
      const signed = makeSigned(made);
      expect(await errorsOf(signed)).toMatchObject({ intact: true, errors: ['AlgorithmNotAllowed'] });
      const trusting = async () => ({ status: 'ACTIVE' as const, results: resultsOf([]) });
      const [then] = (await verifyXades(signed, { judge: trusting, atMs: Date.UTC(2011, 5) })).signatures;
      expect(then?.valid).toBe(true);
      expect(then?.results.warnings.map(({ type }) => type)).toContain('AlgorithmNotAllowed');
    },
  );

  test.each(Object.entries({ ...SUPPORTED, ...WEAK }))(
    'makes none over anything else: %s',
    async (_name, made) => {
      const elsewhere = makeSigned({
        ...made,
        sign: (bytes) => made.sign?.(Buffer.from(`${bytes} `)) ?? Buffer.alloc(256, 1),
      });
      expect(await errorsOf(elsewhere)).toMatchObject({
        intact: false,
        errors: ['SignatureAlgorithmValidationFailed'],
      });
      const changed = makeSigned(made).toString().replace('100', '900');
      expect(await errorsOf(changed)).toMatchObject({ intact: false, errors: ['MessageDigestMismatch'] });
    },
  );

  test.each([
    ['PSS under the name of PKCS#1', { holder: rsa, sign: byPss('sha256', 32) }],
    ['PKCS#1 under the name of PSS', { holder: rsa, method: { uri: `${MORE_2007}sha256-rsa-MGF1` } }],
    [
      'a salt of another length',
      { holder: rsa, method: { uri: `${MORE_2007}sha256-rsa-MGF1` }, sign: byPss('sha256', 20) },
    ],
  ] satisfies [string, Made][])('is the one that is named: %s', async (_what, made) => {
    expect(await errorsOf(makeSigned(made))).toMatchObject({
      intact: false,
      errors: ['SignatureAlgorithmValidationFailed'],
    });
  });

  test('wants a key of its own kind', async () => {
    const { ed25519, ed448 } = edwards;
    const sign = (bytes: Buffer) => signBytes(null, bytes, ed448.privateKey);
    const swapped = makeSigned({ holder: ed448, method: { uri: `${MORE_2021}eddsa-ed25519` }, sign });
    expect(await errorsOf(swapped)).toMatchObject({ intact: false, errors: ['AlgorithmNotAllowed'] });
    expect(await errorsOf(makeSigned({ holder: ed25519, sign }))).toMatchObject({
      intact: false,
      errors: ['AlgorithmNotAllowed'],
    });
  });
});

const enveloped = /<ds:Transform Algorithm="[^"]*enveloped-signature"><\/ds:Transform>/;
const as = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to);
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

const UNSUPPORTED: [string, Partial<Made>, string][] = [
  ['a digest', { change: as(SHA256, `${MORE}md5`) }, `${MORE}md5`],
  ['a signature algorithm', { method: { uri: `${MORE}hmac-sha256` } }, `${MORE}hmac-sha256`],
  ['RSA-PSS with another mask', { method: pssParameters(`${SHA512}${mask('')}`) }, 'other parameters'],
  [
    'a transform',
    { change: as(enveloped, transform('http://www.w3.org/TR/1999/REC-xslt-19991116')) },
    'REC-xslt-19991116',
  ],
  [
    'a canonicalisation',
    { change: as(/(CanonicalizationMethod Algorithm=")[^"]*/, '$1urn:mine') },
    'urn:mine',
  ],
  ['a reference outside the file', { change: as('URI=""', 'URI="contract.pdf"') }, 'contract.pdf'],
];

describe('what is not supported', () => {
  test.each(UNSUPPORTED)('is named, and integrity is left open: %s', async (_what, made, named) => {
    const { intact, messages } = await errorsOf(makeSigned({ holder: rsa, ...made }));
    expect(intact).toBeUndefined();
    expect(messages).toContainEqual(expect.stringContaining(named));
  });

  test.each(UNSUPPORTED)('hides no change of what is: %s', async (_what, made) => {
    // The signed properties are covered by a reference of their own.
    const changed = makeSigned({ holder: rsa, ...made })
      .toString()
      .replace('text/xml', 'text/css');
    expect(await errorsOf(changed)).toMatchObject({
      intact: false,
      errors: expect.arrayContaining(['MessageDigestMismatch']),
    });
  });

  test('as a digest of the certificate leaves open whose signature it is', async () => {
    const change = as(new RegExp(`(CertDigest><ds:DigestMethod Algorithm=")${SHA256}`), '$1urn:mine');
    const { intact, messages } = await errorsOf(makeSigned({ holder: rsa, change }));
    expect({ intact, messages }).toEqual({
      intact: true,
      messages: ['The digest urn:mine is not supported.'],
    });
  });

  test('is never reported as a signature that the key did not make: a key of an unknown kind', async () => {
    // The OID of RSA in the certificate's key, and the digest that binds the certificate.
    const unknown = Buffer.from(rsa.certificate.der);
    const at = unknown.indexOf(Buffer.from('2a864886f70d010101', 'hex'));
    unknown[at + 8] = 0x7f;
    const { intact, messages, errors } = await errorsOf(
      makeSigned({ holder: { ...rsa, certificate: { ...rsa.certificate, der: unknown } } }),
    );
    expect({ intact, errors }).toMatchObject({ intact: undefined, errors: ['AlgorithmNotAllowed'] });
    expect(messages[0]).toContain('not supported');
  });
});

// Made by JDK 17's javax.xml.crypto.dsig, enveloped over the whole document, with keys and certificates of keytool.
const JAVA = ['plain', 'pss-mgf1', 'pss-parameters', 'pss-sha3', 'ecdsa-p521'].map(
  (name): [string, string] => [name, readFileSync(new URL(`./files/${name}.xml`, import.meta.url), 'utf8')],
);

describe('a plain XML Signature', () => {
  const missing = ['RequiredSignedAttributeMissing', 'SignatureVulnerableToSignerSubstitution'];

  test.each(JAVA)('of Java is intact, and told what it lacks: %s', async (_name, document) => {
    expect(await errorsOf(document)).toMatchObject({
      intact: true,
      errors: [...missing, 'CertificateValidationFailed'],
    });
    expect(await verify(document)).toMatchObject({
      coverage: { isComplete: true, covered: ['/'] },
      signatures: [{ verdict: { status: 'UNTRUSTED' } }],
    });
  });

  test.each(JAVA)('of Java is broken once its content is changed: %s', async (_name, document) => {
    const { intact, errors } = await errorsOf(document.replace('100', '900'));
    expect({ intact, errors }).toEqual({
      intact: false,
      errors: expect.arrayContaining(['MessageDigestMismatch']),
    });
  });

  const plain = (keyInfo: string): string =>
    `<a>100<ds:Signature xmlns:ds="${DS}"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><ds:SignatureMethod Algorithm="${MORE}rsa-sha256"/><ds:Reference URI=""><ds:Transforms>${ENVELOPED}${CANONICAL}</ds:Transforms><ds:DigestMethod Algorithm="${SHA256}"/><ds:DigestValue/></ds:Reference></ds:SignedInfo><ds:SignatureValue/>${keyInfo}</ds:Signature></a>`;
  const certificates = [...rsa.chain, rsa.certificate]
    .map(({ der }) => `<ds:X509Certificate>${der.toString('base64')}</ds:X509Certificate>`)
    .join('');

  test.runIf(hasXmlsec)(
    'of xmlsec1 is intact by the certificate whose key made it, in any order',
    async () => {
      const signed = outside.sign(
        plain(`<ds:KeyInfo><ds:X509Data>${certificates}</ds:X509Data></ds:KeyInfo>`),
        rsa.privateKey,
      );
      expect(await errorsOf(signed)).toMatchObject({ intact: true, errors: missing });
      expect((await verify(signed)).signatures[0]?.certificate?.sha256).toBe(rsa.certificate.sha256);
    },
  );

  test.runIf(hasXmlsec)('of an electronic invoice is intact, and covers what the invoice says', async () => {
    const [xml, c14n] = [
      'http://www.portalfiscal.inf.br/nfe',
      'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
    ];
    // In the shape that the manual of the NF-e prescribes, SHA-1 included.
    const invoice = `<NFe xmlns="${xml}"><infNFe Id="NFe1" versao="4.00"><vNF>100.00</vNF></infNFe><Signature xmlns="${DS}"><SignedInfo><CanonicalizationMethod Algorithm="${c14n}"/><SignatureMethod Algorithm="${DS}rsa-sha1"/><Reference URI="#NFe1"><Transforms><Transform Algorithm="${DS}enveloped-signature"/><Transform Algorithm="${c14n}"/></Transforms><DigestMethod Algorithm="${DS}sha1"/><DigestValue/></Reference></SignedInfo><SignatureValue/><KeyInfo><X509Data><X509Certificate>${rsa.certificate.der.toString('base64')}</X509Certificate></X509Data></KeyInfo></Signature></NFe>`;
    const signed = outside.sign(invoice, rsa.privateKey, [`${xml}:infNFe`]);
    const report = await verifyXades(signed, { judge, atMs, covers: ['infNFe'] });
    expect(report).toMatchObject({
      valid: false,
      coverage: { isComplete: true },
      signatures: [{ intact: true }],
    });
    expect(report.signatures[0]?.results.errors.slice(0, 2).map(({ type }) => type)).toEqual(missing);
  });

  test.each(['v1.1.1', 'v1.2.2'])('is what a signature of XAdES %s is taken for', async (version) => {
    const change = (text: string): string => text.replaceAll('01903/v1.3.2#', `01903/${version}#`);
    const { intact, errors, messages } = await errorsOf(makeSigned({ holder: rsa, change }));
    expect({ intact, errors }).toEqual({ intact: true, errors: missing });
    expect(messages[0]).toContain(`of an older XAdES, http://uri.etsi.org/01903/${version}#`);
  });

  test.runIf(hasXmlsec)('without a certificate is not checked', async () => {
    const signed = outside.sign(plain(''), rsa.privateKey);
    expect(await errorsOf(signed)).toMatchObject({
      intact: undefined,
      errors: ['RequiredSignedAttributeMissing', 'SigningCertificateNotFound'],
    });
  });
});
