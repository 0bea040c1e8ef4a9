import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { ia5String, octetString, oid, sequence } from '../../../../shared/der/write.ts';
import { verifyCades } from '../../../../shared/signing/cades/verify.ts';
import { ATTRIBUTE, POLICY_URI } from '../../../../shared/signing/cms/oids.ts';
import { attribute } from '../../../../shared/signing/cms/signer-info.ts';
import { digestAlgorithm, hashOf } from '../../../../shared/signing/digest.ts';
import { stampWith } from '../../../../shared/signing/timestamp/client.ts';
import { holderKey, judge, trustPem } from '../cms/fixtures.ts';
import { type Forgery, forged, goodAttributes } from '../cms/forge.ts';
import { folder, hasOpenssl, opensslVerifies } from '../cms/openssl.ts';
import { reaching } from '../timestamp/fixtures.ts';

const files = folder();
afterAll(() => files.remove());

const key = holderKey();
const content = randomBytes(100);
const stamp = stampWith(reaching());
const tokenOver = (bytes: Buffer): Promise<Buffer> => stamp('sha256', hashOf('sha256', bytes));

const signatureWith = (more: readonly Buffer[], unsigned: Forgery['unsigned'] = []): Promise<Buffer> =>
  forged({
    key,
    content,
    attributes: [...Object.values(goodAttributes(key, content)), ...more],
    unsigned,
  });

const reportOn = async (signature: Buffer) => {
  const { valid, signers } = await verifyCades(signature, { judge, atMs: Date.now() });
  const [signer] = signers;
  return {
    valid,
    signer,
    notes: signer?.results.warnings.map(({ message }) => message).join('\n') ?? '',
    errors: signer?.results.errors.map(({ type }) => type) ?? [],
  };
};

describe('a timestamp that is wrapped in an OCTET STRING', () => {
  const wrapped = (unwrapped: (signature: Buffer) => Promise<Buffer>) =>
    signatureWith([], async (signature) => [
      attribute(ATTRIBUTE.signatureTimestamp, octetString(await unwrapped(signature))),
    ]);

  test('is ignored with a note, and proves no time', async () => {
    for (const token of [tokenOver, async () => randomBytes(50)]) {
      const { valid, signer, notes } = await reportOn(await wrapped(token));
      expect([valid, signer?.timestamps, signer?.provenTimeMs]).toEqual([true, [], undefined]);
      expect(notes).toContain('A timestamp is wrapped in an OCTET STRING');
      expect(notes).toContain('No timestamp that is trusted proves when it was signed.');
    }
  });

  test('excuses no other timestamp: one over other bytes is still an error', async () => {
    const both = await signatureWith([], async (signature) => [
      attribute(ATTRIBUTE.signatureTimestamp, octetString(await tokenOver(signature))),
      attribute(ATTRIBUTE.signatureTimestamp, await tokenOver(Buffer.from('other'))),
    ]);
    expect(await reportOn(both)).toMatchObject({ valid: false, errors: ['InvalidSignatureTimestamp'] });
  });

  test.skipIf(!hasOpenssl)('leaves the signature good to openssl', async () => {
    const trust = files.file('trust', trustPem());
    expect(opensslVerifies(files, await wrapped(tokenOver), { trust })).toMatchObject({ ok: true });
  });
});

describe('a signature policy whose only qualifier has no SEQUENCE around it', () => {
  const URI = 'http://administracionelectronica.gob.es/politica.pdf';
  const hash = sequence(digestAlgorithm('sha256'), octetString(randomBytes(32)));
  const qualifier = [oid(POLICY_URI), ia5String(URI)];
  const named = (qualifiers: Buffer): Promise<Buffer> =>
    signatureWith([
      attribute(ATTRIBUTE.signaturePolicy, sequence(oid('2.16.724.1.3.1.1.2.1.9'), hash, qualifiers)),
    ]);

  test('is read, as @firma writes it and as the standard does', async () => {
    for (const qualifiers of [sequence(...qualifier), sequence(sequence(...qualifier))]) {
      const { valid, signer } = await reportOn(await named(qualifiers));
      expect([valid, signer?.policy?.oid, signer?.policy?.uri]).toEqual([
        true,
        '2.16.724.1.3.1.1.2.1.9',
        URI,
      ]);
    }
  });

  test.each([
    ['no qualifiers', ia5String(URI)],
    ['texts alone', sequence(ia5String(URI))],
    ['a text before the kind', sequence(ia5String(URI), oid(POLICY_URI))],
  ])('is not read when there are %s', async (_, qualifiers) => {
    expect(await reportOn(await named(qualifiers))).toMatchObject({
      valid: false,
      errors: ['SignaturePolicyMismatch'],
    });
  });
});

test('a timestamp over the content, which the signer signed along, is named as not judged', async () => {
  const [first, second] = [await tokenOver(content), await tokenOver(content)];
  const contentTimestamp = attribute('1.2.840.113549.1.9.16.2.20', first, second);
  const { valid, notes } = await reportOn(await signatureWith([contentTimestamp]));
  expect(valid).toBe(true);
  expect(notes).toContain(
    'Signed along and not judged here: a timestamp over the content (1.2.840.113549.1.9.16.2.20).',
  );
});
