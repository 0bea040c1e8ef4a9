import { describe, expect, test } from 'vitest';
import type { ValidationItemType } from '../../../../../shared/pki/findings/validation-results.ts';
import { type SignXadesOptions, signXades } from '../../../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { judge, keyOf } from '../parties.ts';

const atMs = Date.now();
const key = keyOf();
const verify = (document: string | Buffer, ...covers: string[]) =>
  verifyXades(Buffer.from(document), { judge, atMs, covers });
const sign = async (document: string, more: Partial<SignXadesOptions> = {}): Promise<string> =>
  (await signXades(Buffer.from(document), key, { signingTimeMs: atMs, ...more })).toString();

const errorsOf = async (document: string): Promise<ValidationItemType[]> => {
  const report = await verify(document);
  expect(report.valid).toBe(false);
  return report.signatures.flatMap(({ results }) => results.errors.map(({ type }) => type));
};

const BATCH = '<lote><nota Id="n1"><valor>100</valor></nota><nota Id="n2"><valor>7</valor></nota></lote>';
const whole = await sign(BATCH);
const element = await sign(BATCH, { element: { id: 'n1' } });
const apart = await sign(BATCH, { element: { id: 'n1' }, placedIn: { path: '/lote' } });
const withRoom = await sign(BATCH, { leaveRoom: true });
const other = await sign(BATCH, { element: { id: 'n2' } });

const SIGNATURE = /<ds:Signature .*?<\/ds:Signature>/s;
const signatureIn = (document: string): string => SIGNATURE.exec(document)?.[0] ?? '';

describe('a flipped byte', () => {
  const stretch = (from: string, to: string): number[] => {
    const start = whole.indexOf(from) + from.length;
    return Array.from({ length: whole.indexOf(to, start) - start }, (_, at) => start + at);
  };

  test.each([
    ['the covered content', stretch('<lote>', '<ds:Signature')],
    ['SignedInfo', stretch('<ds:SignedInfo>', '<ds:SignatureValue')],
    ['the signature value', stretch('-value">', '</ds:SignatureValue>')],
    ["the signer's certificate", stretch('<ds:X509Certificate>', '</ds:X509Certificate>')],
    ['the signed properties', stretch('<xades:SignedProperties', '</xades:QualifyingProperties>')],
  ])('anywhere in %s never leaves a valid signature', async (_where, offsets) => {
    // Every byte of the short stretches, a hundred spread over the long ones.
    const step = Math.max(1, Math.floor(offsets.length / 100));
    for (let at = 0; at < offsets.length; at += step) {
      const bytes = Buffer.from(whole);
      const offset = offsets[at] ?? 0;
      bytes[offset] = (bytes[offset] ?? 0) ^ 1;
      const report = await verify(bytes).catch((error: Error) => error);
      if (report instanceof Error) expect(report.name).toBe('XmlRefused');
      else expect(report.valid, `${whole.slice(offset - 20, offset + 20)}`).toBe(false);
    }
  });
});

describe('a changed document', () => {
  test('is reported as changed, with the changed element', async () => {
    expect(await errorsOf(whole.replace('100', '900'))).toEqual(['MessageDigestMismatch']);
    expect(await errorsOf(element.replace('100', '900'))).toEqual(['MessageDigestMismatch']);
    expect(await errorsOf(withRoom.replace('100', '900'))).toEqual(['MessageDigestMismatch']);
    const [report] = (await verify(element.replace('100', '900'))).signatures;
    expect(report?.results.errors[0]?.message).toContain('/lote/nota[1]');
  });

  test('stays valid outside the covered part, which the report names', async () => {
    expect(await verify(element.replace('>7<', '>700<'), '#n1')).toMatchObject({
      valid: true,
      signatures: [{ covers: [{ path: '/lote/nota[1]', isRoot: false }] }],
    });
  });

  test('is reported when something is added before or after the root', async () => {
    expect(await errorsOf(`${whole}<?pi more?>`)).toEqual(['MessageDigestMismatch']);
    expect(await errorsOf(`<?pi more?>${whole}`)).toEqual(['MessageDigestMismatch']);
  });

  test('comment injection: is reported to hold comments, which no signature covers', async () => {
    const report = await verify(whole.replace('100', '100<!-- -->'));
    expect(report).toMatchObject({ valid: true, signatures: [{ covers: [{ comments: 1 }] }] });
    expect(report.signatures[0]?.results.warnings).toContainEqual(
      expect.objectContaining({
        type: 'XmlDSigCoreValidationFailed',
        message: expect.stringContaining('comments'),
      }),
    );
  });
});

describe('signature wrapping: a moved reference', () => {
  const signedNote = /<nota Id="n1">.*?<\/nota>/s.exec(element)?.[0] ?? '';
  const forged = '<nota Id="n9"><valor>999</valor></nota>';

  test('is reported at its new place: the forged element is not covered', async () => {
    const wrapped = element
      .replace(signedNote, forged)
      .replace('</lote>', `<extra>${signedNote}</extra></lote>`);
    for (const covers of [[], ['nota'], ['/lote/nota[1]']])
      expect(await verify(wrapped, ...covers)).toMatchObject({
        valid: false,
        coverage: { isComplete: false, covered: ['/lote/extra/nota'] },
        signatures: [{ covers: [{ kind: 'element', path: '/lote/extra/nota', isRoot: false }] }],
      });
  });

  test('is reported when the signed root was put inside another', async () => {
    const rooted = await sign('<nota Id="r">100</nota>', { element: { id: 'r' } });
    expect(await verify(rooted)).toMatchObject({
      signatures: [{ covers: [{ path: '/nota', isRoot: true }] }],
    });
    expect(await verify(`<nota><valor>999</valor>${rooted}</nota>`)).toMatchObject({
      signatures: [{ covers: [{ path: '/nota/nota', isRoot: false }] }],
    });
  });

  test('is refused inside the signature that its transform removes', async () => {
    const inside = signedNote.replace(SIGNATURE, '');
    const hidden = element
      .replace(inside.slice(0, -'</nota>'.length), '<nota>')
      .replace('</ds:Signature>', `<ds:Object>${inside}</ds:Object></ds:Signature>`);
    expect(await errorsOf(hidden)).toEqual(['XmlDSigCoreValidationFailed']);
  });

  test('is reported as a part of the signature where the signed element was moved into it', async () => {
    const note = '<nota Id="n1"><valor>100</valor></nota>';
    const hidden = apart
      .replace(note, forged)
      .replace('</ds:Signature>', `<ds:Object>${note}</ds:Object></ds:Signature>`);
    expect(await verify(hidden)).toMatchObject({
      signatures: [{ covers: [{ kind: 'own-part', path: '/lote/ds:Signature/ds:Object[2]/nota' }] }],
    });
  });

  test.each(['Id', 'ID', 'id', 'xml:id'])(
    'duplicate identifiers: is refused when a second element has the identifier as %s',
    async (name) => {
      const doubled = element.replace('</lote>', `<nota ${name}="n1"><valor>999</valor></nota></lote>`);
      expect(await errorsOf(doubled)).toEqual(['XmlDSigCoreValidationFailed']);
    },
  );

  test('is refused when the signed element is missing', async () => {
    expect(await errorsOf(apart.replace('Id="n1"', 'Id="n3"'))).toEqual(['XmlDSigCoreValidationFailed']);
  });
});

describe('a signature with another reference than it seems to have is refused:', () => {
  const reference = (uri: string): string => whole.replace('URI=""', `URI="${uri}"`);
  const transform = (algorithm: string, content = ''): string =>
    whole.replace(
      /<ds:Transform Algorithm="[^"]*enveloped-signature"><\/ds:Transform>/,
      `<ds:Transform Algorithm="${algorithm}">${content}</ds:Transform>`,
    );
  const xpath = (expression: string, prefix = 'ds'): string =>
    transform(
      'http://www.w3.org/TR/1999/REC-xpath-19991116',
      `<ds:XPath xmlns:${prefix}x="u:x">${expression}</ds:XPath>`,
    );

  test.each<[string, string, ValidationItemType]>([
    ['to a file (external reference)', reference('file:///etc/passwd'), 'AlgorithmNotAllowed'],
    ['to an address (request forgery)', reference('http://example.com/a.xml'), 'AlgorithmNotAllowed'],
    ['to a relative address', reference('other.xml'), 'AlgorithmNotAllowed'],
    ['to an expression', reference('#xpointer(/)'), 'AlgorithmNotAllowed'],
    ['to nothing', whole.replace(' URI=""', ''), 'AlgorithmNotAllowed'],
    [
      'through XSLT (code execution)',
      transform('http://www.w3.org/TR/1999/REC-xslt-19991116'),
      'AlgorithmNotAllowed',
    ],
    ['through Base64', transform('http://www.w3.org/2000/09/xmldsig#base64'), 'AlgorithmNotAllowed'],
    [
      'through an XPath that drops content (transform abuse)',
      xpath('not(ancestor-or-self::valor)'),
      'AlgorithmNotAllowed',
    ],
    ['through an XPath that keeps nothing (transform abuse)', xpath('false()'), 'AlgorithmNotAllowed'],
    [
      "through a filter over another namespace's Signature",
      xpath('not(ancestor-or-self::dsx:Signature)'),
      'AlgorithmNotAllowed',
    ],
    [
      'through six transforms (denial of service)',
      whole.replace(
        '<ds:Transforms>',
        `<ds:Transforms>${'<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"></ds:Transform>'.repeat(5)}`,
      ),
      'InvalidXmlSignatureSchema',
    ],
    [
      'by MD5',
      whole.replace('http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmldsig-more#md5'),
      'AlgorithmNotAllowed',
    ],
    [
      'signed by HMAC (algorithm confusion)',
      whole.replace('xmldsig-more#rsa-sha256', 'xmldsig-more#hmac-sha256'),
      'AlgorithmNotAllowed',
    ],
    [
      'signed by DSA',
      whole.replace(
        'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
        'http://www.w3.org/2000/09/xmldsig#dsa-sha1',
      ),
      'AlgorithmNotAllowed',
    ],
    [
      'written by an unknown canonicalisation',
      whole.replace(
        '<ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#">',
        '<ds:CanonicalizationMethod Algorithm="urn:mine">',
      ),
      'AlgorithmNotAllowed',
    ],
  ])('%s', async (_what, document, type) => {
    expect(document).not.toBe(whole);
    expect(await errorsOf(document)).toContain(type);
  });
});

describe('a signature whose parts were exchanged is refused:', () => {
  const partOf = (document: string, name: string): string =>
    new RegExp(`<${name}[ >].*?</${name}>`, 's').exec(document)?.[0] ?? '';
  const swap = (name: string): string => whole.replace(partOf(whole, name), partOf(other, name));
  const substitute = keyOf({ change: { serialNumber: 4711n } });

  test.each<[string, string, ValidationItemType]>([
    ['another signature value', swap('ds:SignatureValue'), 'SignatureAlgorithmValidationFailed'],
    [
      "another signature's properties",
      whole.replace(partOf(whole, 'xades:QualifyingProperties'), partOf(other, 'xades:QualifyingProperties')),
      'XmlDSigCoreValidationFailed',
    ],
    [
      'a second SignedInfo (CVE-2025-29774)',
      whole.replace('</ds:SignedInfo>', `</ds:SignedInfo>${partOf(other, 'ds:SignedInfo')}`),
      'InvalidXmlSignatureSchema',
    ],
    [
      'a comment in the digest (CVE-2025-29775)',
      whole.replace(/(<ds:DigestValue>....)/, '$1<!-- -->'),
      'InvalidXmlSignatureSchema',
    ],
    [
      'a comment in the signature value',
      whole.replace(/(<ds:SignatureValue[^>]*>....)/, '$1<!-- -->'),
      'InvalidXmlSignatureSchema',
    ],
    [
      'a processing instruction in the certificate',
      whole.replace(/(<ds:X509Certificate>....)/, '$1<?x?>'),
      'InvalidXmlSignatureSchema',
    ],
    ['text between its parts', whole.replace('<ds:KeyInfo>', 'x<ds:KeyInfo>'), 'InvalidXmlSignatureSchema'],
    [
      'content beside its parts',
      whole.replace('</ds:KeyInfo>', '</ds:KeyInfo><nota Id="n3"/>'),
      'InvalidXmlSignatureSchema',
    ],
    [
      'a part of another place at its end',
      whole.replace('</ds:Signature>', `${partOf(whole, 'ds:SignatureMethod')}</ds:Signature>`),
      'InvalidXmlSignatureSchema',
    ],
    [
      'an object that it does not sign (object injection)',
      whole.replace('</ds:Signature>', '<ds:Object><nota/></ds:Object></ds:Signature>'),
      'XmlDSigCoreValidationFailed',
    ],
    [
      'a certificate of the same key in place of the right one (signer substitution)',
      whole.replace(key.certificate.der.toString('base64'), substitute.certificate.der.toString('base64')),
      'SigningCertificateDigestMismatch',
    ],
    [
      'properties whose Target is another signature (property transplant)',
      whole.replace('Target="#', 'Target="#x'),
      'RequiredSignedAttributeMissing',
    ],
    ['no certificate', whole.replace(partOf(whole, 'ds:KeyInfo'), ''), 'SigningCertificateNotFound'],
    ['no properties', whole.replace(partOf(whole, 'ds:Object'), ''), 'XmlDSigCoreValidationFailed'],
    [
      'no reference to its properties',
      whole.replace('01903#SignedProperties', '01903#Other'),
      'RequiredSignedAttributeMissing',
    ],
  ])('%s', async (_what, document, type) => {
    expect(document).not.toBe(whole);
    expect(await errorsOf(document)).toContain(type);
  });

  test('finds the bound certificate among others in any order', async () => {
    const first = `<ds:X509Certificate>${substitute.certificate.der.toString('base64')}</ds:X509Certificate>`;
    const document = whole.replace('<ds:X509Data>', `<ds:X509Data>${first}`);
    const report = await verify(document);
    expect(report.valid).toBe(true);
    expect(report.signatures[0]?.certificate?.sha256).toBe(key.certificate.sha256);
  });
});

describe('a Base64 text', () => {
  test('malleability: is refused when it spells the same bytes another way', async () => {
    // An RSA-2048 value ends in one byte, of which the last letter before == holds only two bits.
    const other = whole.replace(
      /([AQgw])==(<\/ds:SignatureValue>)/,
      (_, last: string, end: string) => `${String.fromCharCode(last.charCodeAt(0) + 1)}==${end}`,
    );
    expect(other).not.toBe(whole);
    expect(await errorsOf(other)).toEqual(['InvalidXmlSignatureSchema']);
  });

  test('may be broken into lines', async () => {
    const broken = whole.replace(/<ds:X509Certificate>[^<]*/g, (text) => text.replace(/.{76}/g, '$&\r\n'));
    expect(await verify(broken)).toMatchObject({ valid: true });
  });
});

describe('what a report counts', () => {
  test('is every signature: one bad makes the document bad', async () => {
    const fake = signatureIn(whole)
      .replaceAll('signature-', 'fake-')
      .replace(/<ds:SignatureValue[^>]*>..../, '$&AAAA');
    const report = await verify(withRoom.replace('</lote>', `${fake}</lote>`));
    expect(report).toMatchObject({ valid: false, signatures: [{ valid: true }, { valid: false }] });
  });

  test('is nothing in a document without signatures, which is not valid', async () => {
    expect(await verify(BATCH)).toEqual({
      valid: false,
      signatures: [],
      coverage: { isComplete: false, covered: [], missing: ['/'] },
      results: expect.objectContaining({
        errors: [
          expect.objectContaining({ type: 'DecodeError', message: 'The XML document holds no signature.' }),
        ],
      }),
    });
  });

  test('is not a certificate of an issuer that nobody trusts', async () => {
    const report = await verifyXades(Buffer.from(whole), {
      atMs,
      judge: async (...asked) => ({ ...(await judge(...asked)), status: 'UNTRUSTED' }),
    });
    expect(report).toMatchObject({
      valid: false,
      signatures: [{ intact: true, verdict: { status: 'UNTRUSTED' } }],
    });
  });
});
