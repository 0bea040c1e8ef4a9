import { afterAll, describe, expect, test } from 'vitest';
import { hashOf } from '../../../../shared/signing/digest.ts';
import { pki } from '../cms/fixtures.ts';
import { folder, hasOpenssl, opensslSigner } from '../cms/openssl.ts';
import { plainPdf } from './documents.ts';
import { aroundContents, forge, type Parts } from './forge.ts';
import { verify } from './parties.ts';

const files = folder();
afterAll(() => files.remove());

const holder = pki.holder();

/** A PDF that openssl signs without signed attributes. */
async function signedByOpenssl(subFilter: string): Promise<Buffer> {
  const original = await plainPdf('table');
  let covered: Buffer = Buffer.alloc(0);
  const keep = (parts: Parts): Buffer => {
    covered = aroundContents(parts);
    return covered;
  };
  if (subFilter === 'adbe.pkcs7.sha1')
    return forge(original, {
      subFilter,
      eContent: (parts) => hashOf('sha1', keep(parts)),
      contents: () => opensslSigner(files, holder, hashOf('sha1', covered))('-noattr'),
    });
  return forge(original, {
    subFilter,
    signs: keep,
    contents: () => opensslSigner(files, holder, covered, 'detached')('-noattr'),
  });
}

describe.skipIf(!hasOpenssl)('a PDF signature without signed attributes', () => {
  test.each([
    ['adbe.pkcs7.detached', []],
    ['adbe.pkcs7.sha1', ['AlgorithmNotAllowed']], // for its SHA-1 alone
  ])(
    'is accepted under %s, which allows it, and broken when a byte is another',
    async (subFilter, errors) => {
      const signed = await signedByOpenssl(subFilter);
      const report = await verify(signed);
      expect(report.signatures[0]?.results.errors.map(({ type }) => type)).toEqual(errors);
      expect(report).toMatchObject({ valid: errors.length === 0, signatures: [{ intact: true }] });
      expect(report.signatures[0]?.results.warnings.map(({ type }) => type)).toContain(
        'SignatureVulnerableToSignerSubstitution',
      );
      const at = signed.indexOf('%PDF-1.') + '%PDF-1.'.length;
      const changed = Buffer.from(signed);
      changed.write(signed[at] === 0x37 ? '6' : '7', at);
      expect(await verify(changed)).toMatchObject({ valid: false, signatures: [{ intact: false }] });
    },
  );

  test('is refused under ETSI.CAdES.detached, and reported as over these bytes', async () => {
    const report = await verify(await signedByOpenssl('ETSI.CAdES.detached'));
    expect(report).toMatchObject({ valid: false, signatures: [{ intact: true }] });
    expect(report.signatures[0]?.results.errors.map(({ type }) => type)).toEqual([
      'RequiredSignedAttributeMissing',
    ]);
  });
});
