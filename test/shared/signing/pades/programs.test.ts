import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainAddPlaceholder } from '@signpdf/placeholder-plain';
import { P12Signer } from '@signpdf/signer-p12';
import { SignPdf } from '@signpdf/signpdf';
import { afterAll, describe, expect, test } from 'vitest';
import { certificatesFromPem } from '../../../../shared/pki/pem.ts';
import { writePkcs12 } from '../../../../shared/pki/pkcs12/write.ts';
import { createJudge } from '../../../../shared/pki/verdict/verdict.ts';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { verifyPdf } from '../../../../shared/signing/pades/verify/verify-pdf.ts';
import { pki } from '../cms/fixtures.ts';
import { buildPdf, ONE_PAGE, plainPdf } from './documents.ts';
import { missingTools, openJudges } from './judges.ts';
import { company, messagesOf, OPTIONS, person, personAgain, verify } from './parties.ts';
import { signLikePyHanko } from './pyhanko-layout.ts';

const FOLDER = join(import.meta.dirname, 'fixtures');
const [root = pki.root.certificate] = certificatesFromPem(readFileSync(join(FOLDER, 'root.pem'), 'latin1'));
const judge = createJudge({ anchors: [root, pki.root.certificate], revocation: 'skip' });
const atMs = Date.UTC(2026, 11, 1);

const judges = missingTools().length === 0 ? openJudges(root) : undefined;
afterAll(() => judges?.close());

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.pdf'));

describe.each(files)('%s', (name) => {
  const file = readFileSync(join(FOLDER, name));
  const visible = { lines: ['Assinado'], place: { page: 1, x: 300, y: 700, width: 200, height: 40 } };

  test('holds three signatures, and each is valid', async () => {
    const report = await verifyPdf(file, { judge, atMs });
    expect([report.valid, report.signatures.length, messagesOf(report).filter(isRefused)]).toEqual([
      true,
      3,
      [],
    ]);
  });

  test('is signed by us on top, and all stay valid', async () => {
    const signed = await signPades(file, person, { ...OPTIONS, visible });
    const report = await verifyPdf(signed, { judge, atMs });
    expect([report.valid, report.signatures.length, messagesOf(report).filter(isRefused)]).toEqual([
      true,
      4,
      [],
    ]);
    if (!judges) return;
    const { signatures, complaints } = judges.judge(signed);
    expect([signatures, complaints]).toEqual([Array(4).fill('Signature is Valid.'), '']);
  });
});

const isRefused = (message: string): boolean => !/^(signature|metadata|validation-data): /.test(message);

describe('a file that is signed in the layout of pyHanko', () => {
  const box = [300, 700, 500, 750] as const;

  test.each(['table', 'streams'] as const)(
    'before us and after us keeps every signature, with %s',
    async (kind) => {
      const theirs = await signLikePyHanko(await plainPdf(kind, { form: true }), {
        key: person,
        field: 'Sig1',
        box,
      });
      if (kind === 'streams') expect(theirs.toString('latin1')).toContain('/W [ 1 8 2 ]');
      const ours = await signPades(theirs, company, OPTIONS);
      const all = await signLikePyHanko(ours, {
        key: personAgain,
        field: 'Sig2',
        box: [300, 600, 500, 650],
        subFilter: 'ETSI.CAdES.detached',
      });
      const report = await verify(all);
      expect([report.valid, report.signatures.map(({ field }) => field)]).toEqual([
        true,
        ['Sig1', 'Signature2', 'Sig2'],
      ]);
      expect(messagesOf(report).filter(isRefused)).toEqual([]);
      const twice = await verify(await signPades(all, company, OPTIONS));
      expect([twice.valid, twice.signatures.length]).toEqual([true, 4]);
      expect(judges?.judge(all).signatures).toEqual(judges && Array(3).fill('Signature is Valid.'));
    },
  );

  test('and has neither a form nor /ID nor /Info before keeps ours', async () => {
    const ours = await signPades(buildPdf(ONE_PAGE), company, OPTIONS);
    const report = await verify(await signLikePyHanko(ours, { key: person, field: 'Sig1' }));
    expect([report.valid, messagesOf(report).filter(isRefused)]).toEqual([true, []]);
  });
});

// Its startxref points to the empty line before the table.
test('a file that @signpdf signs before us and after us keeps every signature', async () => {
  const p12 = await writePkcs12({ ...pki.holder(), friendlyName: 'holder' }, '1234', 1);
  const texts = { reason: 'Contrato', contactInfo: '', name: 'Teste', location: '' };
  const byThem = (pdfBuffer: Buffer): Promise<Buffer> =>
    new SignPdf().sign(
      plainAddPlaceholder({ pdfBuffer, ...texts, signatureLength: 8192 }),
      new P12Signer(p12, { passphrase: '1234' }),
    );
  const all = await byThem(await signPades(await byThem(await plainPdf('table')), company, OPTIONS));
  const report = await verify(all);
  expect([report.valid, report.signatures.length, messagesOf(report).filter(isRefused)]).toEqual([
    true,
    3,
    [],
  ]);
});
