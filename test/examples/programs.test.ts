import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { certificatesFromPem } from '../../shared/pki/pem.ts';
import { bareEnvironment, command } from '../infra/child.ts';
import { type SharedEngine, sharedEngine } from '../servers/shared-engine.ts';
import { hasOpenssl, openssl } from '../shared/signing/cms/openssl.ts';
import { type Judges, missingTools, openJudges } from '../shared/signing/pades/judges.ts';
import { hasXmlsec, type Xmlsec, xmlsec } from '../shared/signing/xades/xmlsec.ts';

// The programs run as their pages say, beside a running engine. What they leave is judged by programs of others.

const CONTRACT = 'examples/two-signers/contract.pdf';
const hasPdfTools = missingTools().length === 0;

let engine: SharedEngine;
let folder: string;
let pdfs: Judges | undefined;
let xmls: Xmlsec;
beforeAll(async () => {
  engine = await sharedEngine();
  folder = mkdtempSync(join(tmpdir(), 'sinete-programs-'));
  const [root, intermediate] = [authority('root'), authority('intermediate')];
  if (hasPdfTools) pdfs = openJudges(root, '-no-ocsp');
  xmls = xmlsec({ root: { certificate: root }, intermediate: { certificate: intermediate } });
});
afterAll(() => {
  pdfs?.close();
  xmls?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const at = (...names: readonly string[]) => join(folder, ...names);

function authority(name: string) {
  const [certificate] = certificatesFromPem(readFileSync(join(engine.dataDir, `pki/${name}.crt`), 'utf8'));
  if (!certificate) throw new Error(`The engine has written no ${name}.`);
  return certificate;
}

const run = (example: string, ...words: readonly string[]) =>
  command(`examples/${example}/main.ts`, { env: bareEnvironment(), node: ['--conditions=sinete-source'] })(
    ...words,
  );

const VALID = { signatures: ['Signature is Valid.'], certificates: ['Certificate is Trusted.'] };

/** What openssl finds in a CMS signature that it trusts. */
function contentOf(path: string): Buffer {
  const trust = ['-CAfile', join(engine.dataDir, 'pki/root.crt'), '-purpose', 'any'];
  const { ok, says, stdout } = openssl(
    ...['cms', '-verify', '-cades', '-binary', '-inform', 'DER', '-in', path, ...trust],
  );
  if (!ok) throw new Error(says);
  return stdout;
}

/** What xmlsec1 says of each signature of an XML file. */
function judgeXml(path: string): string[] {
  const bytes = readFileSync(path);
  const ids = [...bytes.toString().matchAll(/<ds:Signature [^>]*Id="([^"]+)"/g)].map(([, id = '']) => id);
  return ids.map((signatureId) => xmls.judge(bytes, { signatureId }));
}

/** The one file of a folder whose name ends so. */
function oneIn(path: string, end: string): string {
  const found = readdirSync(path).filter((name) => name.endsWith(end));
  expect(found).toHaveLength(1);
  return join(path, found[0] ?? '');
}

describe('sign-folder', () => {
  test('signs every file of a folder, and verify-folder finds them valid until one is changed', async () => {
    cpSync('examples/sign-folder/files', at('files'), { recursive: true });
    cpSync(CONTRACT, at('files/contract.pdf'));
    const out = at('signed');
    const { code, error } = await run('sign-folder', at('files'), '--out', out, '--root', engine.url);
    expect({ code, error }).toEqual({ code: 0, error: '' });

    const pdf = readFileSync(oneIn(out, 'contract.signed.pdf'));
    if (pdfs) expect(pdfs.judge(pdf)).toMatchObject(VALID);
    const cms = oneIn(out, 'ledger.csv.p7m');
    if (hasOpenssl) expect(contentOf(cms)).toEqual(readFileSync(at('files/ledger.csv')));
    if (hasXmlsec) expect(judgeXml(oneIn(out, 'degree.signed.xml'))).toEqual(['OK']);

    const good = await run('verify-folder', out, engine.url);
    expect({
      code: good.code,
      valid: good.out.match(/^valid: .* signed by SANDBOX HOLDER/gm)?.length,
    }).toEqual({
      code: 0,
      valid: 3,
    });
    pdf.write('X', pdf.indexOf('stream') + 20);
    writeFileSync(oneIn(out, 'contract.signed.pdf'), pdf);
    writeFileSync(join(out, 'unsigned.pdf'), readFileSync(CONTRACT));
    const bad = await run('verify-folder', out, engine.url);
    expect({ code: bad.code, invalid: bad.out.match(/^NOT VALID: .*/gm) }).toEqual({
      code: 1,
      invalid: [expect.stringContaining('contract.signed.pdf'), expect.stringContaining('unsigned.pdf')],
    });
  });

  test('signs payments that people have approved, and says what became of the others', async () => {
    cpSync('examples/sign-folder/payments', at('payments'), { recursive: true });
    writeFileSync(at('payments/broken.rem'), 'no remittance');
    const people = ['ana', 'bruno'].flatMap((name) => ['--approve-as', `${name}@sandbox.example`]);
    const out = at('paid');
    const options = ['--out', out, '--profile', 'aprovacao', ...people, '--root', engine.url];
    const { code, out: said, error } = await run('sign-folder', at('payments'), ...options);
    expect({ code, error }).toEqual({ code: 1, error: expect.stringMatching(/broken\.rem: Failed\. ./) });
    expect(said.match(/waits for 2 approvals/g)).toHaveLength(2);
    expect(readdirSync(out)).toHaveLength(2);
    for (const name of ['payroll', 'suppliers'])
      if (hasOpenssl)
        expect(contentOf(oneIn(out, `${name}.signed.rem`))).toEqual(readFileSync(at(`payments/${name}.rem`)));
  });
});

test('two-signers waits for both signatures by webhook, and keeps the signed contract', async () => {
  const { code, out, error } = await run('two-signers', engine.url, engine.dataDir, at('two.pdf'));
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(out.match(/Event: DocumentSigned/g)).toHaveLength(2);
  if (pdfs)
    expect(pdfs.judge(readFileSync(at('two.pdf')))).toMatchObject({
      signatures: ['Signature is Valid.', 'Signature is Valid.'],
      certificates: ['Certificate is Trusted.', 'Certificate is Trusted.'],
    });
});

test('issued-degree issues the degrees of a spreadsheet, and names the line that it cannot', async () => {
  const { code, out, error } = await run('issued-degree', engine.url, engine.dataDir, at('degrees'));
  expect({ code, error }).toEqual({ code: 0, error: expect.stringMatching(/^Line 4 of the spreadsheet: /) });
  expect(readdirSync(at('degrees'))).toHaveLength(4);
  for (const name of readdirSync(at('degrees')))
    if (hasXmlsec) expect([name, judgeXml(at('degrees', name))]).toEqual([name, ['OK', 'OK']]);
  const [page = ''] = out.match(/http\S+/) ?? [];
  expect(await (await fetch(page)).text()).toContain('Maria da Silva');
});
