import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSign } from '../../cli/sign/run.ts';
import { runVerify } from '../../cli/verify/run.ts';
import type { Output } from '../../shared/command-line/output.ts';
import { octetString, oid, sequence } from '../../shared/der/write.ts';
import { digestOid } from '../../shared/signing/digest.ts';
import { command, type Ended } from '../infra/child.ts';
import { type ServedSandbox, serveSandbox, writeFilesToSign } from './sandbox.ts';

type Run = (argv: readonly string[], output: Output) => Promise<number>;

/** Runs a command in this process: what it says, and its exit code. */
const running =
  (run: Run) =>
  async (...words: string[]): Promise<Ended> => {
    const said: string[] = [];
    const complained: string[] = [];
    const code = await run(words, {
      print: (text) => said.push(text),
      printError: (text) => complained.push(text),
    });
    return { code, out: said.join('\n'), error: complained.join('\n') };
  };

const sign = running(runSign);
const verify = running(runVerify);

const HOLDER = '52998224725';
let sandbox: ServedSandbox;
let trust: string[];

beforeAll(async () => {
  sandbox = await serveSandbox();
  trust = ['--trust', sandbox.pki('root.crt')];
  await writeFilesToSign(sandbox);
});
afterAll(() => sandbox.stop());

/** Signs one of the test's files into another. */
async function signed(name: string, out: string, ...more: string[]): Promise<string> {
  const { code, error } = await signing(name, ...more, '--out', sandbox.path(out));
  expect([code, error]).toEqual([0, '']);
  return sandbox.path(out);
}

const signing = (name: string, ...more: string[]): Promise<Ended> => signingAs(HOLDER, name, ...more);
const signingAs = (holder: string, name: string, ...more: string[]): Promise<Ended> =>
  sign(
    sandbox.path(name),
    '--p12',
    sandbox.pki('holders', `${holder}.p12`),
    '--pin-file',
    sandbox.path('pin'),
    ...more,
  );

const stamped = () => ['--timestamp', `${sandbox.url}/sandbox/pki/timestamp`];

describe('npm run sign, then npm run verify', () => {
  test.each([
    ['contract.pdf', 'PAdES', 'the whole file'],
    ['contract.xml', 'XAdES', 'the whole document'],
    ['data.bin', 'CAdES', 'the content inside it'],
  ])('%s is signed as %s and found valid, covering %s', async (name, format, covered) => {
    const out = await signed(name, `plain-${name}`);
    const { code, out: report } = await verify(out, ...trust);
    expect(code).toBe(0);
    expect(report.split('\n')[0]).toBe(`${out}: VALID, ${format}, 1 signature`);
    expect(report).toContain(`1. SANDBOX HOLDER ${HOLDER}: VALID`);
    expect(report).toMatch(new RegExp(`covers +${covered}`));
    expect(report).toMatch(/certificate +ACTIVE/);
  });

  test('a PDF carries its proof at level B-LTA, so that verifying it needs no network', async () => {
    const out = await signed(
      'contract.pdf',
      'lta.pdf',
      ...['--level', 'B-LTA', ...stamped(), ...trust],
      ...['--visible', '1,20,20,200,60', '--reason', 'Agreed'],
    );
    const { code, out: report } = await verify(out, ...trust, '--offline');
    expect(code).toBe(0);
    expect(report).toContain('VALID, PAdES, 2 signatures');
    expect(report).toMatch(/timestamp .* by Sinete Sandbox Timestamps/);
  });

  test('a detached signature needs its content, and no other content will do', async () => {
    const out = await signed('data.bin', 'data.p7s', '--detached', ...stamped());
    const [right, wrong, none] = await Promise.all([
      verify(out, ...trust, '--content', sandbox.path('data.bin')),
      verify(out, ...trust, '--content', sandbox.path('contract.xml')),
      verify(out, ...trust),
    ]);
    expect([right.code, wrong.code, none.code]).toEqual([0, 1, 2]);
    expect(wrong.out).toMatch(/integrity +BROKEN/);
    expect(none.error).toBe(`${out} is a detached signature. Name its content: --content FILE`);
  });

  test('an element of an XML document is signed by its Id, and is the document only where that is said', async () => {
    const out = await signed('contract.xml', 'element.xml', '--element', 'p1');
    const [asked, whole, other] = await Promise.all([
      verify(out, ...trust, '--covers', 'party'),
      verify(out, ...trust),
      verify(out, ...trust, '--covers', 'party', '--covers', 'price'),
    ]);
    expect([asked.code, whole.code, other.code]).toEqual([0, 2, 2]);
    expect(asked.out).toMatch(/covers +the element \/contract\/party/);
    expect(whole.out).toMatch(/COULD NOT BE JUDGED[\s\S]*Only \/contract\/party is signed/);
  });

  test('a signature names the policy that its file describes', async () => {
    const algorithm = sequence(oid(digestOid('sha256')));
    const policy = sequence(
      algorithm,
      sequence(oid('2.16.76.1.7.1.1.2.3')),
      octetString(Buffer.alloc(32, 7)),
    );
    writeFileSync(sandbox.path('policy.der'), policy);
    const named = ['--policy', sandbox.path('policy.der'), '--policy-uri', 'http://policies.example/p.der'];
    const out = await signed('data.bin', 'policy.p7m', ...named);
    const { code, out: report } = await verify(out, ...trust);
    expect(code).toBe(0);
    expect(report).toMatch(/policy +2\.16\.76\.1\.7\.1\.1\.2\.3/);
    expect(readFileSync(out).includes('http://policies.example/p.der')).toBe(true);
  });

  test('a changed file is not valid', async () => {
    const out = await signed('contract.xml', 'changed.xml');
    writeFileSync(out, readFileSync(out, 'utf8').replace('Maria', 'Mario'));
    const { code, out: report } = await verify(out, ...trust);
    expect(code).toBe(1);
    expect(report).toContain('NOT VALID, XAdES');
  });

  test.each([
    ['12345678909', 1, 'NOT VALID', 'EXPIRED'],
    ['56072386105', 1, 'NOT VALID', 'REVOKED'],
    ['87378011126', 1, 'NOT VALID', 'UNTRUSTED'],
    ['15350946056', 2, 'COULD NOT BE JUDGED', 'STALE'],
  ])('the signature of %s ends with exit code %i: %s, %s', async (holder, exit, outcome, status) => {
    const out = sandbox.path(`${holder}.xml`);
    const { code: wrote, error } = await signingAs(holder, 'contract.xml', '--out', out);
    expect(wrote).toBe(0);
    expect(error.includes('Warning')).toBe(status === 'EXPIRED');
    const { code, out: report } = await verify(out, ...trust);
    expect(code).toBe(exit);
    expect(report).toContain(`SANDBOX HOLDER ${holder}: ${outcome}`);
    expect(report).toMatch(new RegExp(`certificate +${status} on `));
  });

  test('the time of judgement is a choice: the expired holder was valid once', async () => {
    const out = sandbox.path('then.p7m');
    await signingAs('12345678909', 'data.bin', '--out', out);
    const { out: report } = await verify(out, ...trust, '--at', '2021-06-01', '--json');
    expect(JSON.parse(report).signatures[0]).toMatchObject({
      judgedAt: '2021-06-01T00:00:00.000Z',
      certificateStatus: expect.not.stringContaining('EXPIRED'),
    });
  });

  test('the report is JSON on demand, with certificates as the services show them', async () => {
    const out = await signed('data.bin', 'json.pem', '--pem', ...stamped());
    expect(readFileSync(out, 'latin1')).toMatch(/^-----BEGIN PKCS7-----\n/);
    const { code, out: report } = await verify(out, ...trust, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(report)).toMatchObject({
      format: 'CAdES',
      outcome: 'valid',
      signatures: [
        {
          outcome: 'valid',
          certificateStatus: 'ACTIVE',
          signer: { pkiBrazil: { cpf: HOLDER, certificateType: 'A1' } },
          timestamps: [{ valid: true }],
        },
      ],
    });
  });

  test('without a root to trust it can tell integrity, and nothing of the signer', async () => {
    const out = await signed('data.bin', 'no-root.p7m');
    const root = sandbox.pki('untrusted.crt');
    const other = await verify(out, '--trust', root);
    expect(other.code).toBe(1);
    expect(other.out).toMatch(/certificate +UNTRUSTED/);
    const wrong = await verify(out, '--trust', sandbox.path('pin'));
    expect(wrong.code).toBe(2);
    expect(wrong.error).toContain('cannot be read');
  });

  test('what holds no signature, or cannot be read, could not be judged', async () => {
    const broken = sandbox.path('broken.p7m');
    writeFileSync(broken, Buffer.from('3082ffff00', 'hex'));
    const ended = await Promise.all([
      verify(sandbox.path('contract.pdf'), ...trust),
      verify(sandbox.path('contract.xml'), ...trust),
      verify(broken, ...trust),
      verify(sandbox.path('not-there'), ...trust),
      verify('--colour'),
    ]);
    expect(ended.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2]);
    for (const { error } of ended.slice(2)) expect(error.split('\n')).toHaveLength(1);
  });
});

describe('npm run sign', () => {
  test('says in one line what stands in the way, and writes nothing', async () => {
    const before = readdirSync(sandbox.path('.')).toSorted();
    writeFileSync(sandbox.path('wrong-pin'), '0000');
    const p12 = ['--p12', sandbox.pki('holders', `${HOLDER}.p12`)];
    const ended = await Promise.all([
      sign(sandbox.path('contract.pdf'), ...p12, '--pin-file', sandbox.path('wrong-pin')),
      signing('contract.xml', '--pem'),
      signing('data.bin', '--level', 'B-LT', ...stamped()),
      signing('data.bin', '--format', 'pades'),
      signing('not-there'),
      signing('data.bin', '--timestamp', `${sandbox.url}/nobody`),
      sign('--help'),
    ]);
    const help = ended.pop();
    expect([help?.code, help?.error]).toEqual([0, '']);
    expect(help?.out).toContain('npm run sign -- FILE --p12 FILE.p12');
    expect(ended.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1, 1]);
    for (const { error, out } of ended) expect([error.split('\n').length, out]).toEqual([1, '']);
    const complaints = [
      /password does not open/,
      /--pem is for CAdES, and .* is signed as XAdES/,
      /Level B-LT is for PDFs/,
      /PDF/,
      /no such file/,
      /No timestamp authority gave a timestamp.*404/,
    ];
    for (const [n, complaint] of complaints.entries()) expect(ended[n]?.error).toMatch(complaint);
    expect(readdirSync(sandbox.path('.')).toSorted()).toEqual([...before, 'wrong-pin'].toSorted());
  });

  test('never shows a PIN, whatever it complains of', async () => {
    writeFileSync(sandbox.path('long-pin'), 'a-very-recognisable-pin');
    const { code, out, error } = await sign(
      sandbox.path('data.bin'),
      '--p12',
      sandbox.pki('holders', `${HOLDER}.p12`),
      '--pin-file',
      sandbox.path('long-pin'),
    );
    expect(code).toBe(1);
    expect(out + error).not.toContain('recognisable');
  });

  test('names the signed file after the original, and does not write over it', async () => {
    const first = await signing('contract.pdf');
    expect(first.out).toBe(
      `${sandbox.path('contract.signed.pdf')}\nSigned as PAdES, level B-B, by SANDBOX HOLDER ${HOLDER}.`,
    );
    const again = await signing('contract.pdf');
    expect([again.code, again.error]).toEqual([1, expect.stringContaining('is there already')]);
    expect(existsSync(sandbox.path('contract.signed.pdf'))).toBe(true);
  });

  test('runs as a command, takes the PIN from a pipe, and ends with the exit code', async () => {
    const out = sandbox.path('piped.p7m');
    const p12 = ['--p12', sandbox.pki('holders', '11144477735.p12')];
    const { status, stdout } = spawnSync(
      process.execPath,
      ['cli/sign/sign.ts', sandbox.path('data.bin'), ...p12, '--out', out],
      { input: '4321\n' },
    );
    expect([status, stdout.toString()]).toEqual([0, expect.stringContaining('HOLDER 11144477735')]);
    const asCommand = command('cli/verify/verify.ts');
    expect((await asCommand(out, ...trust)).code).toBe(0);
    expect((await asCommand(out, '--trust', sandbox.pki('untrusted.crt'))).code).toBe(1);
  });
});
