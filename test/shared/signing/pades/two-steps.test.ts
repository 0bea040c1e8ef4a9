import { afterAll, expect, test } from 'vitest';
import { ATTRIBUTE } from '../../../../shared/signing/cms/oids.ts';
import { readSignedData } from '../../../../shared/signing/cms/read.ts';
import { hashOf } from '../../../../shared/signing/digest.ts';
import type { SigningKey } from '../../../../shared/signing/key.ts';
import { completePades } from '../../../../shared/signing/pades/complete.ts';
import { SUB_FILTER } from '../../../../shared/signing/pades/fields.ts';
import { type PadesState, preparePades } from '../../../../shared/signing/pades/prepare.ts';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { trustPem } from '../cms/fixtures.ts';
import { folder, hasOpenssl, openssl } from '../cms/openssl.ts';
import { buildPdf, ONE_PAGE, plainPdf } from './documents.ts';
import { signaturesIn } from './outside.ts';
import { company, OPTIONS, person, stamp, verify } from './parties.ts';

const files = folder();
afterAll(() => files.remove());

/** The output of openssl for the CMS structure in a PDF with a /SubFilter that no other tool knows. */
function judgedCms(pdf: Buffer): string {
  const [found] = signaturesIn(pdf);
  const signature = files.file('signature', found?.der ?? '');
  const over = ['-content', files.file('content', found?.signedBytes ?? ''), '-out', files.path('out')];
  const trust = ['-CAfile', files.file('trust', trustPem()), '-crl_check_all', '-purpose', 'any'];
  return openssl('cms', '-verify', '-cades', '-binary', '-inform', 'DER', '-in', signature, ...over, ...trust)
    .says;
}

const original = await plainPdf('streams', { pages: 200 });

const prepared = (key: SigningKey = person, options = {}) =>
  preparePades(original, { ...OPTIONS, ...options, certificate: key.certificate, chain: key.chain });

test('the state goes through JSON, is small, and is enough to complete with', async () => {
  const { state, increment, digest, hash, toSign } = prepared();
  expect(hash.equals(hashOf(digest, toSign))).toBe(true);
  const json = JSON.stringify(state);
  expect(json.length).toBeLessThan(16_384);
  const signature = await person.signHash(digest, hash);
  const appended = await completePades(JSON.parse(json) as PadesState, signature, { increment });
  expect((await verify(Buffer.concat([original, appended]))).valid).toBe(true);
});

test('a signature by another key, over something else, or cut short is refused and nothing is written', async () => {
  const { state, increment, digest, hash } = prepared();
  const wrong = [
    await company.signHash(digest, hash),
    await person.signHash(digest, hashOf(digest, hash)),
    (await person.signHash(digest, hash)).subarray(1),
    Buffer.alloc(0),
  ];
  for (const signature of wrong)
    await expect(completePades(state, signature, { increment })).rejects.toMatchObject({
      name: 'SignatureMismatch',
    });
});

test('a signature that does not fit says how much room it needs', async () => {
  const { state, increment, digest, hash } = prepared(person, { contentsBytes: 1000 });
  const signature = await person.signHash(digest, hash);
  const failure = await completePades(state, signature, { increment }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'ContentsTooSmall', neededBytes: expect.any(Number) });
});

test('in one step a signature that does not fit is made once more with room enough', async () => {
  let stampCount = 0;
  const padding = Buffer.alloc(20_000, 7);
  const signed = await signPades(original, person, {
    ...OPTIONS,
    // A token larger than any estimate. The structure around it may be invalid here.
    stamp: async (digest, hash) => {
      stampCount++;
      const token = await stamp(digest, hash);
      return stampCount > 2 ? token : Buffer.concat([token, padding]);
    },
  });
  expect(stampCount).toBe(2);
  expect(signed.length).toBeGreaterThan(original.length + 2 * padding.length);
});

test('the time stands in the PDF alone: an attribute for it would contradict the profile', async () => {
  const [found] = signaturesIn(await signPades(buildPdf(ONE_PAGE), person, OPTIONS));
  const [signer] = readSignedData(found?.der ?? original).signers;
  expect([...(signer?.signed.keys() ?? [])].toSorted()).toEqual(
    [ATTRIBUTE.contentType, ATTRIBUTE.messageDigest, ATTRIBUTE.signingCertificateV2].toSorted(),
  );
});

test('the room left is hardly more than the signature needs', async () => {
  const { state, increment, digest, hash } = prepared();
  const appended = await completePades(state, await person.signHash(digest, hash), { increment });
  const zeros = /0*>/.exec(appended.toString('latin1', state.contentsAt - state.fileBytes))?.[0].length ?? 0;
  expect(zeros / 2).toBeLessThan(2048);
});

test('a signature under an ICP-Brasil policy says so, and one without does not', async () => {
  const policy = {
    oid: '2.16.76.1.7.1.11.1',
    digest: 'sha256',
    hash: Buffer.from('501d69b4b71fc6e57323c2c74131a9c8c62409be378ba788dc288555611b9e58', 'hex'),
    uri: 'http://politicas.icpbrasil.gov.br/PA_PAdES_AD_RB_v1_0.der',
  } as const;
  const file = buildPdf(ONE_PAGE);
  const signed = await signPades(file, person, { ...OPTIONS, policy });
  if (hasOpenssl) expect(judgedCms(signed)).toBe('CAdES Verification successful\n');
  const [under] = (await verify(signed)).signatures;
  expect(under).toMatchObject({
    valid: true,
    subFilter: SUB_FILTER.icpBrasil,
    policy: { oid: policy.oid, uri: policy.uri },
  });
  const [without] = (await verify(await signPades(file, person, OPTIONS))).signatures;
  expect(without).toMatchObject({ valid: true, subFilter: SUB_FILTER.pades, policy: undefined });
});
