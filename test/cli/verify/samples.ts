import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { runSign } from '../../../cli/sign/run.ts';
import { runVerify } from '../../../cli/verify/run.ts';
import { openPkcs12 } from '../../../shared/pki/pkcs12/open.ts';
import { localKey } from '../../../shared/signing/key.ts';
import { signPades } from '../../../shared/signing/pades/sign.ts';
import type { VerificationReport } from '../../../shared/signing/verification/report.ts';
import { buildPdf, ONE_PAGE } from '../../shared/signing/pades/documents.ts';
import { appendUpdate, bodyOf } from '../../shared/signing/pades/tamper.ts';
import { writeFilesToSign } from '../sandbox.ts';

const HOLDER = '52998224725';

/** What signing needs of a sandbox: a file of its pki folder, and a place for the samples. */
export type Signing = { pki(...path: string[]): string; path(name: string): string };

/** A file, what it is over where it stands apart, and what it comes to. */
export type Sample = {
  readonly file: string;
  readonly content?: string;
  readonly outcome: VerificationReport['outcome'];
  readonly reasons: VerificationReport['reasons'];
};

/** Signed files of every format, good and bad, for those who must agree on them. */
export async function makeSamples({ pki, path }: Signing): Promise<Sample[]> {
  await writeFilesToSign({ path });
  const sign = async (name: string, out: string, { as = HOLDER, more = [] as string[] } = {}) => {
    const key = ['--p12', pki('holders', `${as}.p12`), '--pin-file', path('pin')];
    const complaints: string[] = [];
    const code = await runSign([path(name), ...key, '--out', path(out), ...more], {
      print: () => {},
      printError: (text) => complaints.push(text),
    });
    if (code !== 0) throw new Error(complaints.join(' '));
  };
  await sign('contract.pdf', 'valid.pdf');
  await sign('valid.pdf', 'both.pdf', { as: '47363361886' });
  await sign('contract.pdf', 'untrusted.pdf', { as: '87378011126' });
  await sign('contract.xml', 'valid.xml');
  await sign('contract.xml', 'element.xml', { more: ['--element', 'p1'] });
  await sign('data.bin', 'attached.p7m');
  await sign('data.bin', 'data.bin.p7s', { more: ['--detached'] });
  await sign('data.bin', 'revoked.p7m', { as: '56072386105' });
  const tampered = readFileSync(path('valid.pdf'));
  tampered.writeUInt8(tampered.readUInt8(10) ^ 1, 10);
  writeFileSync(path('tampered.pdf'), tampered);
  writeFileSync(path('changed.xml'), readFileSync(path('valid.xml'), 'utf8').replace('Maria', 'Mario'));
  writeFileSync(path('cut.pdf'), readFileSync(path('valid.pdf')).subarray(0, -400));
  await writeAnnotated({ pki, path });
  const valid = { outcome: 'valid', reasons: [] } as const;
  const all: Sample[] = [
    { file: 'valid.pdf', ...valid },
    { file: 'both.pdf', ...valid },
    { file: 'commented.pdf', ...valid },
    { file: 'overlaid.pdf', outcome: 'undetermined', reasons: ['SIG_CONSTRAINTS_FAILURE'] },
    { file: 'covered.pdf', outcome: 'invalid', reasons: ['HASH_FAILURE'] },
    { file: 'valid.xml', ...valid },
    { file: 'attached.p7m', ...valid },
    { file: 'data.bin.p7s', content: 'data.bin', ...valid },
    { file: 'data.bin.p7s', outcome: 'undetermined', reasons: ['SIGNED_DATA_NOT_FOUND'] },
    { file: 'element.xml', outcome: 'undetermined', reasons: ['SIG_CONSTRAINTS_FAILURE'] },
    { file: 'contract.pdf', outcome: 'undetermined', reasons: ['GENERIC'] },
    { file: 'tampered.pdf', outcome: 'invalid', reasons: ['HASH_FAILURE'] },
    { file: 'changed.xml', outcome: 'invalid', reasons: ['HASH_FAILURE'] },
    { file: 'untrusted.pdf', outcome: 'invalid', reasons: ['NO_CERTIFICATE_CHAIN_FOUND'] },
    { file: 'revoked.p7m', outcome: 'invalid', reasons: ['REVOKED_NO_POE'] },
  ];
  return all.map((sample) => ({
    ...sample,
    file: path(sample.file),
    ...(sample.content && { content: path(sample.content) }),
  }));
}

/** A PDF whose signer allows annotations, with three kinds of them. */
async function writeAnnotated({ pki, path }: Signing): Promise<void> {
  const { entries } = await openPkcs12(readFileSync(pki('holders', `${HOLDER}.p12`)), '1234');
  const [{ privateKey, certificate, chain } = raise('The holder has no key.')] = entries;
  const key = localKey(privateKey, certificate, chain);
  const certified = await signPades(buildPdf(ONE_PAGE), key, { signingTimeMs: Date.now(), certify: 3 });
  const look =
    '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length 18>>\nstream\n1 g 0 0 9 9 re f  \nendstream';
  for (const [name, kind] of Object.entries({
    commented: 'Text',
    overlaid: 'Highlight/AP<</N 41 0 R>>',
    covered: 'FreeText/AP<</N 41 0 R>>',
  })) {
    const annots = bodyOf(certified, 3).replace(/(\/Annots ?\[[^\]]*)\]/, '$1 40 0 R]');
    const annotation = `<</Type/Annot/Rect[50 740 70 760]/Subtype/${kind}>>`;
    writeFileSync(
      path(`${name}.pdf`),
      appendUpdate(certified, { objects: { 3: annots, 40: annotation, 41: look } }),
    );
  }
}

const raise = (message: string): never => {
  throw new Error(message);
};

/** The report of the command line, comparable: without what differs by where files are and when they are judged. */
export async function reportByCommand(
  { file, content }: Sample,
  { pki }: Signing,
): Promise<VerificationReport> {
  const said: string[] = [];
  const more = content ? ['--content', content] : [];
  await runVerify([file, ...more, '--trust', pki('root.crt'), '--json'], {
    print: (text) => said.push(text),
    printError: () => {},
  });
  return comparable(JSON.parse(said.join('')));
}

/** @example expect(comparable(await answer.json())).toEqual(await reportByCommand(sample, sandbox)) */
export function comparable(report: VerificationReport): VerificationReport {
  const text = JSON.stringify(report, (name, value) => {
    if (name === 'judgedAt' && value !== null) return 'now';
    return name === 'file' && value !== null ? basename(value) : value;
  });
  // Content is named by its path on the command line. Lists are made anew whenever they are asked for.
  return JSON.parse(
    text
      .replaceAll(/"\/[^"]*\/data\.bin"/g, '"data.bin"')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, 'then'),
  );
}
