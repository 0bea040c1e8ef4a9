import { buffer } from 'node:stream/consumers';
import { octetString, oid, time } from '../../../shared/der/write.ts';
import { measure } from '../../../shared/signing/cades/content.ts';
import { signAttached, signDetached } from '../../../shared/signing/cades/sign.ts';
import { ATTRIBUTE } from '../../../shared/signing/cms/oids.ts';
import { attribute } from '../../../shared/signing/cms/signer-info.ts';
import type { SigningKey } from '../../../shared/signing/key.ts';
import { signPades } from '../../../shared/signing/pades/sign.ts';
import { signXades } from '../../../shared/signing/xades/sign.ts';
import { forged, goodAttributes } from '../../shared/signing/cms/forge.ts';
import { buildPdf, ONE_PAGE } from '../../shared/signing/pades/documents.ts';
import { stamp as strangersStamp } from '../../shared/signing/pades/parties.ts';
import { appendUpdate, bodyOf, replaceText } from '../../shared/signing/pades/tamper.ts';
import { CONTENT } from './cades.ts';
import { padesLevels } from './pades.ts';
import type { Parties } from './parties.ts';
import type { SampleFile } from './sample.ts';

const XML = Buffer.from('<contract><party Id="p1">Maria</party><price>100</price></contract>');

/** Holders of the sandbox whose certificates are not good, and what they are. */
const HOLDERS = {
  expired: '12345678909',
  revoked: '56072386105',
  untrusted: '87378011126',
  unreachable: '15350946056',
} as const;

/** Flips a bit of a byte that stands so far behind a text. */
function flip(file: Buffer, text: string | Uint8Array, behind = 0): Buffer {
  const at = file.lastIndexOf(text);
  if (at < 0) throw new Error('There is nothing to change.');
  const changed = Buffer.from(file);
  const index = at + behind;
  changed[index] = (changed[index] ?? 0) ^ 1;
  return changed;
}

const between = (text: string, name: string): string =>
  new RegExp(`<ds:${name}[^>]*>([^<]+)<`).exec(text)?.[1] ?? '';

/** Files of signers who are not to be trusted, and files that were changed or forged. */
export async function alteredFiles(parties: Parties): Promise<SampleFile[]> {
  return [
    ...(await ofBadHolders(parties)),
    ...(await pdfs(parties)),
    ...(await cms(parties)),
    ...(await xmls(parties)),
  ];
}

async function ofBadHolders({ nowMs, holder, stamp }: Parties): Promise<SampleFile[]> {
  const files: SampleFile[] = [];
  const pdf = buildPdf(ONE_PAGE);
  for (const [what, name] of Object.entries(HOLDERS))
    for (const [level, more] of Object.entries({ 'B-B': {}, 'B-T': { stamp } })) {
      const [key, options] = [holder(name), { signingTimeMs: nowMs, ...more }];
      files.push(
        { name: `bad-${what}-${level}.pdf`, bytes: await signPades(pdf, key, options) },
        { name: `bad-${what}-${level}.p7m`, bytes: await buffer(signAttached(() => CONTENT, key, options)) },
        { name: `bad-${what}-${level}.xml`, bytes: await signXades(XML, key, options) },
      );
    }
  return files;
}

async function pdfs(parties: Parties): Promise<SampleFile[]> {
  const { nowMs, keys } = parties;
  const { rsa2048: ana, p256: bia } = keys;
  const levels = padesLevels(parties);
  const options = { signingTimeMs: nowMs };
  const pdf = buildPdf(ONE_PAGE);
  const signed = await signPades(pdf, ana, options);
  const twice = await signPades(signed, bia, options);
  const stamped = await signPades(pdf, ana, { ...options, ...levels['B-T'] });
  const archived = await signPades(pdf, ana, { ...options, ...levels['B-LTA'] });
  const page = bodyOf(signed, 3);
  const contents = '<</Length 44>>\nstream\nBT /F1 18 Tf 50 760 Td (Valor: R$ 999) Tj ET\nendstream';
  const files: Readonly<Record<string, Buffer>> = {
    'changed-text': replaceText(signed, 'R$ 100', 'R$ 900'),
    'changed-text-twice-signed': replaceText(twice, 'R$ 100', 'R$ 900'),
    'changed-text-archived': replaceText(archived, 'R$ 100', 'R$ 900'),
    'changed-claimed-time': replaceText(signed, '/M(D:20', '/M(D:19'),
    'changed-save-page-contents': appendUpdate(signed, { objects: { 4: contents } }),
    'changed-save-page-turned': appendUpdate(signed, {
      objects: { 3: page.replace('/Contents', '/Rotate 180/Contents') },
    }),
    'changed-save-of-both': appendUpdate(twice, { objects: { 4: contents } }),
    'changed-save-archived': appendUpdate(archived, { objects: { 4: contents } }),
    'changed-signature-value': changedPdfSignature(signed),
    'changed-cut': signed.subarray(0, signed.length - 20),
    'strangers-timestamp': await signPades(pdf, ana, { ...options, stamp: strangersStamp }),
    'strangers-archive-timestamp': await signPades(pdf, ana, {
      ...options,
      ...levels['B-LT'],
      archive: strangersStamp,
    }),
    'stamped-changed-text': replaceText(stamped, 'R$ 100', 'R$ 900'),
  };
  return Object.entries(files).map(([name, bytes]) => ({ name: `pdf-${name}.pdf`, bytes }));
}

/** The signature value stands at the end of the CMS, which zeros follow in the placeholder. */
function changedPdfSignature(signed: Buffer): Buffer {
  const changed = Buffer.from(signed);
  const at = signed.indexOf('/Contents<') + '/Contents<'.length;
  const hex = signed.toString('latin1', at, signed.indexOf('>', at));
  const length = 4 + Number.parseInt(hex.slice(4, 8), 16);
  changed.write(hex[2 * length - 10] === '0' ? '1' : '0', at + 2 * length - 10, 'latin1');
  return changed;
}

async function cms({ nowMs, keys, stamp }: Parties): Promise<SampleFile[]> {
  const { rsa2048: ana, rsa3072: bia } = keys;
  const options = { signingTimeMs: nowMs };
  const attached = await buffer(signAttached(() => CONTENT, ana, options));
  const measured = await measure(CONTENT, 'sha256');
  const detached = await signDetached(measured, ana, options);
  const other = Buffer.from(CONTENT.toString().replace('1.234,56', '9.234,56'));
  const good = goodAttributes(ana, CONTENT);
  const signingTime = attribute(ATTRIBUTE.signingTime, time(nowMs));
  const all = [good.contentType, signingTime, good.messageDigest, good.signingCertificate];
  const byAna = { key: ana, content: CONTENT };
  // A certificate of the same name and key, which the signed attribute does not name.
  const twin: SigningKey = { ...bia, signHash: ana.signHash };
  const files: Readonly<Record<string, Buffer>> = {
    'changed-content': Buffer.from(attached.toString('latin1').replace('1.234,56', '9.234,56'), 'latin1'),
    'changed-signature-value': flip(attached, attached.subarray(-10), 5),
    'changed-message-digest': flip(attached, measuredHash(measured)),
    'forged-honest': await forged({ ...byAna, attributes: all }),
    'forged-other-certificate': await forged({ ...byAna, key: twin, attributes: all }),
    'forged-without-certificate-attribute': await forged({
      ...byAna,
      attributes: [good.contentType, signingTime, good.messageDigest],
    }),
    'forged-without-attributes': await forged(byAna),
    'forged-other-digest': await forged({
      ...byAna,
      attributes: [
        good.contentType,
        signingTime,
        attribute(ATTRIBUTE.messageDigest, octetString(Buffer.alloc(32, 7))),
        good.signingCertificate,
      ],
    }),
    'forged-content-type': await forged({
      ...byAna,
      attributes: [
        attribute(ATTRIBUTE.contentType, oid('1.2.840.113549.1.7.5')),
        signingTime,
        good.messageDigest,
        good.signingCertificate,
      ],
    }),
    'forged-sha1': await forged({
      ...byAna,
      digest: 'sha1',
      attributes: [...Object.values(goodAttributes(ana, CONTENT, 'sha1')), signingTime],
    }),
    'forged-without-certificates': await forged({ ...byAna, attributes: all, certificates: [] }),
    'strangers-timestamp': await buffer(
      signAttached(() => CONTENT, ana, { ...options, stamp: strangersStamp }),
    ),
    'timestamp-of-another': await buffer(
      signAttached(() => CONTENT, ana, {
        ...options,
        stamp: (digest, hash) => stamp(digest, reversed(hash)),
      }),
    ),
  };
  return [
    ...Object.entries(files).map(([name, bytes]) => ({ name: `cms-${name}.p7m`, bytes })),
    { name: 'cms-other-content.bin.p7s', bytes: detached, content: other },
    { name: 'cms-without-content.p7s', bytes: detached },
  ];
}

const measuredHash = ({ hash }: { readonly hash: Buffer }): Buffer => hash;
const reversed = (hash: Buffer): Buffer => Buffer.from(hash).reverse();

async function xmls({ nowMs, keys, stamp }: Parties): Promise<SampleFile[]> {
  const { rsa2048: ana, p256: bia } = keys;
  const options = { signingTimeMs: nowMs };
  const sign = async (key: SigningKey, more = {}) =>
    (await signXades(XML, key, { ...options, ...more })).toString();
  const [whole, element, byBia] = [
    await sign(ana),
    await sign(ana, { element: { id: 'p1' } }),
    await sign(bia),
  ];
  const swap = (text: string, from: string, to: string): string => {
    if (from === '' || !text.includes(from)) throw new Error('There is nothing to change.');
    return text.replace(from, to);
  };
  const other = (base64: string): string => (base64.startsWith('A') ? 'B' : 'A') + base64.slice(1);
  const party = /<party Id="p1">.*<\/party>/s.exec(element)?.[0] ?? '';
  const files: Readonly<Record<string, string>> = {
    'changed-text': swap(whole, 'Maria', 'Mario'),
    'changed-element': swap(element, 'Maria', 'Mario'),
    'changed-beside-the-element': swap(element, '<price>100', '<price>900'),
    'changed-signature-value': swap(
      whole,
      between(whole, 'SignatureValue'),
      other(between(whole, 'SignatureValue').trim()),
    ),
    'changed-digest': swap(whole, between(whole, 'DigestValue'), other(between(whole, 'DigestValue'))),
    'changed-claimed-time': swap(whole, '<xades:SigningTime>20', '<xades:SigningTime>19'),
    'changed-certificate': swap(whole, between(whole, 'X509Certificate'), between(byBia, 'X509Certificate')),
    // XML signature wrapping: the signed element is moved aside, and another stands in its place.
    wrapped: swap(element, party, `<party>Mallory</party><aside>${party}</aside>`),
    'strangers-timestamp': await sign(ana, { stamp: strangersStamp }),
    'timestamp-of-another': await sign(ana, {
      stamp: (...[digest, hash]: Parameters<typeof stamp>) => stamp(digest, reversed(hash)),
    }),
  };
  return Object.entries(files).map(([name, text]) => ({ name: `xml-${name}.xml`, bytes: Buffer.from(text) }));
}
