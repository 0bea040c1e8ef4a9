import { describe, expect, test } from 'vitest';
import { hashOf } from '../../../../../shared/signing/digest.ts';
import { type SignXadesOptions, signXades } from '../../../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { CANONICAL, DS, ENVELOPED, makeSigned } from '../made-signatures.ts';
import { judge, keyOf, pki } from '../parties.ts';
import { CLOSED_PLACES, UNSIGNED_PLACES } from './unsigned-places.ts';

const atMs = Date.now();
const key = keyOf();
const sign = async (document: string, more: Partial<SignXadesOptions> = {}): Promise<string> =>
  (await signXades(Buffer.from(document), key, { signingTimeMs: atMs, ...more })).toString();
const verify = (document: string, ...covers: string[]) =>
  verifyXades(Buffer.from(document), { judge, atMs, covers });

const SIGNATURE = /<ds:Signature .*<\/ds:Signature>/s;
const signatureIn = (document: string): string => SIGNATURE.exec(document)?.[0] ?? '';
/** Moves the signature in front of the content, where a search by name comes first. */
const inFront = (document: string): string =>
  document.replace(SIGNATURE, '').replace(/^<contract[^>]*>/, (root) => `${root}${signatureIn(document)}`);

const CONTRACT = '<contract xmlns="urn:c" Id="c"><pay Id="p" to="Joao">1000</pay></contract>';
const BARE = CONTRACT.replace(' xmlns="urn:c"', '');
const whole = inFront(await sign(CONTRACT));
const bare = inFront(await sign(BARE));

const FORGED = {
  "the document's namespace": '<pay xmlns="urn:c" to="Mallory">999999</pay>',
  "the document's namespace by a prefix": '<c:pay xmlns:c="urn:c" to="Mallory">999999</c:pay>',
  'another namespace': '<pay xmlns="urn:other" to="Mallory">999999</pay>',
  'no namespace': '<pay xmlns="" to="Mallory">999999</pay>',
  "another namespace around the document's": '<x xmlns="urn:x"><pay xmlns="urn:c" to="Mallory">9</pay></x>',
} as const;

const errorsOf = async (document: string, ...covers: string[]) => {
  const { valid, signatures } = await verify(document, ...covers);
  expect(valid).toBe(false);
  return signatures.flatMap(({ results }) => results.errors);
};
const CARRIES = expect.stringMatching(/^The signature carries .+, which it does not sign/);
const REFUSED = expect.objectContaining({ type: 'XmlDSigCoreValidationFailed', message: CARRIES });

describe('content injection: a signature is not valid with an element that it does not sign', () => {
  const grid = UNSIGNED_PLACES.flatMap(([place, put]) =>
    Object.entries(FORGED).map(([kind, forged]) => ({ place, kind, put, forged })),
  );

  test.each(grid)('in $place, of $kind', async ({ put, forged, kind }) => {
    const document = whole.replace(signatureIn(whole), (signature) => put(signature, forged));
    const errors = await errorsOf(document);
    expect(errors.map(({ message }) => message)).toContainEqual(CARRIES);
    if (kind.includes("the document's"))
      expect(errors.map(({ type }) => type)).toContain('XmlDSigCoreValidationFailed');
  });

  test.each(UNSIGNED_PLACES)('in %s, of a document without a namespace', async (_place, put) => {
    const document = bare.replace(signatureIn(bare), (text) => put(text, '<pay to="Mallory">999999</pay>'));
    const errors = await errorsOf(document);
    expect(errors.map(({ message }) => message)).toContainEqual(CARRIES);
    expect(errors.map(({ type }) => type)).toContain('XmlDSigCoreValidationFailed');
  });

  test.each(
    CLOSED_PLACES.flatMap(([place, put]) =>
      Object.entries(FORGED).map(([kind, forged]) => ({ place, kind, put, forged })),
    ),
  )('in $place, which is then malformed, of $kind', async ({ put, forged }) => {
    const document = whole.replace(signatureIn(whole), (signature) => put(signature, forged));
    expect((await errorsOf(document)).map(({ type }) => type)).toContain('InvalidXmlSignatureSchema');
  });
});

describe('content injection: whatever the signature covers', () => {
  const forged = FORGED["the document's namespace"];
  const object = `<ds:Object xmlns:ds="${DS}" Id="o">${CONTRACT}</ds:Object>`;
  const shapes: [string, Promise<string>, string[]][] = [
    ['the root by its identifier', sign(CONTRACT, { element: { id: 'c' } }), []],
    ['one element, from inside', sign(CONTRACT, { element: { id: 'p' } }), ['#p']],
    ['one element, from beside', sign(CONTRACT, { element: { id: 'p' }, placedIn: { path: '/*' } }), ['#p']],
    ['all but the signatures', sign(CONTRACT, { leaveRoom: true }), []],
    [
      'all but the signatures, with another beside',
      sign(CONTRACT, { leaveRoom: true }).then((once) => sign(once, { leaveRoom: true })),
      [],
    ],
    [
      'a part, and is covered by another over all',
      sign(CONTRACT, { element: { id: 'p' } }).then((once) => sign(once)),
      [],
    ],
    [
      'an object of its own',
      Promise.resolve(
        makeSigned({
          ...{ holder: pki.holder(), uri: '#o', content: object, around: (text) => text },
          change: (text) =>
            text
              .replace(ENVELOPED, '')
              .replace('</ds:Signature>', `<ds:Object Id="o">${CONTRACT}</ds:Object>$&`),
        }).toString(),
      ),
      [],
    ],
  ];

  test.each(shapes)('%s', async (_what, signing, covers) => {
    const document = await signing;
    expect(await verify(document, ...covers)).toMatchObject({ valid: true });
    for (const end of ['</ds:KeyInfo>', '</ds:X509Data>', '</xades:QualifyingProperties>']) {
      const errors = await errorsOf(document.replace(end, `${forged}${end}`), ...covers);
      expect(errors).toContainEqual(REFUSED);
    }
  });

  test('and whichever of two signatures carries it', async () => {
    const once = await sign(CONTRACT, { leaveRoom: true });
    const twice = await sign(once, { leaveRoom: true });
    const at = twice.lastIndexOf('</ds:KeyInfo>');
    expect(await errorsOf(twice.slice(0, at) + forged + twice.slice(at))).toContainEqual(REFUSED);
  });
});

describe('content injection: what a signature does sign', () => {
  const holder = pki.holder();
  const forged = '<c:pay xmlns:c="urn:c">9</c:pay>';
  const made = (mark: string, content: string): string =>
    makeSigned({
      ...{ holder, content: '<contract xmlns="urn:c">1</contract>' },
      change: (text) => text.replace(mark, (found) => `${content}${found}`),
      around: (text) => `<contract xmlns="urn:c">1${text}</contract>`,
    }).toString();
  const MARKS = [
    ...['CanonicalizationMethod', 'SignatureMethod', 'DigestMethod', 'SignedInfo'].map(
      (name) => `</ds:${name}>`,
    ),
    ...[
      'SignedSignatureProperties',
      'SignedDataObjectProperties',
      'SignedProperties',
      'DataObjectFormat',
      'Cert',
    ].map((name) => `</xades:${name}>`),
  ];

  test.each(MARKS)("is not of the document's namespace either: before %s", async (mark) => {
    const errors = await errorsOf(made(mark, forged));
    expect(errors.map(({ message }) => message)).toContainEqual(
      mark === '</ds:CanonicalizationMethod>'
        ? 'A canonicalisation has parameters it cannot have.'
        : expect.stringMatching(/^The signature carries .+c:pay, which a reader could take for the document/),
    );
  });

  test.each(MARKS.slice(1))('may be of any other: before %s', async (mark) => {
    const other = '<c:pay xmlns:c="urn:other">9</c:pay>';
    expect(await verify(made(mark, other))).toMatchObject({ valid: true });
  });
});

describe('content injection: beside elements a signature carries no', () => {
  const put = (end: string, content: string): string => whole.replace(end, `${content}${end}`);

  test.each([
    ['text in a part that has none', put('</ds:KeyInfo>', '999999'), 'a text in'],
    ['text in a CDATA section', put('</ds:X509Data>', '<![CDATA[999999]]>'), 'a text in'],
    ['text in an object', put('</ds:Signature>', '<ds:Object>999999</ds:Object>'), 'a text in'],
    ['instruction', put('</ds:KeyInfo>', '<?pay 999999?>'), 'an instruction in'],
    ['instruction that hides what follows', put('</ds:KeyInfo>', `<?x?>${FORGED['no namespace']}`), '/pay'],
    [
      "attribute of the document's namespace",
      whole.replace('<ds:KeyInfo', '$& xmlns:c="urn:c" c:to="Mallory"'),
      '@c:to',
    ],
  ])('%s', async (_what, document, named) => {
    expect(document).not.toBe(whole);
    expect((await errorsOf(document)).map(({ message }) => message)).toContainEqual(
      expect.stringMatching(new RegExp(`^The signature carries .*${named}.*, which it does not sign`)),
    );
  });

  test.each(['Id', 'ID', 'id', 'xml:id'])('identifier of the document, as %s', async (name) => {
    const named = `<ds:KeyName ${name}="p">999999</ds:KeyName>`;
    expect((await errorsOf(put('</ds:KeyInfo>', named))).map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^Two elements have the identifier p: \/contract\/pay, and .*KeyName/),
    );
  });
});

describe('a signature may carry, without signing it,', () => {
  const put = (end: string, content: string): string => whole.replace(end, `${content}${end}`);
  const properties = (content: string): string =>
    put(
      '</xades:QualifyingProperties>',
      `<xades:UnsignedProperties><xades:UnsignedSignatureProperties>${content}</xades:UnsignedSignatureProperties></xades:UnsignedProperties>`,
    );

  test.each([
    ['a name of its key', put('</ds:KeyInfo>', '<ds:KeyName>any text</ds:KeyName>')],
    [
      'its key',
      put(
        '</ds:KeyInfo>',
        '<ds:KeyValue><ds:RSAKeyValue><ds:Modulus>AQAB</ds:Modulus></ds:RSAKeyValue></ds:KeyValue>',
      ),
    ],
    ['comments between its parts', put('</ds:KeyInfo>', '<!-- a comment -->')],
    ['an object without content', put('</ds:Signature>', '<ds:Object/>')],
    ['an attribute of its own', whole.replace('<ds:KeyInfo', '$& Id="key"')],
    [
      'an attribute of an instance',
      whole.replace(
        '<ds:KeyInfo',
        '$& xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b"',
      ),
    ],
    [
      'references to certificates',
      properties(
        '<xades:CompleteCertificateRefs><xades:CertRefs><xades:Cert><xades:IssuerSerial><ds:X509IssuerName>CN=a</ds:X509IssuerName></xades:IssuerSerial></xades:Cert></xades:CertRefs></xades:CompleteCertificateRefs>',
      ),
    ],
    [
      'an evidence record',
      properties(
        '<e:SealingEvidenceRecords xmlns:e="http://uri.etsi.org/19132/v1.1.1#"><r:EvidenceRecord xmlns:r="urn:ietf:params:xml:ns:ers"><r:ArchiveTimeStampSequence/></r:EvidenceRecord></e:SealingEvidenceRecords>',
      ),
    ],
  ])('%s', async (_what, document) => {
    expect(document).not.toBe(whole);
    expect(await verify(document)).toMatchObject({ valid: true });
  });

  test('keys in a document that has keys of its own, as metadata of SAML has', async () => {
    const metadata = `<m xmlns="urn:m"><ds:KeyInfo xmlns:ds="${DS}"><ds:X509Data><ds:X509Certificate>AA==</ds:X509Certificate></ds:X509Data></ds:KeyInfo></m>`;
    expect(await verify(await sign(metadata))).toMatchObject({ valid: true });
  });
});

const XADES = 'http://uri.etsi.org/01903/v1.3.2#';

describe('content injection into a document with elements of the schemas of signatures', () => {
  const declared = `<contract xmlns="urn:c" xmlns:ds="${DS}" xmlns:xades="${XADES}" Id="c">`;
  test.each([
    ['ds:KeyName', 'ds:KeyInfo', '<ds:KeyName>Mallory</ds:KeyName>'],
    ['ds:MgmtData', 'ds:KeyInfo', '<ds:MgmtData>Mallory</ds:MgmtData>'],
    ['ds:X509SubjectName', 'ds:X509Data', '<ds:X509SubjectName>CN=Mallory</ds:X509SubjectName>'],
    [
      'xades:OtherValue',
      'xades:QualifyingProperties',
      '<xades:UnsignedProperties><xades:UnsignedSignatureProperties><xades:RevocationValues><xades:OtherValues><xades:OtherValue>Mallory</xades:OtherValue></xades:OtherValues></xades:RevocationValues></xades:UnsignedSignatureProperties></xades:UnsignedProperties>',
    ],
  ])('is not valid with a %s that it does not sign', async (name, parent, forged) => {
    const document = `${declared}<${name}>Joao</${name}></contract>`;
    const signed = inFront(await sign(document));
    expect((await verify(signed)).valid).toBe(true);
    const errors = await errorsOf(signed.replace(new RegExp(`</${parent}>`), `${forged}$&`));
    expect(errors.map(({ type }) => type)).toEqual(['UnknownUnsignedAttributesPresent']);
    // In a document without such an element nobody takes it for one.
    const plain = inFront(await sign('<contract xmlns="urn:c" Id="c"><pay>1</pay></contract>'));
    expect((await verify(plain.replace(new RegExp(`</${parent}>`), `${forged}$&`))).valid).toBe(true);
  });

  test('is valid where both have keys and certificates, as in metadata', async () => {
    const document = `${declared}<ds:KeyInfo><ds:X509Data><ds:X509Certificate>AAAA</ds:X509Certificate></ds:X509Data></ds:KeyInfo></contract>`;
    expect((await verify(inFront(await sign(document)))).valid).toBe(true);
  });
});

describe('signature properties', () => {
  const HASHED = '<ds:SignatureProperty Id="sp" Target="#s">Signed at home.</ds:SignatureProperty>';
  const digest = hashOf('sha256', Buffer.from(HASHED.replace(' Id', ` xmlns:ds="${DS}" Id`))).toString(
    'base64',
  );
  const reference = `<ds:Reference URI="#sp"><ds:Transforms>${CANONICAL}</ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></ds:DigestMethod><ds:DigestValue>${digest}</ds:DigestValue></ds:Reference>`;
  const withProperties = (properties: string) =>
    makeSigned({
      holder: pki.holder(),
      change: (text) =>
        text
          .replace('</ds:SignedInfo>', `${reference}$&`)
          .replace(
            '</ds:Signature>',
            `<ds:Object><ds:SignatureProperties>${properties}</ds:SignatureProperties></ds:Object>$&`,
          ),
    }).toString();

  test('that are signed are no foreign content, though what holds them is not signed', async () => {
    const report = await verify(withProperties(HASHED));
    expect(report.signatures[0]?.results.errors).toEqual([]);
    expect(report.valid).toBe(true);
  });

  test.each([
    ['another property', `${HASHED}<ds:SignatureProperty Target="#s">Pay Mallory.</ds:SignatureProperty>`],
    ['a text', `${HASHED}Pay Mallory.`],
    ['an element of the document', `${HASHED}<a>900</a>`],
  ])('are not valid with %s beside them', async (_what, properties) => {
    expect((await errorsOf(withProperties(properties))).map(({ message }) => message)).toContainEqual(
      CARRIES,
    );
  });
});
