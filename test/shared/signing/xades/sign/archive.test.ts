import { describe, expect, test } from 'vitest';
import { hashOf } from '../../../../../shared/signing/digest.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { canonicalPart, canonicalProperties, DS, makeSigned } from '../made-signatures.ts';
import { judge, judgeWithoutAuthority, pki, stampAt } from '../parties.ts';

const DAY_MS = 86_400_000;
const holder = pki.holder();
const signedAtMs = Math.floor(Date.now() / 1000) * 1000;
const archivedAtMs = signedAtMs + 30 * DAY_MS;
const again = archivedAtMs + 30 * DAY_MS;
const expired = holder.certificate.notAfterMs + DAY_MS;

const XADES = 'http://uri.etsi.org/01903/v1.3.2#';
const XADES_141 = 'http://uri.etsi.org/01903/v1.4.1#';
const PROPERTIES_END = '</xades:QualifyingProperties>';
const CONTENT = '<a>100</a>';

const signature = makeSigned({ holder, content: CONTENT, around: (text) => text }).toString();
const inDocument = (text: string): Buffer => Buffer.from(CONTENT.replace('</a>', `${text}</a>`));
const withProperties = (...properties: string[]): string =>
  signature.replace(
    PROPERTIES_END,
    `<xades:UnsignedProperties><xades:UnsignedSignatureProperties>${properties.join('')}</xades:UnsignedSignatureProperties></xades:UnsignedProperties>$&`,
  );

const verify = (text: string, atMs: number) => verifyXades(inDocument(text), { judge, atMs });
const token = async (atMs: number, over: string): Promise<string> =>
  `<xades:EncapsulatedTimeStamp>${(await stampAt(() => atMs)('sha256', hashOf('sha256', Buffer.from(over)))).toString('base64')}</xades:EncapsulatedTimeStamp>`;

const archive = (encapsulated: string): string =>
  `<x:ArchiveTimeStamp xmlns:x="${XADES_141}">${encapsulated}</x:ArchiveTimeStamp>`;
const oldArchive = (encapsulated: string): string =>
  `<xades:ArchiveTimeStamp>${encapsulated}</xades:ArchiveTimeStamp>`;

// Canonical XML 1.0, which is meant when none is named: `ds` and `xades` are in scope of every property.
const canonical = (property: string): string =>
  property.startsWith('<x:')
    ? property.replace(
        `<x:ArchiveTimeStamp xmlns:x="${XADES_141}"`,
        `<x:ArchiveTimeStamp xmlns:ds="${DS}" xmlns:x="${XADES_141}" xmlns:xades="${XADES}"`,
      )
    : property.replace(/^<xades:\w+/, `$& xmlns:ds="${DS}" xmlns:xades="${XADES}"`);

// EN 319 132-1, 5.5.2.2, put together by hand.
const archived = (...before: string[]): string =>
  [
    CONTENT,
    canonicalProperties(signature),
    ...['SignedInfo', 'SignatureValue', 'KeyInfo'].map((name) => canonicalPart(signature, name)),
    ...before.map(canonical),
  ].join('');

const signatureStamp = `<xades:SignatureTimeStamp>${await token(signedAtMs, canonicalPart(signature, 'SignatureValue'))}</xades:SignatureTimeStamp>`;
const archiveStamp = archive(await token(archivedAtMs, archived(signatureStamp)));
const secondStamp = archive(await token(again, archived(signatureStamp, archiveStamp)));

const findingsOf = async (text: string, atMs: number) => {
  const { valid, signatures } = await verify(text, atMs);
  const [
    { archiveTimestamps, provenTimeMs, results } = {
      archiveTimestamps: [],
      provenTimeMs: 0,
      results: { errors: [], warnings: [] },
    },
  ] = signatures;
  return {
    valid,
    provenTimeMs,
    archives: archiveTimestamps.map((one) => one.valid),
    errors: results.errors.map(({ type }) => type),
    warnings: results.warnings.map(({ type }) => type),
  };
};

describe('an archive timestamp', () => {
  test('is over the references, the signature and all that was added before it', async () => {
    const kept = withProperties(signatureStamp, archiveStamp, secondStamp);
    expect(await findingsOf(kept, expired)).toEqual({
      valid: true,
      provenTimeMs: signedAtMs,
      archives: [true, true],
      errors: [],
      warnings: [],
    });
  });

  test('of version 1.3.2 is judged the same way', async () => {
    const old = oldArchive(await token(archivedAtMs, archived(signatureStamp)));
    expect(await findingsOf(withProperties(signatureStamp, old), expired)).toMatchObject({
      valid: true,
      archives: [true],
    });
  });

  test('proves by itself that the signature existed', async () => {
    const alone = archive(await token(archivedAtMs, archived()));
    expect(await findingsOf(withProperties(alone), expired)).toMatchObject({
      valid: true,
      provenTimeMs: archivedAtMs,
    });
  });

  test('carries the proof of an older one whose authority has expired since', async () => {
    // An authority whose certificates of before the second archive timestamp are trusted no longer after it.
    const judgedAt: number[] = [];
    const watching: typeof judge = (certificate, candidates, atMs, along) => {
      judgedAt.push(atMs);
      return judge(certificate, candidates, atMs, along);
    };
    const document = inDocument(withProperties(signatureStamp, archiveStamp, secondStamp));
    await verifyXades(document, { judge: watching, atMs: expired });
    expect(judgedAt).toEqual([expired, again, archivedAtMs, signedAtMs]);
  });

  // The attack: with the key of an authority that expired or was revoked since, somebody adds a timestamp of long ago.
  test('proves no time for anything after it or beside it (backdating)', async () => {
    const alone = await token(archivedAtMs, archived());
    const beside = archive(`${await token(signedAtMs, archived())}${alone}`);
    for (const properties of [[archive(alone), signatureStamp], [beside]]) {
      const judgedAt: number[] = [];
      const watching: typeof judge = (certificate, candidates, atMs, along) => {
        judgedAt.push(atMs);
        return judge(certificate, candidates, atMs, along);
      };
      await verifyXades(inDocument(withProperties(...properties)), { judge: watching, atMs: expired });
      expect(judgedAt.slice(0, 2)).toEqual([expired, expired]);
    }
  });

  test('that is over something else is refused, and proves no time', async () => {
    const forged = archive(await token(archivedAtMs, archived()));
    const document = withProperties(signatureStamp, forged);
    expect(await findingsOf(document, archivedAtMs)).toMatchObject({
      valid: false,
      archives: [false],
      errors: ['InvalidArchiveTimestamp'],
    });
    const alone = withProperties(archive(await token(archivedAtMs, 'something else')));
    expect(await findingsOf(alone, archivedAtMs)).toMatchObject({
      provenTimeMs: undefined,
      errors: ['InvalidArchiveTimestamp'],
    });
  });

  test.each([
    ['a timestamp removed before it', withProperties(archiveStamp)],
    ['data put in before it', withProperties(signatureStamp, '<xades:CertificateValues/>', archiveStamp)],
    ['the order changed', withProperties(archiveStamp, signatureStamp)],
  ])('no longer holds with %s', async (_what, changed) => {
    expect(await findingsOf(changed, signedAtMs)).toMatchObject({
      valid: false,
      errors: ['InvalidArchiveTimestamp'],
    });
  });

  test('of an authority that is not trusted is ignored, and reported', async () => {
    const stamped = inDocument(withProperties(archive(await token(archivedAtMs, archived()))));
    const report = await verifyXades(stamped, { atMs: signedAtMs, judge: judgeWithoutAuthority });
    expect(report).toMatchObject({ valid: true, signatures: [{ provenTimeMs: undefined }] });
    expect(report.signatures[0]?.results.warnings.map(({ type }) => type)).toContain(
      'SignatureTimestampIgnored',
    );
  });
});

describe('a property that is carried and not judged', () => {
  test('is a timestamp beyond the eighth', async () => {
    const { signatures } = await verify(withProperties(...Array(10).fill(signatureStamp)), signedAtMs);
    expect(signatures[0]?.timestamps).toHaveLength(8);
    expect(signatures[0]?.results.warnings.map(({ message }) => message)).toContain(
      'The signature carries 10 timestamps of one kind. Only the first 8 were judged.',
    );
  });

  test.each([
    ['xades:SigAndRefsTimeStamp', '<xades:SigAndRefsTimeStamp/>'],
    ['xades:RefsOnlyTimeStamp', '<xades:RefsOnlyTimeStamp/>'],
    ['e:SealingEvidenceRecords', '<e:SealingEvidenceRecords xmlns:e="http://uri.etsi.org/19132/v1.1.1#"/>'],
    [
      'x:ArchiveTimeStamp',
      archive('<xades:Include URI="#s"/><xades:EncapsulatedTimeStamp>AA==</xades:EncapsulatedTimeStamp>'),
    ],
    ['x:ArchiveTimeStamp', archive('<xades:XMLTimeStamp/>')],
    [
      'x:ArchiveTimeStamp',
      archive(
        '<ds:CanonicalizationMethod Algorithm="urn:mine"/><xades:EncapsulatedTimeStamp>AA==</xades:EncapsulatedTimeStamp>',
      ),
    ],
  ])('is named: %s in %s', async (name, property) => {
    const { valid, signatures } = await verify(withProperties(property), signedAtMs);
    expect(valid).toBe(true);
    expect(signatures[0]?.results.warnings).toContainEqual(
      expect.objectContaining({
        type: 'UnknownUnsignedAttributesPresent',
        message: expect.stringContaining(`The signature carries ${name}, which was not judged`),
      }),
    );
  });

  test('is an archive timestamp over far more than the document has', async () => {
    // Each `>` has four bytes in canonical form.
    const content = (mark: string): string => `<a>${mark.repeat(1_500_000)}</a>`;
    const large = makeSigned({
      ...{ holder, content: content('&gt;') },
      change: (text) =>
        text.replace(
          PROPERTIES_END,
          `<xades:UnsignedProperties><xades:UnsignedSignatureProperties>${archiveStamp}</xades:UnsignedSignatureProperties></xades:UnsignedProperties>$&`,
        ),
      around: (text) => content('>').replace('</a>', `${text}</a>`),
    });
    const { signatures } = await verifyXades(large, { judge, atMs: signedAtMs });
    expect(signatures[0]).toMatchObject({ intact: true, valid: true, archiveTimestamps: [] });
    expect(signatures[0]?.results.warnings.map(({ message }) => message)).toContain(
      'The signature carries a timestamp, which was not judged: it is over more bytes than can be held.',
    );
  });

  test('is a signature timestamp of a kind that is not supported', async () => {
    const property = '<xades:SignatureTimeStamp><xades:XMLTimeStamp/></xades:SignatureTimeStamp>';
    expect(await findingsOf(withProperties(property), signedAtMs)).toMatchObject({
      valid: true,
      warnings: expect.arrayContaining(['SignatureTimestampIgnored']),
    });
  });
});
