import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSign } from '../../../cli/sign/run.ts';
import { runVerify } from '../../../cli/verify/run.ts';
import { type ServedSandbox, serveSandbox, writeFilesToSign } from '../sandbox.ts';

let sandbox: ServedSandbox;
let folder: string;
const fetched: string[] = [];

const inFolder = (name: string): string => `${folder}/${name}`;

async function verify(...words: string[]) {
  const said: string[] = [];
  const complained: string[] = [];
  const code = await runVerify([...words, '--trust', sandbox.pki('root.crt')], {
    print: (text) => said.push(text.replaceAll(`${folder}/`, '')),
    printError: (text) => complained.push(text.replaceAll(`${folder}/`, '')),
  });
  return { code, said, complained };
}

async function sign(cpf: string, name: string, out: string, ...more: string[]): Promise<void> {
  const p12 = ['--p12', sandbox.pki('holders', `${cpf}.p12`), '--pin-file', sandbox.path('pin')];
  const argv = [sandbox.path(name), ...p12, '--out', inFolder(out), ...more];
  expect(await runSign(argv, { print: () => {}, printError: () => {} })).toBe(0);
}

// contracts/
//   b.xml          valid
//   data.pdf       what data.pdf.p7s is over, skipped
//   data.pdf.p7s   valid
//   deep/a.pdf     valid
//   .hidden.xml    skipped
//   notes.txt      skipped
beforeAll(async () => {
  sandbox = await serveSandbox({ onRequest: (path) => fetched.push(path) });
  folder = sandbox.path('contracts');
  await writeFilesToSign(sandbox);
  mkdirSync(inFolder('deep'), { recursive: true });
  await sign('52998224725', 'contract.pdf', 'deep/a.pdf');
  await sign('52998224725', 'contract.xml', 'b.xml');
  cpSync(sandbox.path('contract.pdf'), inFolder('data.pdf'));
  await sign('52998224725', 'contract.pdf', 'data.pdf.p7s', '--format', 'cades', '--detached');
  cpSync(inFolder('b.xml'), inFolder('.hidden.xml'));
  writeFileSync(inFolder('notes.txt'), 'no signature');
});
afterAll(() => sandbox.stop());

test('a folder gets a line for each signed file below it, and a last line with counts', async () => {
  fetched.length = 0;
  const { code, said, complained } = await verify(folder);
  expect([code, complained]).toEqual([0, []]);
  expect(said).toEqual([
    'b.xml: VALID, XAdES, 1 signature',
    'data.pdf.p7s: VALID, CAdES, 1 signature',
    'deep/a.pdf: VALID, PAdES, 1 signature',
    '3 files: 3 valid, 0 not valid, 0 could not be judged; 3 skipped',
  ]);
  // Three signatures of one holder: each list or response is asked for once.
  expect(fetched.length).toBeGreaterThan(0);
  expect(new Set(fetched).size).toBe(fetched.length);
});

test('a damaged signature in a folder is told, and the content of a good one is not, whatever it holds', async () => {
  const damaged = sandbox.path('damaged');
  mkdirSync(damaged);
  cpSync(sandbox.path('data.bin'), `${damaged}/notes.xml`);
  await sign('52998224725', 'data.bin', '../damaged/notes.xml.p7s', '--format', 'cades', '--detached');
  expect((await verify(damaged)).said.at(-1)).toBe(
    '1 file: 1 valid, 0 not valid, 0 could not be judged; 1 skipped',
  );
  writeFileSync(`${damaged}/lost.p7m`, '');
  const { code, said, complained } = await verify(damaged);
  expect([code, said.at(-1)]).toEqual([2, '2 files: 1 valid, 0 not valid, 1 could not be judged; 1 skipped']);
  expect(complained).toEqual([expect.stringContaining('lost.p7m is empty')]);
});

test('files and folders mix, nothing stops the rest, and the worst decides the exit code', async () => {
  const changed = sandbox.path('changed.xml');
  writeFileSync(changed, readFileSync(inFolder('b.xml'), 'utf8').replace('Maria', 'Mario'));
  const nothing = sandbox.path('data.bin');
  const { code, said, complained } = await verify(nothing, folder, changed, sandbox.path('not-there'));
  expect(code).toBe(1);
  expect(said.at(-2)).toBe(
    `${changed}: NOT VALID, XAdES, 1 signature. The document is not as signed: the digests differ.`,
  );
  expect(said.at(-1)).toBe('6 files: 3 valid, 1 not valid, 2 could not be judged; 3 skipped');
  expect(complained).toEqual([
    expect.stringContaining('holds no signature'),
    expect.stringContaining('there is no such file'),
  ]);
  expect((await verify(nothing, folder)).code).toBe(2);
});

test('a named file that is not signed is told, and --details gives every report in full', async () => {
  const { code, said } = await verify(inFolder('b.xml'), sandbox.path('contract.pdf'), '--details');
  expect(code).toBe(2);
  expect(said[0]).toMatch(/^b\.xml: VALID[\s\S]*covers +the whole document/);
  expect(said[1]).toContain('The PDF holds no signature.');
});

test('as JSON, one file is its report, and several are a list of reports with a summary', async () => {
  const one = await verify(inFolder('b.xml'), '--json');
  const report = JSON.parse(one.said.join(''));
  expect(report).toMatchObject({ file: 'b.xml', outcome: 'valid', verdict: 'passed', reasons: [] });
  // A file without a report has the same verdict words, and why.
  const alone = await verify(sandbox.path('data.bin'), '--json');
  const unread = JSON.parse(alone.said.join(''));
  expect([alone.code, unread]).toEqual([
    2,
    {
      file: sandbox.path('data.bin'),
      ...{ outcome: 'undetermined', verdict: 'indeterminate', reasons: ['GENERIC'] },
      problem: alone.complained[0],
    },
  ]);
  const many = (await verify(inFolder('b.xml'), sandbox.path('data.bin'), '--json')).said.join('');
  // The second run has CRLs and a time of judgement of its own.
  const withoutTimes = (json: string) => JSON.parse(json.replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+/g, 'a time'));
  expect(withoutTimes(many)).toEqual({
    files: [withoutTimes(one.said.join('')), unread],
    summary: { files: 2, valid: 1, invalid: 0, undetermined: 1, skipped: 0 },
  });
});
