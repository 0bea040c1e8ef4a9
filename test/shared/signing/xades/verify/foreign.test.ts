import { afterAll, describe, expect, test } from 'vitest';
import { localKey } from '../../../../../shared/signing/key.ts';
import { signXades } from '../../../../../shared/signing/xades/sign.ts';
import { signatureTemplate } from '../../../../../shared/signing/xades/template.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { judge, pki } from '../parties.ts';
import { hasXmlsec, xmlsec } from '../xmlsec.ts';

const outside = xmlsec(pki);
afterAll(() => outside.remove());

const atMs = Date.now();
const { certificate, privateKey, chain } = pki.holder();
const DOCUMENT =
  '<?pi?><a xmlns="u:a" xmlns:b="u:b" xmlns:c="u:c" xml:base="http://x.br/y/" xml:lang="pt">\n <d Id="d" b:x="1">é<!-- c --><e xmlns="" c:z=""/></d><?pi?>\n</a>';

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';

function template(change: (text: string) => string, uri = ''): string {
  const text = signatureTemplate({
    ...{ id: 's', certificate, chain, digest: 'sha256', signingTimeMs: atMs, mimeType: 'text/xml' },
    ...{ uri, without: 'this-signature', canonicalization: 'exclusive' },
  });
  return DOCUMENT.replace(uri ? '</d>' : '</a>', (end) => change(text) + end);
}

const asTo = (from: string | RegExp, to: string) => (text: string) => text.replaceAll(from, to);
const enveloped = /<ds:Transform Algorithm="[^"]*enveloped-signature"><\/ds:Transform>/;
const canonical = `Algorithm="${EXCLUSIVE}">`;
const withPrefixes = `${canonical}<ec:InclusiveNamespaces xmlns:ec="${EXCLUSIVE}" PrefixList="b c #default"/>`;
const filter = (algorithm: string, content: string) => (text: string) =>
  text.replace(enveloped, `<ds:Transform Algorithm="${algorithm}">${content}</ds:Transform>`);

const CHANGES: [string, (text: string) => string][] = [
  ['exclusive canonical form', (text) => text],
  ['exclusive canonical form with comments', asTo(EXCLUSIVE, `${EXCLUSIVE}WithComments`)],
  ['exclusive canonical form with prefixes', asTo(canonical, withPrefixes)],
  ['canonical XML 1.0', asTo(EXCLUSIVE, INCLUSIVE)],
  ['canonical XML 1.0 with comments', asTo(EXCLUSIVE, `${INCLUSIVE}#WithComments`)],
  ['canonical XML 1.1', asTo(EXCLUSIVE, 'http://www.w3.org/2006/12/xml-c14n11')],
  [
    'no canonical form named for the content',
    (text) => text.replace(new RegExp(`<ds:Transform ${canonical}</ds:Transform>`), ''),
  ],
  ['line breaks between its parts', asTo(/(<\/?(?:ds|xades):\w+[^>]*>)(?=<)/g, '$1\n  ')],
  ['comments between its parts', asTo('<ds:Reference ', '<!-- here --><ds:Reference ')],
  [
    'no prefixes',
    (text) =>
      text
        .replaceAll('ds:', '')
        .replaceAll('xmlns:ds=', 'xmlns=')
        .replaceAll('<xades:CertDigest>', '<xades:CertDigest>'),
  ],
  ['SHA-512', asTo('xmldsig-more#rsa-sha256', 'xmldsig-more#rsa-sha512')],
  [
    'the XPath transform that leaves all signatures out',
    filter(
      'http://www.w3.org/TR/1999/REC-xpath-19991116',
      '<ds:XPath>not(ancestor-or-self::ds:Signature)</ds:XPath>',
    ),
  ],
  [
    'the XPath filter that leaves all signatures out',
    filter(
      'http://www.w3.org/2002/06/xmldsig-filter2',
      '<f:XPath xmlns:f="http://www.w3.org/2002/06/xmldsig-filter2" Filter="subtract">/descendant::ds:Signature</f:XPath>',
    ),
  ],
];

describe.skipIf(!hasXmlsec)('a signature that another tool made', () => {
  test.each(CHANGES)('over the document with %s is valid', async (_what, change) => {
    const report = await verifyXades(outside.sign(template(change), privateKey), { judge, atMs });
    expect(report.signatures[0]?.results.errors).toEqual([]);
    expect(report).toMatchObject({
      valid: true,
      signatures: [{ covers: [{ kind: 'document', comments: 1 }] }],
    });
  });

  test.each(CHANGES)('over an element with %s is valid', async (_what, change) => {
    const signed = outside.sign(template(change, '#d'), privateKey, ['u:a:d']);
    const report = await verifyXades(signed, { judge, atMs, covers: ['d'] });
    expect(report.signatures[0]?.results.errors).toEqual([]);
    expect(report).toMatchObject({
      valid: true,
      signatures: [{ covers: [{ kind: 'element', path: '/a/d' }] }],
    });
  });

  test.each(CHANGES.filter(([what]) => !what.includes('all signatures')))(
    'over the document and an earlier plain signature, with %s, is valid and breaks that one',
    async (_what, change) => {
      const options = { signingTimeMs: atMs, canonicalization: 'inclusive' } as const;
      const once = await signXades(Buffer.from(DOCUMENT), localKey(privateKey, certificate, chain), options);
      const [later = ''] = /<ds:Signature .*<\/ds:Signature>/s.exec(template((text) => text)) ?? [];
      const twice = once.toString().replace('\n <d ', `${change(later)}$&`);
      const { signatures } = await verifyXades(outside.sign(twice, privateKey), { judge, atMs });
      expect(signatures.map(({ valid }) => valid)).toEqual([true, false]);
      expect(signatures[1]?.results.errors.map(({ type }) => type)).toEqual(['MessageDigestMismatch']);
    },
  );

  test('with SHA-1 is intact, and not valid today', async () => {
    const change = asTo(
      'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
    );
    const report = await verifyXades(outside.sign(template(change), privateKey), { judge, atMs });
    expect(report).toMatchObject({ valid: false, signatures: [{ digest: 'sha1', intact: true }] });
    expect(report.signatures[0]?.results.errors.map(({ type }) => type)).toContain('AlgorithmNotAllowed');
  });

  test('without signed properties is intact in its content and no XAdES', async () => {
    const bare = (text: string): string =>
      text.replace(/<ds:Object>.*<\/ds:Object>/, '').replace(/<ds:Reference Type.*?<\/ds:Reference>/, '');
    const report = await verifyXades(outside.sign(template(bare), privateKey), { judge, atMs });
    expect(report).toMatchObject({ valid: false, signatures: [{ intact: true }] });
    expect(report.signatures[0]?.results.errors.map(({ type }) => type)).toEqual([
      'RequiredSignedAttributeMissing',
      'SignatureVulnerableToSignerSubstitution',
    ]);
  });

  test('that refers to its properties twice is not valid: which are meant?', async () => {
    const twice = (text: string): string => text.replace(/<ds:Reference Type.*?<\/ds:Reference>/, '$&$&');
    const report = await verifyXades(outside.sign(template(twice), privateKey), { judge, atMs });
    expect(report.signatures[0]?.results.errors.map(({ type }) => type)).toContain(
      'RequiredSignedAttributeMissing',
    );
  });

  const content = /<ds:Reference Id.*?<\/ds:Reference>/;
  const referring = (to: string) => (text: string) =>
    text.replace(content, (reference) => reference.replace(/URI=""/, `URI="#${to}"`).replace(enveloped, ''));

  test.each([
    ['its own key', 'own', (text: string) => text.replace('<ds:KeyInfo>', '<ds:KeyInfo Id="own">')],
    [
      'a part of its own properties',
      'own',
      (text: string) => text.replace(/(<xades:SignedSignatureProperties)>/, '$1 Id="own">'),
    ],
    [
      'an empty list of references',
      'own',
      (text: string) =>
        text.replace('<ds:Object>', '<ds:Object><ds:Manifest Id="own"></ds:Manifest></ds:Object>$&'),
    ],
  ])('that covers nothing but %s is not valid', async (_what, id, change) => {
    const made = template((text) => referring(id)(change(text)));
    const names = ['KeyInfo', 'Manifest', 'http://uri.etsi.org/01903/v1.3.2#:SignedSignatureProperties'];
    const report = await verifyXades(outside.sign(made, privateKey, names), { judge, atMs });
    expect(report.signatures[0]?.results.errors.map(({ message }) => message)).toEqual([
      'The signature covers nothing but itself.',
    ]);
  });

  test('shows the judge the revocation data of both kinds that it carries', async () => {
    const kept =
      '<xades:UnsignedProperties><xades:UnsignedSignatureProperties><xades:RevocationValues>' +
      '<xades:CRLValues><xades:EncapsulatedCRLValue>Y3Js</xades:EncapsulatedCRLValue></xades:CRLValues>' +
      '<xades:OCSPValues><xades:EncapsulatedOCSPValue>b2NzcA==</xades:EncapsulatedOCSPValue></xades:OCSPValues>' +
      '</xades:RevocationValues></xades:UnsignedSignatureProperties></xades:UnsignedProperties>';
    const made = template(asTo('</xades:QualifyingProperties>', `${kept}$&`));
    const shown: unknown[] = [];
    const watching: typeof judge = (certificate, candidates, at, evidence) => {
      shown.push(evidence);
      return judge(certificate, candidates, at, evidence);
    };
    expect((await verifyXades(outside.sign(made, privateKey), { judge: watching, atMs })).valid).toBe(true);
    expect(shown).toMatchObject([{ crls: [Buffer.from('crl')], ocspResponses: [Buffer.from('ocsp')] }]);
  });

  test('that covers nothing but its own properties is not valid', async () => {
    const own = (text: string): string => text.replace(/<ds:Reference Id.*?<\/ds:Reference>/, '');
    const report = await verifyXades(outside.sign(template(own), privateKey), { judge, atMs });
    expect(report.signatures[0]?.results.errors).toMatchObject([
      { type: 'RequiredSignedAttributeMissing', message: 'The signature covers nothing but itself.' },
    ]);
    expect(report.valid).toBe(false);
  });
});
