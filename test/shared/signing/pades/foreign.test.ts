import { afterAll, expect, test } from 'vitest';
import { writePkcs12 } from '../../../../shared/pki/pkcs12/write.ts';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { pki } from '../cms/fixtures.ts';
import { plainPdf, throughQpdf } from './documents.ts';
import { missingTools, openJudges } from './judges.ts';
import { company, messagesOf, OPTIONS, person, verify } from './parties.ts';

const isJudged = missingTools().length === 0;
const judges = isJudged ? openJudges(pki.root.certificate) : undefined;
afterAll(() => judges?.close());

test.runIf(isJudged).each(['table', 'streams'] as const)(
  'a PDF with %s that another program signs before us and after us keeps every signature',
  async (kind) => {
    const key = await writePkcs12({ ...pki.holder(), friendlyName: 'holder' }, '1234', 1);
    const byThem = (bytes: Buffer): Buffer => judges?.sign(bytes, key, '1234') ?? bytes;
    const theirs = byThem(await plainPdf(kind, { form: true }));
    const all = byThem(await signPades(theirs, company, OPTIONS));
    expect(all.subarray(0, theirs.length).equals(theirs)).toBe(true);
    expect(judges?.judge(all)).toMatchObject({
      signatures: Array(3).fill('Signature is Valid.'),
      certificates: Array(3).fill('Certificate is Trusted.'),
      complaints: '',
    });
    const report = await verify(all);
    expect(report.valid).toBe(true);
    expect(report.signatures.map(({ subFilter }) => subFilter)).toEqual([
      'adbe.pkcs7.detached',
      'ETSI.CAdES.detached',
      'adbe.pkcs7.detached',
    ]);
    for (const message of messagesOf(report))
      expect(message).toMatch(/^signature: A field was added and signed: /);
  },
);

test.runIf(isJudged).each(['table', 'streams'] as const)(
  'a PDF with %s whose form another program fills in afterwards is valid, and reported as filled in',
  async (kind) => {
    const signed = await signPades(await plainPdf(kind, { form: 'empty' }), person, OPTIONS);
    const filled = judges?.fillIn(signed, 'João') ?? signed;
    expect(filled.subarray(0, signed.length).equals(signed)).toBe(true);
    const report = await verify(await signPades(filled, company, OPTIONS));
    expect([report.valid, report.signatures.length]).toEqual([true, 2]);
    expect(messagesOf(report)).toContain('form-filling: The field "buyer.name" was filled in.');
  },
);

test.runIf(isJudged).each([
  ['AES-256', ['256']],
  ['AES-256, in object streams', ['256'], ['--object-streams=generate']],
  ['AES-128', ['128', '--use-aes=y']],
  ['RC4', ['40'], ['--allow-weak-crypto']],
])(
  'a PDF encrypted with %s is refused by that name, whether it asks for a password or not',
  async (_, cipher, more = []) => {
    for (const password of ['', 'secret']) {
      const options = [...more, '--encrypt', password, 'owner', ...cipher, '--'];
      const encrypted = throughQpdf(await plainPdf('table'), ...options);
      await expect(signPades(encrypted, person, OPTIONS)).rejects.toMatchObject({
        name: 'PdfRefused',
        reason: 'encrypted',
      });
    }
  },
);
