import { afterAll, describe, expect, test } from 'vitest';
import { inMemory, verifyFile } from '../../../../../shared/signing/verification/verify-file.ts';
import { signXades } from '../../../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { DS, ENVELOPED, type Made, makeSigned, sha256, transform } from '../made-signatures.ts';
import { judge, keyOf, pki } from '../parties.ts';
import { hasXmlsec, xmlsec } from '../xmlsec.ts';

const outside = xmlsec(pki);
afterAll(() => outside.remove());

const atMs = Date.now();
const holder = pki.holder();
const trust = { anchors: [pki.root.certificate], revocation: 'skip' as const };
const report = (document: Buffer | string) =>
  verifyFile(inMemory(Buffer.from(document), 'a.xml'), { trust, atMs });
const messagesOf = async (document: Buffer | string): Promise<string[]> =>
  (await report(document)).signatures.flatMap(({ validationResults }) =>
    validationResults.errors.map(({ message }) => message),
  );
const made = (more: Partial<Made>): Buffer => makeSigned({ holder, ...more });
const UNDETERMINED = { outcome: 'undetermined', verdict: 'indeterminate' };

const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
const reference = (uri: string | undefined, digest = '', transforms = ''): string =>
  `<ds:Reference${uri === undefined ? '' : ` URI="${uri}"`}>${transforms}<ds:DigestMethod Algorithm="${SHA256}"></ds:DigestMethod><ds:DigestValue>${digest}</ds:DigestValue></ds:Reference>`;
const beside = (more: string) => (text: string) => text.replace('</ds:SignedInfo>', `${more}$&`);
const OTHER = sha256('another file');

describe('a detached signature without its content', () => {
  test.each([
    ['a file', beside(reference('contract.pdf', OTHER)), 'covers contract.pdf, which is not in the document'],
    ['an address', beside(reference('https://example.com/a', OTHER)), 'covers https://example.com/a'],
    ['content without a name', beside(reference(undefined, OTHER)), 'covers content that it does not name'],
    [
      'a file, through a transform that is not supported',
      beside(reference('a.xml', OTHER, `<ds:Transforms>${transform('urn:mine')}</ds:Transforms>`)),
      'covers a.xml',
    ],
  ])('is undetermined, over %s', async (_what, change, message) => {
    const signed = made({ change });
    expect(await report(signed)).toMatchObject({
      ...{ ...UNDETERMINED, reasons: ['SIGNED_DATA_NOT_FOUND'] },
      signatures: [{ intact: null, reasons: ['SIGNED_DATA_NOT_FOUND'] }],
    });
    expect(await messagesOf(signed)).toContainEqual(expect.stringContaining(message));
  });

  test('is broken all the same where its own parts are', async () => {
    const signed = made({ change: beside(reference('contract.pdf', OTHER)) }).toString();
    for (const changed of [
      signed.replace('text/xml', 'text/css'),
      signed.replace('contract.pdf', 'contract.odt'),
      signed.replace('<a>100', '<a>900'),
    ])
      expect(await report(changed)).toMatchObject({
        outcome: 'invalid',
        verdict: 'failed',
        signatures: [{ intact: false }],
      });
  });

  test('beside a broken signature leaves the file broken', async () => {
    const detached = made({
      change: beside(reference('contract.pdf', OTHER)),
      around: (text) => text,
    }).toString();
    const other = (
      await signXades(Buffer.from('<a>100</a>'), keyOf(), { signingTimeMs: atMs, leaveRoom: true })
    )
      .toString()
      .replace('100', '900');
    expect(await report(other.replace('</a>', `${detached}</a>`))).toMatchObject({ verdict: 'failed' });
  });
});

describe('a manifest', () => {
  const PART = '<b Id="b">100</b>';
  const manifest = (...references: string[]): string =>
    `<ds:Manifest Id="m">${references.join('')}</ds:Manifest>`;
  /** A signature over a manifest in its own object, and over nothing else. */
  const over = (list: string, document = (text: string) => `<a>${PART}${text}</a>`): Buffer =>
    made({
      uri: '#m',
      content: list.replace('<ds:Manifest', `$& xmlns:ds="${DS}"`),
      change: (text) =>
        text.replace(ENVELOPED, '').replace('</ds:Signature>', `<ds:Object>${list}</ds:Object>$&`),
      around: document,
    });
  const ofPart = reference('#b', sha256(PART));

  test('is followed: what it lists is covered', async () => {
    const signed = over(manifest(ofPart));
    const covering = await verifyXades(signed, { judge, atMs, covers: ['b'] });
    expect(covering.signatures[0]?.results.errors).toEqual([]);
    expect(covering).toMatchObject({ valid: true, coverage: { covered: ['/a/b'] } });
    if (hasXmlsec) expect(outside.judge(signed, { idElements: ['b', 'Manifest'] })).toBe('OK');
  });

  test('whose content was changed is broken, and so is one that was changed itself', async () => {
    const signed = over(manifest(ofPart)).toString();
    for (const changed of [signed.replace('>100<', '>900<'), signed.replace('URI="#b"', 'URI="#c"')])
      expect((await report(changed)).outcome).toBe('invalid');
    expect(await messagesOf(signed.replace('>100<', '>900<'))).toContain(
      'The element /a/b is not as signed: the digests differ.',
    );
  });

  test('over files outside is undetermined', async () => {
    expect(await report(over(manifest(reference('a.pdf', OTHER))))).toMatchObject({
      ...{ ...UNDETERMINED, reasons: ['SIGNED_DATA_NOT_FOUND'] },
    });
  });

  test('that the signature does not cover counts for nothing', async () => {
    const signed = made({})
      .toString()
      .replace('</ds:Signature>', `<ds:Object>${manifest(ofPart)}</ds:Object>$&`);
    expect(await messagesOf(signed.replace('<a>', `<a>${PART}`))).toContainEqual(
      expect.stringMatching(/carries .*ds:Manifest, which it does not sign/),
    );
  });

  test('never names the signed properties', async () => {
    const typed = ofPart.replace('<ds:Reference', '$& Type="http://uri.etsi.org/01903#SignedProperties"');
    const covering = await verifyXades(over(manifest(typed)), { judge, atMs, covers: ['b'] });
    expect(covering).toMatchObject({ valid: true });
  });
});

describe('a signature that was not checked is undetermined, with the reason', () => {
  const inObject = (content: string, change: (text: string) => string) =>
    made({
      ...{ uri: '#o', content, around: (text) => text },
      change: (text) =>
        change(
          text.replace(ENVELOPED, '').replace('</ds:Signature>', '<ds:Object Id="o">some text</ds:Object>$&'),
        ),
    });

  test('over text in an object, by an expression or an unknown digest', async () => {
    const content = `<ds:Object xmlns:ds="${DS}" Id="o">some text</ds:Object>`;
    const pointed = inObject(content, (text) => text.replace('URI="#o"', `URI="#xpointer(id('o'))"`));
    const digested = inObject(content, (text) => text.replace(SHA256, 'urn:mine'));
    for (const [signed, named] of [
      [pointed, 'xpointer'],
      [digested, 'urn:mine'],
    ] as const) {
      expect(await report(signed)).toMatchObject({ ...UNDETERMINED, signatures: [{ intact: null }] });
      expect(await messagesOf(signed)).toEqual([expect.stringContaining(named)]);
    }
    expect(await report(inObject(content, (text) => text))).toMatchObject({ outcome: 'valid' });
  });

  test.each([20, 1200])('with %i references, which are more than are followed', async (count) => {
    const signed = made({ change: beside(reference('#b', OTHER).repeat(count)) });
    expect(await report(signed)).toMatchObject({ ...UNDETERMINED, signatures: [{ intact: null }] });
    expect((await messagesOf(signed))[0]).toMatch(/at most 16 are followed here|more than the 1000 parts/);
  });

  test('without its certificate, beside others or alone', async () => {
    const signed = made({}).toString();
    const own = `<ds:X509Certificate>${holder.certificate.der.toString('base64')}</ds:X509Certificate>`;
    const without = signed.replace(own, '');
    for (const document of [without, without.replace(/<ds:KeyInfo>.*<\/ds:KeyInfo>/, '')]) {
      expect(await report(document)).toMatchObject({
        ...{ ...UNDETERMINED, reasons: ['NO_SIGNING_CERTIFICATE_FOUND'] },
        signatures: [{ intact: null }],
      });
      expect(await messagesOf(document)).toEqual(["The signer's certificate is not in the signature."]);
    }
  });
});

describe('damage to what a signature does not sign breaks nothing that it signs', () => {
  const properties = (content: string): string =>
    made({})
      .toString()
      .replace(
        '</xades:QualifyingProperties>',
        `<xades:UnsignedProperties><xades:UnsignedSignatureProperties>${content}</xades:UnsignedSignatureProperties></xades:UnsignedProperties>$&`,
      );

  test('a certificate in the properties that cannot be read is reported, and not used', async () => {
    const damaged = properties(
      '<xades:CertificateValues><xades:EncapsulatedX509Certificate>!!!</xades:EncapsulatedX509Certificate></xades:CertificateValues>',
    );
    const judged = await report(damaged);
    expect(judged).toMatchObject({ outcome: 'valid', signatures: [{ intact: true }] });
    expect(judged.signatures[0]?.validationResults.warnings.map(({ message }) => message)).toContain(
      'The signature carries xades:EncapsulatedX509Certificate, which was not judged: it cannot be read.',
    );
  });

  test.each(['xades:SignatureTimeStamp', 'xades:ArchiveTimeStamp'])(
    'a timestamp that cannot be read fails as one: %s',
    async (name) => {
      const damaged = properties(
        `<${name}><xades:EncapsulatedTimeStamp>!!!</xades:EncapsulatedTimeStamp></${name}>`,
      );
      expect(await report(damaged)).toMatchObject({
        ...{ outcome: 'invalid', verdict: 'indeterminate' },
        signatures: [{ intact: true }],
      });
      expect(await messagesOf(damaged)).toEqual([expect.stringContaining('A timestamp cannot be read')]);
    },
  );

  test('a Target in another spelling is told, and integrity holds', async () => {
    const spelt = made({}).toString().replace('Target="#s"', 'Target="#S"');
    expect(await report(spelt)).toMatchObject({ ...UNDETERMINED, signatures: [{ intact: true }] });
    expect(await messagesOf(spelt)).toEqual([
      expect.stringContaining('say that they belong to the signature #S'),
    ]);
  });
});

describe('an identifier of WS-Security', () => {
  const WSU = 'xmlns:u="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"';
  const BODY = `<body ${WSU} u:Id="b">100</body>`;
  const signed = made({
    ...{ uri: '#b', content: BODY },
    change: (text) => text.replace(ENVELOPED, ''),
    around: (text) => `<envelope>${BODY}${text}</envelope>`,
  }).toString();

  test('names the signed element, whatever its prefix', async () => {
    expect(await verifyXades(Buffer.from(signed), { judge, atMs, covers: ['#b'] })).toMatchObject({
      valid: true,
    });
    const own = await signXades(Buffer.from(`<e>${BODY}</e>`), keyOf(), {
      signingTimeMs: atMs,
      element: { id: 'b' },
    });
    expect(await verifyXades(own, { judge, atMs, covers: ['body'] })).toMatchObject({ valid: true });
  });

  test.each(['Id="b"', `${WSU.replace(':u=', ':v=')} v:Id="b"`])(
    'is ambiguous with another element of the same: %s',
    async (attribute) => {
      const doubled = signed.replace('</envelope>', `<body ${attribute}>999</body></envelope>`);
      expect(await messagesOf(doubled)).toEqual([
        expect.stringContaining('Two elements have the signed identifier b'),
      ]);
    },
  );

  test('of another namespace is none', async () => {
    const renamed = signed.replace(WSU, 'xmlns:u="urn:u"');
    expect(await messagesOf(renamed)).toEqual(['The signed element b is missing.']);
  });
});
