import { afterAll, describe, expect, test } from 'vitest';
import { hashOf } from '../../../../../shared/signing/digest.ts';
import type { SignXadesOptions } from '../../../../../shared/signing/xades/sign.ts';
import { signXades } from '../../../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { BATCH, judge, keyOf, NOTA, pki, stampAt } from '../parties.ts';
import { hasXmlsec, xmlsec } from '../xmlsec.ts';

const outside = xmlsec(pki);
afterAll(() => outside.remove());

const atMs = Date.now();
const options = { signingTimeMs: atMs };
const policy = {
  oid: '2.16.76.1.7.1.6.2.3',
  digest: 'sha256' as const,
  hash: hashOf('sha256', Buffer.from('a policy')),
  uri: 'http://politicas.example.br/PA_ção.xml?a=1&b=2',
};

const KINDS: [string, Partial<SignXadesOptions>][] = [
  ['the whole document', {}],
  ['the whole document, inclusive', { canonicalization: 'inclusive' }],
  ['the whole document, with room for others', { leaveRoom: true }],
  ['an element by Id', { element: { id: 'n1' } }],
  ['an element by Id, inclusive', { element: { id: 'n1' }, canonicalization: 'inclusive' }],
  ['an element by Id, with room for others', { element: { id: 'n2' }, leaveRoom: true }],
  [
    'an element by its path',
    { element: { path: '/n:lote/n:nota[2]', namespaces: { n: 'http://teste.br/nf' } } },
  ],
  ['an element, the signature placed outside it', { element: { id: 'n1' }, placedIn: { path: '/*' } }],
  ['an empty element', { element: { id: 'v' } }],
  ['the whole document, the signature placed inside an element', { placedIn: { id: 'v' } }],
  ['under a policy', { policy }],
  ['an element by Id, under a policy', { element: { id: 'n1' }, policy }],
  ['with a timestamp', { stamp: stampAt(() => atMs) }],
  ['with a timestamp, inclusive', { stamp: stampAt(() => atMs), canonicalization: 'inclusive' }],
];

const idElements = [NOTA, 'http://teste.br/nf:vazio'];

describe('a XAdES signature', () => {
  test.each(KINDS)('over %s is good to xmlsec1 and to us', async (_what, more) => {
    const signed = await signXades(BATCH, keyOf(), { ...options, ...more });
    if (hasXmlsec) expect(outside.judge(signed, { idElements })).toBe('OK');
    const { element } = more;
    const covers = element && ['id' in element ? `#${element.id}` : element.path];
    const report = await verifyXades(signed, { judge, atMs, covers });
    expect(report.signatures[0]?.results.errors).toEqual([]);
    expect(report).toMatchObject({
      valid: true,
      signatures: [{ intact: true, claimedTimeMs: Math.floor(atMs / 1000) * 1000 }],
    });
  });

  test('carries the whole chain, the signing certificate, the format and the policy', async () => {
    const key = keyOf();
    const text = (
      await signXades(BATCH, key, { ...options, policy, mimeType: 'application/xml' })
    ).toString();
    for (const { der } of [key.certificate, ...key.chain])
      expect(text).toContain(`>${der.toString('base64')}<`);
    expect(text).toContain('<xades:SigningCertificateV2><xades:Cert><xades:CertDigest>');
    const [, digest] = /<xades:CertDigest>.*?<ds:DigestValue>([^<]*)</.exec(text) ?? [];
    expect(digest).toBe(hashOf('sha256', key.certificate.der).toString('base64'));
    const [, serial = ''] = /<xades:IssuerSerialV2>([^<]*)</.exec(text) ?? [];
    expect(Buffer.from(serial, 'base64').includes(key.certificate.issuer.der)).toBe(true);
    expect(Buffer.from(serial, 'base64').subarray(-key.certificate.serialDer.length)).toEqual(
      key.certificate.serialDer,
    );
    expect(text).toContain('<xades:MimeType>application/xml</xades:MimeType>');
    expect(text).toContain(
      '<xades:Identifier Qualifier="OIDAsURN">urn:oid:2.16.76.1.7.1.6.2.3</xades:Identifier>',
    );
    expect(text).toContain(
      '<xades:SPURI>http://politicas.example.br/PA_&#xE7;&#xE3;o.xml?a=1&amp;b=2</xades:SPURI>',
    );
  });

  test('gives its policy back when it is verified', async () => {
    const signed = await signXades(BATCH, keyOf(), { ...options, policy });
    expect((await verifyXades(signed, { judge, atMs })).signatures[0]?.policy).toEqual(policy);
  });

  test('policy substitution: is refused when a known policy has another hash, and warned of when it is not known', async () => {
    const signed = await signXades(BATCH, keyOf(), { ...options, policy });
    const other = { ...policy, hash: hashOf('sha256', Buffer.from('another policy')) };
    const results = async (policies: (typeof policy)[]) =>
      (await verifyXades(signed, { judge, atMs, policies })).signatures[0]?.results;
    expect((await results([other]))?.errors.map(({ type }) => type)).toEqual(['SignaturePolicyMismatch']);
    expect((await results([policy]))?.errors).toEqual([]);
    expect((await results([]))?.warnings.map(({ type }) => type)).toContain('UnacceptableSignaturePolicy');
  });

  test('is refused when it claims a time at which its certificate was not valid', async () => {
    const key = keyOf();
    const signed = await signXades(BATCH, key, { signingTimeMs: key.certificate.notBeforeMs - 1000 });
    const [signature] = (await verifyXades(signed, { judge, atMs })).signatures;
    expect(signature?.valid).toBe(false);
    expect(signature?.results.errors.map(({ type }) => type)).toEqual([
      'SigningTimeOutOfCertificateValidity',
    ]);
  });

  test('takes a custom attribute as identifier when configured', async () => {
    const document = Buffer.from('<a><b codigo="x">1</b></a>');
    const idAttributes = ['codigo'];
    const signed = await signXades(document, keyOf(), { ...options, element: { id: 'x' }, idAttributes });
    expect(await verifyXades(signed, { judge, atMs, idAttributes, covers: ['#x'] })).toMatchObject({
      valid: true,
      signatures: [{ covers: [{ path: '/a/b' }] }],
    });
    expect(await verifyXades(signed, { judge, atMs, covers: ['#x'] })).toMatchObject({ valid: false });
  });
});
