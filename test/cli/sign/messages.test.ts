import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { PDFDocument } from 'pdf-lib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { runSign } from '../../../cli/sign/run.ts';
import { runVerify } from '../../../cli/verify/run.ts';
import type { Output } from '../../../shared/command-line/output.ts';
import { type ServedSandbox, serveSandbox } from '../sandbox.ts';

let sandbox: ServedSandbox;

const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(sandbox.path(name), content);
  return sandbox.path(name);
};

beforeAll(async () => {
  sandbox = await serveSandbox();
  file('pin', '1234');
  file('wrong-pin', '4321');
  file('pay.rem', '00000000 a payment file begins as a CMS structure does, with a zero');
  file('contract.xml', '<contract><party Id="p1">Maria</party></contract>');
  file('empty.pdf', '');
  file('short.p12', readFileSync(sandbox.pki('holders/52998224725.p12')).subarray(0, 300));
  const pdf = await PDFDocument.create();
  pdf.addPage([400, 300]);
  const bytes = file('contract.pdf', await pdf.save());
  file('cut.pdf', readFileSync(bytes).subarray(0, 300));
  mkdirSync(sandbox.path('folder'));
  await Promise.all([sign('pay.rem', 'pay.p7m'), sign('pay.rem', 'pay.p7s', '--detached')]);
  file('cut.p7m', readFileSync(sandbox.path('pay.p7m')).subarray(0, 500));
  file('bare.p7s', readFileSync(sandbox.path('pay.p7s')).toString('base64'));
});
afterAll(() => sandbox.stop());
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Runs a command: its exit code, what it says, and what it complains of with the sandbox's folder left out. */
async function run(command: (argv: string[], output: Output) => Promise<number>, words: string[]) {
  const said: string[] = [];
  const complained: string[] = [];
  const output = {
    print: (text: string) => said.push(text),
    printError: (text: string) => complained.push(text),
  };
  const code = await command(words, output);
  return { code, out: said.join('\n'), error: complained.join('\n').replaceAll(sandbox.path('/'), '') };
}

/** A word that names a file of this test becomes its path. */
const placed = (words: string[]): string[] =>
  words.map((word) =>
    /^[a-z-]+(\/[a-z0-9-]+)?\.[a-z0-9.]+$|^(folder|pin|wrong-pin)$/.test(word) ? sandbox.path(word) : word,
  );

const HOLDER = 'pki/holders/52998224725.p12';
const SECOND = 'pki/holders/47363361886.p12';

const signAs = (p12: string, name: string, out: string, ...more: string[]) =>
  run(runSign, [
    ...placed([name]),
    '--p12',
    sandbox.path(p12),
    '--out',
    sandbox.path(out),
    ...withPin(placed(more)),
  ]);
const withPin = (words: string[]): string[] =>
  words.includes('--pin-file') ? words : [...words, '--pin-file', sandbox.path('pin')];
const sign = (name: string, out: string, ...more: string[]) => signAs(HOLDER, name, out, ...more);
const verify = (...words: string[]) => run(runVerify, [...placed(words), '--trust', sandbox.pki('root.crt')]);

describe('npm run sign says what stands in the way, of which file, and what to do', () => {
  test.each([
    ['nothing.pdf', [], /^nothing\.pdf cannot be read: there is no such file\.$/],
    ['folder', [], /^folder cannot be read: it is a folder\. Name a file\.$/],
    ['cut.pdf', [], /^cut\.pdf was not signed\. The PDF is broken/],
    ['pay.rem', ['--pin-file', 'wrong-pin'], /^pki\/holders\/52998224725\.p12: The password does not open/],
    [
      'pay.rem',
      ['--pin-file', 'nothing.txt'],
      /^The PIN cannot be read from nothing\.txt: there is no such file/,
    ],
    ['pay.rem', ['--policy', 'nothing.der'], /^--policy nothing\.der cannot be read: there is no such file/],
    ['pay.rem', ['--policy', 'pay.rem'], /^--policy pay\.rem cannot be used: /],
    [
      'contract.pdf',
      ['--visible', '1,9,9,99,50', '--image', 'a.png'],
      /--image a\.png cannot be read: there is no/,
    ],
    ['pay.rem', ['--serial', '00'], /holds no certificate of the serial number 00\. Say which/],
    ['pay.rem', ['--leave-room'], /^--leave-room is for XAdES, and pay\.rem is signed as CAdES/],
    ['pay.p7m', ['--cosign', '--detached'], /leave out --detached/],
  ])('%s %j', async (name, words, complaint) => {
    const { code, error } = await sign(name, 'never.out', ...words);
    expect([code, error]).toEqual([1, expect.stringMatching(complaint)]);
  });

  test.each([
    ['pki/nobody.p12', /^--p12 pki\/nobody\.p12 cannot be read: there is no such file\.$/],
    ['short.p12', /^short\.p12: This is not a whole PKCS#12 file/],
    ['empty.pdf', /^--p12 empty\.pdf is empty/],
    ['pay.rem', /^--p12 pay\.rem is no PKCS#12 file\. Name the file with the certificate and its key/],
    ['pki/root.crt', /^--p12 pki\/root\.crt is PEM text.*openssl pkcs12 -export/],
  ])('a key in %s', async (p12, complaint) => {
    expect(await signAs(p12, 'pay.rem', 'never.out')).toMatchObject({
      code: 1,
      error: expect.stringMatching(complaint),
    });
  });

  test('where the signed file cannot go, before a PIN is asked for', async () => {
    const wrong = ['--pin-file', 'wrong-pin'];
    expect((await sign('pay.rem', 'nowhere/pay.p7m', ...wrong)).error).toMatch(
      /^There is no folder nowhere to write to/,
    );
    expect((await sign('pay.rem', 'folder', '--force', ...wrong)).error).toMatch(
      /^folder is a folder\. Name a file in it/,
    );
  });

  test.each([
    ['empty.pdf', /^Warning: empty\.pdf is empty: the signature is over nothing\.$/],
    ['mere-text.pdf', /^Warning: mere-text\.pdf is not what its name says, so it is signed as CAdES/],
    ['pay.p7m', /^Warning: pay\.p7m is a signature itself.* use --cosign\.$/],
  ])('and warns where %s is not what it seems', async (name, warning) => {
    file('mere-text.pdf', 'text');
    expect(await sign(name, `${name}.warned`)).toMatchObject({
      code: 0,
      error: expect.stringMatching(warning),
    });
  });

  test.each([
    ['mere-text.pdf', 'x.pdf', 'PAdES', 'CAdES', '.p7m'],
    ['pay.rem', 'x.XML', 'XAdES', 'CAdES', '.p7m'],
    ['contract.pdf', 'x.p7s', 'CAdES', 'PAdES', '.pdf'],
  ])('where %s would get a name of another format, %s', async (name, out, named, format, proper) => {
    file('mere-text.pdf', 'text');
    const { code, error } = await sign(name, out);
    expect([code, existsSync(sandbox.path(out))]).toEqual([1, false]);
    expect(error).toMatch(`${out} is the name of a ${named} file, and `);
    expect(error).toMatch(`is signed as ${format}. Name a file that ends in ${proper}: --out FILE${proper}`);
  });

  test('where no root is named that long-term proof could lead to', async () => {
    vi.stubEnv('Local__DataDir', sandbox.path('no-sandbox'));
    const stamped = ['--level', 'B-LT', '--timestamp', `${sandbox.url}/sandbox/pki/timestamp`];
    const { code, error } = await sign('contract.pdf', 'never.out', ...stamped);
    expect([code, error]).toEqual([
      1,
      expect.stringMatching(/^contract\.pdf was not signed\. .*--trust FILE$/),
    ]);
  });

  test('and is silent over a file that is as it seems', async () => {
    expect(await sign('contract.xml', 'silent.xml')).toMatchObject({ code: 0, error: '' });
  });
});

describe('a second signer', () => {
  test('signs beside the first in an attached signature', async () => {
    expect(await signAs(SECOND, 'pay.p7m', 'both.p7m', '--cosign')).toMatchObject({ code: 0, error: '' });
    const { code, out } = await verify('both.p7m');
    expect([code, out]).toEqual([0, expect.stringContaining('VALID, CAdES, 2 signatures')]);
  });

  test('signs beside the first in a detached one, over the same content only, and text stays text', async () => {
    const add = (...words: string[]) => signAs(SECOND, 'text.pem', 'both.pem', '--cosign', ...words);
    await sign('pay.rem', 'text.pem', '--detached', '--pem');
    expect((await add()).error).toBe('text.pem is a detached signature. Name its content: --content FILE');
    expect((await add('--content', 'contract.xml')).error).toMatch(
      /^text\.pem was not signed\. .* other content/,
    );
    expect(await add('--content', 'pay.rem')).toMatchObject({ code: 0, error: '' });
    expect(readFileSync(sandbox.path('both.pem'), 'latin1')).toMatch(/^-----BEGIN PKCS7-----\n/);
    const { code, out } = await verify('both.pem', '--content', 'pay.rem');
    expect([code, out]).toEqual([0, expect.stringContaining('VALID, CAdES, 2 signatures')]);
  });

  test('is told where there is nothing to sign beside', async () => {
    const add = (name: string, ...words: string[]) => signAs(SECOND, name, 'never.out', '--cosign', ...words);
    expect((await add('pay.rem')).error).toMatch(/^pay\.rem is no CMS signature/);
    expect((await add('pay.p7m', '--content', 'pay.rem')).error).toMatch(/^pay\.p7m holds its content/);
  });

  test('signs the same XML document where the first left room', async () => {
    await sign('contract.xml', 'room.xml', '--leave-room');
    expect(await signAs(SECOND, 'room.xml', 'both.xml', '--leave-room')).toMatchObject({ code: 0 });
    const { code, out } = await verify('both.xml');
    expect([code, out]).toEqual([0, expect.stringContaining('VALID, XAdES, 2 signatures')]);
  });
});

describe('npm run verify says why there is nothing to judge, and what to do', () => {
  test.each([
    [['pay.rem'], /^pay\.rem holds no signature: .* npm run verify -- SIGNATURE --content pay\.rem$/],
    [['empty.pdf'], /^empty\.pdf is empty\. /],
    [['nothing.pdf'], /^nothing\.pdf cannot be read: there is no such file\.$/],
    [['folder'], /^folder holds no PDF, XML or CMS file to verify/],
    [['folder', '--content', 'pay.rem'], /^--content names the content of one .* and folder is a folder\.$/],
    [['cut.p7m'], /^cut\.p7m could not be verified\. .* Ask its sender for the file again\.$/],
    [
      ['bare.p7s', '--content', 'pay.rem'],
      /^bare\.p7s is Base64 text .* base64 -d < bare\.p7s > bare\.p7s\.der/,
    ],
    [
      ['pay.p7s', '--content', 'nothing.rem'],
      /^--content nothing\.rem cannot be read: there is no such file/,
    ],
    [
      ['pay.rem', '--content', 'pay.p7s'],
      /^pay\.rem is no signature, but pay\.p7s is\. .* -- pay\.p7s --content pay/,
    ],
    [['contract.pdf', '--content', 'pay.rem'], /^contract\.pdf is a PDF.* Leave out --content\.$/],
    [['pay.rem', '--content', 'contract.xml'], /^pay\.rem is no detached signature/],
    [
      ['pay.p7m', '--trust', 'pay.rem'],
      /^--trust pay\.rem cannot be read: it holds no certificate in PEM or DER/,
    ],
    [['pay.p7m', '--trust', 'nothing.crt'], /^--trust nothing\.crt cannot be read: there is no such file/],
  ])('%j', async (words, complaint) => {
    const { code, out, error } = await verify(...words);
    expect([code, out, error]).toEqual([2, '', expect.stringMatching(complaint)]);
  });

  test('and names --trust where no root is trusted', async () => {
    vi.stubEnv('Local__DataDir', sandbox.path('no-sandbox'));
    const { code, out, error } = await run(runVerify, [sandbox.path('pay.p7m')]);
    expect([code, error]).toEqual([2, 'No root is trusted, so no signer is. Name one: --trust FILE']);
    expect(out).toMatch(/: COULD NOT BE JUDGED, CAdES, 1 signature\n/);
  });

  test('and never advises what would break the signatures of a PDF', async () => {
    const { error } = await verify('cut.pdf');
    expect(error).toMatch(/^cut\.pdf could not be verified\. The PDF is broken: .* Ask its sender/);
    expect(error).not.toContain('save it again');
  });

  test.each([
    ['contract.pdf', 'The PDF holds no signature.'],
    ['contract.xml', 'The XML document holds no signature.'],
  ])('%s is reported as a file without one', async (name, problem) => {
    const { code, out } = await verify(name);
    expect(code).toBe(2);
    expect(out).toMatch(/: COULD NOT BE JUDGED, .AdES, no signatures\n/);
    expect(out).toContain(problem);
  });
});
