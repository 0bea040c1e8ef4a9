import { describe, expect, test } from 'vitest';
import { createJudge } from '../../../../shared/pki/verdict/verdict.ts';
import { collectEvidenceWith } from '../../../../shared/signing/pades/collect-evidence.ts';
import { sourceOf } from '../../../../shared/signing/pades/pdf/source.ts';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { appendValidationData } from '../../../../shared/signing/pades/validation-data.ts';
import { verifyPdf } from '../../../../shared/signing/pades/verify/verify-pdf.ts';
import { stampWith } from '../../../../shared/signing/timestamp/client.ts';
import { crlOf } from '../cms/crl.ts';
import { holderKey, pki } from '../cms/fixtures.ts';
import { reaching } from '../timestamp/fixtures.ts';
import { buildPdf, ONE_PAGE, plainPdf } from './documents.ts';
import { forge } from './forge.ts';
import { missingTools, openJudges } from './judges.ts';
import { signaturesIn } from './outside.ts';
import { judge, messagesOf, OPTIONS, person, personAgain, stamp, verify } from './parties.ts';
import { appendUpdate, bodyOf } from './tamper.ts';

const anchors = [pki.root.certificate];
const crls = [crlOf(pki.root), crlOf(pki.intermediate)];
const offline = createJudge({ anchors });
const withCrls: typeof offline = (certificate, candidates, atMs) =>
  offline(certificate, candidates, atMs, { crls });
const evidence = collectEvidenceWith(withCrls, Date.now());

const kindsOf = (report: Awaited<ReturnType<typeof verify>>): string[] =>
  report.signatures.map(({ kind }) => kind);

test('B-T: a timestamp proves when it was signed', async () => {
  const report = await verify(await signPades(buildPdf(ONE_PAGE), person, { ...OPTIONS, stamp }));
  expect(report.valid).toBe(true);
  expect(report.signatures[0]?.provenTimeMs).toBeGreaterThan(Date.now() - 60_000);
  expect(report.signatures[0]?.timestamps.map(({ valid }) => valid)).toEqual([true]);
});

describe.each(['table', 'streams'] as const)('in a file with %s', (kind) => {
  test('B-LT: whoever has the file alone can check revocation', async () => {
    const plain = await signPades(await plainPdf(kind), person, { ...OPTIONS, stamp });
    const signed = await signPades(await plainPdf(kind), person, { ...OPTIONS, stamp, evidence });
    const at = { judge: offline, atMs: Date.now() };
    expect((await verifyPdf(plain, at)).signatures[0]?.verdict?.status).toBe('STALE');
    const report = await verifyPdf(signed, at);
    expect(report.signatures[0]?.verdict?.status).toBe('ACTIVE');
    expect(report.valid).toBe(true);
    expect(messagesOf(report)).toContain('validation-data: Data to validate the signatures was added.');
  });

  test('B-LTA: a timestamp over the document comes last, and all judges are content', async () => {
    const file = await plainPdf(kind, { form: true });
    const archived = await signPades(file, person, { ...OPTIONS, stamp, evidence, archive: stamp });
    const report = await verify(archived);
    expect(report.valid).toBe(true);
    expect(kindsOf(report)).toEqual(['signature', 'document-timestamp']);
    expect(report.signatures.map(({ coverage }) => coverage?.wholeFile)).toEqual([false, true]);
    if (missingTools().length) return;
    const judges = openJudges(pki.root.certificate);
    expect(judges.judge(archived)).toMatchObject({
      signatures: ['Signature is Valid.', expect.any(String)],
      complaints: '',
    });
    judges.close();
  });
});

test('a certificate that expired since is judged at the time that a timestamp over the document proves', async () => {
  const expiring = holderKey({ change: { notAfterMs: Date.now() + 60_000 } });
  const later = { judge, atMs: Date.now() + 3_600_000 };
  const plain = await signPades(buildPdf(ONE_PAGE), expiring, OPTIONS);
  expect((await verifyPdf(plain, later)).signatures[0]?.verdict?.status).toBe('EXPIRED');
  const archived = await signPades(buildPdf(ONE_PAGE), expiring, { ...OPTIONS, archive: stamp });
  const report = await verifyPdf(archived, later);
  expect(report.signatures.map(({ verdict }) => verdict?.status)).toEqual(['ACTIVE', 'ACTIVE']);
  expect(report.valid).toBe(true);
});

test('what the file brings along is shown to the judge', async () => {
  const ocspResponses = [Buffer.from('30030a0106', 'hex')];
  const signed = await signPades(buildPdf(ONE_PAGE), person, {
    ...OPTIONS,
    evidence: async () => ({ certificates: [], crls, ocspResponses }),
  });
  const shown: unknown[] = [];
  const watching: typeof judge = (certificate, candidates, atMs, along) => {
    shown.push(along);
    return judge(certificate, candidates, atMs, along);
  };
  await verifyPdf(signed, { judge: watching, atMs: Date.now() });
  expect(shown).toEqual([expect.objectContaining({ crls, ocspResponses })]);
});

test('validation data that the file holds already is not written again', async () => {
  const data = { certificates: [pki.root.certificate.der], crls, ocspResponses: [] };
  const once = appendValidationData(sourceOf(await signPades(buildPdf(ONE_PAGE), person, OPTIONS)), data);
  const twice = appendValidationData(once, { ...data, ocspResponses: [Buffer.from('3003020101', 'hex')] });
  const [, , added] = twice.pieces;
  expect(added?.toString('latin1').match(/>>\nstream\n/g)).toHaveLength(1);
});

test('validation data names the signature that was made last, wherever its field stands in the form', async () => {
  const fields = buildPdf({
    ...ONE_PAGE,
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R 7 0 R]>>>>',
    6: '<</Type/Annot/Subtype/Widget/FT/Sig/T(Seller)/Rect[0 0 0 0]/P 3 0 R/F 4>>',
    7: '<</Type/Annot/Subtype/Widget/FT/Sig/T(Buyer)/Rect[0 0 0 0]/P 3 0 R/F 4>>',
  });
  const buyer = await signPades(fields, person, { ...OPTIONS, field: 'Buyer' });
  const both = await signPades(buyer, personAgain, { ...OPTIONS, field: 'Seller', stamp, evidence });
  const [, last] = signaturesIn(both);
  const [, named] = /\/VRI\s*<<\s*\/(\w+)/.exec(both.toString('latin1')) ?? [];
  expect(named).toBe(last?.key);
});

test('no validation data is stored for a certificate that is not active', async () => {
  const unknown = collectEvidenceWith(offline, Date.now());
  const signing = signPades(buildPdf(ONE_PAGE), person, { ...OPTIONS, stamp, evidence: unknown });
  await expect(signing).rejects.toMatchObject({
    name: 'EvidenceIncomplete',
    message: expect.stringContaining('STALE'),
  });
});

test('validation data and document timestamps are added even where no change is allowed', async () => {
  const file = await signPades(buildPdf(ONE_PAGE), person, {
    ...OPTIONS,
    certify: 1,
    stamp,
    evidence,
    archive: stamp,
  });
  const report = await verify(file);
  expect(report.signatures[0]).toMatchObject({ allowedChanges: 1, unmodified: true, valid: true });
});

test('a timestamp over something else does not pass', async () => {
  const elsewhere = stampWith(reaching());
  const wrong = (digest: Parameters<typeof stamp>[0], hash: Buffer) =>
    elsewhere(digest, Buffer.from(hash).reverse());
  const signed = await verify(await signPades(buildPdf(ONE_PAGE), person, { ...OPTIONS, stamp: wrong }));
  expect(signed.valid).toBe(false);
  const archived = await verify(await signPades(buildPdf(ONE_PAGE), person, { ...OPTIONS, archive: wrong }));
  expect(archived.signatures.map(({ intact }) => intact)).toEqual([true, false]);
  expect(archived.valid).toBe(false);
});

describe('validation data that a later save takes away', () => {
  const data = {
    certificates: [pki.root.certificate.der],
    crls,
    ocspResponses: [Buffer.from('3003020101', 'hex')],
  };
  const longTerm = async (): Promise<Buffer> => {
    const signed = await signPades(buildPdf(ONE_PAGE), person, OPTIONS);
    return Buffer.concat(appendValidationData(sourceOf(signed), data).pieces);
  };
  const REMOVED = 'Data to validate the signatures was removed or replaced';

  /** Signs the file again, applies the change, and returns the messages for the second signature, which covers the data. */
  const messagesAfter = async (change: (store: string, catalog: string) => Record<number, string>) => {
    const sealed = await signPades(await longTerm(), personAgain, OPTIONS);
    const store = Number(/\/DSS (\d+) 0 R/.exec(bodyOf(sealed, 1))?.[1]);
    const objects = change(bodyOf(sealed, store), bodyOf(sealed, 1));
    const renamed = Object.entries(objects).map(([id, body]) => [id === '0' ? store : id, body]);
    const report = await verify(appendUpdate(sealed, { objects: Object.fromEntries(renamed) }));
    return {
      valid: report.valid,
      messages: report.signatures.at(-1)?.changes.map(({ kind, what }) => `${kind}: ${what}`),
    };
  };

  test.each<[string, (store: string, catalog: string) => Record<number, string>, string]>([
    ['a certificate', (store) => ({ 0: store.replace(/\/Certs \[[^\]]*\]/, '') }), '1 certificate'],
    ['the CRLs', (store) => ({ 0: store.replace(/\/CRLs \[[^\]]*\]/, '/CRLs []') }), '2 CRLs'],
    ['an OCSP response', (store) => ({ 0: store.replace(/\/OCSPs \[[^\]]*\]/, '') }), '1 OCSP response'],
    [
      'the data by signature',
      (store) => ({ 0: store.replace(/\/VRI <<.*?>>/s, '') }),
      'what a signature is judged by (VRI)',
    ],
    [
      'all of it',
      (_, catalog) => ({ 1: catalog.replace(/\/DSS \d+ 0 R/, '') }),
      '1 certificate, 2 CRLs, 1 OCSP response, what a signature is judged by (VRI)',
    ],
  ])('is reported: %s', async (_, change, what) => {
    expect(await messagesAfter(change)).toEqual({
      valid: true,
      messages: [`validation-data: ${REMOVED}: ${what}.`],
    });
  });

  test('is reported as removed and added where it is replaced in its place', async () => {
    const { messages } = await messagesAfter((store) => ({
      [Number(/\/OCSPs \[(\d+)/.exec(store)?.[1])]: '<</Length 5>>\nstream\n0\x03\x02\x01\x02\nendstream',
    }));
    expect(messages?.sort()).toEqual([
      'validation-data: Data to validate the signatures was added.',
      `validation-data: ${REMOVED}: 1 OCSP response, what a signature is judged by (VRI).`,
    ]);
  });

  test('is the same data under another number', async () => {
    const { messages } = await messagesAfter((store) => {
      const id = /\/OCSPs \[(\d+)/.exec(store)?.[1];
      return {
        0: store.replace(`/OCSPs [${id} `, '/OCSPs [90 '),
        90: '<</Length 5>>\nstream\n0\x03\x02\x01\x01\nendstream',
      };
    });
    expect(messages).toEqual([]);
  });

  test('is a modification where no change is allowed', async () => {
    const locked = await forge(await longTerm(), {
      subFilter: 'ETSI.CAdES.detached/Reference[<</TransformMethod/DocMDP/TransformParams<</P 1>>>>]',
    });
    expect((await verify(locked)).valid).toBe(true);
    const gone = appendUpdate(locked, { objects: { 1: bodyOf(locked, 1).replace(/\/DSS \d+ 0 R/, '') } });
    expect(messagesOf(await verify(gone)).join()).toContain(`modification: ${REMOVED}`);
  });
});
