import { readFileSync, writeFileSync } from 'node:fs';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runSign } from '../../../cli/sign/run.ts';
import { parseCertificate } from '../../../shared/pki/certificate/certificate.ts';
import { writePem } from '../../../shared/pki/pem.ts';
import { ATTRIBUTE } from '../../../shared/signing/cms/oids.ts';
import { readSignedData } from '../../../shared/signing/cms/read.ts';
import { testPki } from '../../certificates/pki.ts';
import { certificateBag, fileOf, keyBag } from '../../shared/pki/pkcs12/tools.ts';
import { hasOpenssl, openssl } from '../../shared/signing/cms/openssl.ts';
import { missingTools, openJudges } from '../../shared/signing/pades/judges.ts';
import { signaturesIn, validationDataIn } from '../../shared/signing/pades/outside.ts';
import { hasXmlsec, xmlsec } from '../../shared/signing/xades/xmlsec.ts';
import { type ServedSandbox, serveSandbox, writeFilesToSign } from '../sandbox.ts';

let sandbox: ServedSandbox;
let trust: string;

beforeAll(async () => {
  sandbox = await serveSandbox();
  await writeFilesToSign(sandbox);
  const lists = await Promise.all(['root.crl', 'intermediate.crl'].map(published));
  trust = file('trust.pem', pem('CERTIFICATE', await published('root.crt')) + pem('X509 CRL', ...lists));
});
afterAll(() => sandbox.stop());

const pem = (label: string, ...ders: Buffer[]): string => ders.map((der) => writePem(label, der)).join('');

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(sandbox.path(name), content);
  return sandbox.path(name);
}

async function published(name: string): Promise<Buffer> {
  const answer = await fetch(`${sandbox.url}/sandbox/pki/${name}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** Signs one of the test's files: the exit code, and what was said. */
async function sign(name: string, out: string, ...more: string[]) {
  const said: string[] = [];
  const holder = ['--p12', sandbox.pki('holders/52998224725.p12')];
  const words = [sandbox.path(name), ...holder, '--pin-file', sandbox.path('pin'), ...more];
  const speech = { print: (text: string) => said.push(text), printError: (text: string) => said.push(text) };
  const code = await runSign([...words, '--out', sandbox.path(out)], speech);
  return { code, said: said.join('\n') };
}

async function signed(...asked: Parameters<typeof sign>): Promise<string> {
  expect(await sign(...asked)).toMatchObject({ code: 0 });
  return sandbox.path(asked[1]);
}

const stamped = () => ['--timestamp', `${sandbox.url}/sandbox/pki/timestamp`];

const judgedCms = (der: Buffer, ...more: string[]): boolean =>
  openssl(
    ...['cms', '-verify', '-cades', '-binary', '-inform', 'DER', '-in', file('judged.der', der)],
    ...['-CAfile', trust, '-crl_check_all', '-purpose', 'any', '-out', sandbox.path('judged.out'), ...more],
  ).ok;

/** Whether a token is over these bytes, and of the sandbox's authority. */
const judgedToken = (token: Buffer, over: Buffer): boolean =>
  openssl(
    ...['ts', '-verify', '-token_in', '-in', file('token.der', token), '-data', file('stamped', over)],
    ...[
      '-CAfile',
      sandbox.pki('root.crt'),
      '-untrusted',
      file('tsa-chain.pem', pem('CERTIFICATE', ...chain)),
    ],
  ).ok;
let chain: Buffer[] = [];

/** The timestamp in a signature, and the signature that it is over. */
function stampIn(cms: Buffer): readonly [Buffer, Buffer] {
  const [signer] = readSignedData(cms).signers;
  const token = signer?.unsigned.get(ATTRIBUTE.signatureTimestamp)?.[0]?.raw;
  return [token ?? Buffer.alloc(0), signer?.signature ?? Buffer.alloc(0)];
}

describe.runIf(hasOpenssl && !missingTools().length)('what npm run sign makes, judged by others', () => {
  test('a PDF at level B-LTA: the signature, both timestamps, and the proof that the file carries', async () => {
    const options = ['--level', 'B-LTA', ...stamped(), '--trust', sandbox.pki('root.crt')];
    const out = await signed('contract.pdf', 'lta.pdf', ...options);
    chain = [await published('intermediate.crt'), await published('tsa.crt')];
    const [signature, archive, ...more] = signaturesIn(readFileSync(out));
    if (!signature || !archive) throw new Error('Two signatures are in the file.');
    expect(more).toEqual([]);
    expect(judgedCms(signature.der, '-content', file('signed', signature.signedBytes))).toBe(true);
    expect(judgedToken(...stampIn(signature.der))).toBe(true);
    expect(judgedToken(archive.der, archive.signedBytes)).toBe(true);
    expect(judgedToken(archive.der, signature.signedBytes)).toBe(false);

    const { certificates, crls, ocspResponses, keys } = validationDataIn(out);
    expect(keys).toEqual([signature.key]);
    const names = certificates.map((der) => parseCertificate(der).subject.text.split(',')[0]);
    expect(names).toEqual([
      'CN=SANDBOX HOLDER 52998224725',
      'CN=Sinete Sandbox Authority',
      'CN=Sinete Sandbox Root',
      'CN=Sinete Sandbox OCSP',
      'CN=Sinete Sandbox Timestamps',
    ]);
    const [holder, issuer, , , tsa] = certificates.map((der, at) =>
      file(`${at}.pem`, pem('CERTIFICATE', der)),
    );
    // The authority is not revoked by the list in the file, and whom it certified not by the responses in it.
    const listed = file(
      'listed.pem',
      pem('CERTIFICATE', ...certificates.slice(2, 3)) + pem('X509 CRL', ...crls),
    );
    expect(openssl('verify', '-crl_check', '-CAfile', listed, String(issuer))).toMatchObject({ ok: true });
    expect(ocspResponses).toHaveLength(2);
    for (const [at, certificate] of [holder, tsa].entries()) {
      const response = file('ocsp.der', ocspResponses[at] ?? '');
      const asked = [
        '-issuer',
        String(issuer),
        '-cert',
        String(certificate),
        '-CAfile',
        sandbox.pki('root.crt'),
      ];
      const told = openssl('ocsp', '-respin', response, '-no_nonce', ...asked);
      expect(told.stdout.toString()).toMatch(`${certificate}: good`);
      expect(told.says).toContain('Response verify OK');
    }
  });

  test('a visible PDF with an image, a reason and a longer digest, by every judge', async () => {
    const image = file('stamp.png', ONE_POINT);
    const shown = [
      '--visible',
      '1,20,20,200,60',
      '--image',
      image,
      '--reason',
      'Ação',
      '--location',
      'Belém',
    ];
    const out = readFileSync(await signed('contract.pdf', 'shown.pdf', ...shown, '--digest', 'sha512'));
    const judges = openJudges(parseCertificate(await published('root.crt')), '-no-ocsp');
    expect(judges.judge(out)).toEqual({
      signatures: ['Signature is Valid.'],
      certificates: ['Certificate is Trusted.'],
      coverage: ['Total document signed'],
      complaints: '',
    });
    expect(judges.text(out).replace(/\s+/g, ' ')).toContain('SANDBOX HOLDER 52998224725');
    judges.close();
    const [signature] = signaturesIn(out);
    expect(readSignedData(signature?.der ?? out).signers[0]?.digest).toBe('sha512');
  });

  test('any file, and its content comes back', async () => {
    expect(judgedCms(readFileSync(await signed('data.bin', 'data.p7m', ...stamped())))).toBe(true);
    expect(readFileSync(sandbox.path('judged.out')).equals(readFileSync(sandbox.path('data.bin')))).toBe(
      true,
    );
    const apart = readFileSync(await signed('data.bin', 'data.p7s', '--detached', '--digest', 'sha384'));
    expect(judgedCms(apart, '-content', sandbox.path('data.bin'))).toBe(true);
    expect(judgedCms(apart, '-content', sandbox.path('contract.xml'))).toBe(false);
  });

  test.runIf(hasXmlsec)('an XML document, and an element of it', async () => {
    const [root, intermediate] = await Promise.all(['root.crt', 'intermediate.crt'].map(published));
    const authority = (der: Buffer = Buffer.alloc(0)) => ({ certificate: parseCertificate(der) });
    const outside = xmlsec({ root: authority(root), intermediate: authority(intermediate) });
    const whole = readFileSync(await signed('contract.xml', 'whole.xml', ...stamped()));
    const element = readFileSync(await signed('contract.xml', 'element.xml', '--element', 'p1'));
    expect(outside.judge(whole)).toBe('OK');
    expect(outside.judge(element, { idElements: ['party'] })).toBe('OK');
    outside.remove();
  });
});

describe('npm run sign', () => {
  test('takes the certificate that --serial names, however its number is written', async () => {
    const [one, two] = [0x8fn, 0x10an].map((serialNumber) =>
      testPki('p256').holder({ key: 'p256', change: { serialNumber } }),
    );
    if (!one || !two) throw new Error('Two were made.');
    const key = keyBag(one.privateKey.export({ format: 'der', type: 'pkcs8' }));
    const bags = [key, ...[one, two].map(({ certificate }) => certificateBag(certificate))];
    const p12 = ['--p12', file('two.p12', fileOf(bags))];
    const asking = (out: string, ...serial: string[]) => sign('data.bin', out, ...p12, ...serial);
    for (const [at, serial] of ['8F', '8f', '008f', '00:8F'].entries())
      expect(await asking(`serial-${at}.p7m`, '--serial', serial)).toMatchObject({ code: 0 });
    const [signer] = readSignedData(readFileSync(sandbox.path('serial-0.p7m'))).signers;
    expect(signer?.id).toMatchObject({ serial: one.certificate.serialDer });
    for (const serial of [[], ['--serial', '8e']])
      expect(await asking('none.p7m', ...serial)).toMatchObject({
        code: 1,
        said: expect.stringMatching(/--serial HEX: 8F \(JOSÉ.*\), 010A \(/),
      });
    expect((await asking('none.p7m', '--serial', 'first')).said).toMatch(/hexadecimal, not "first"/);
  });

  test('draws a bar on a terminal while a large file is read, and none for a small one', async () => {
    const drawn: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => drawn.push(String(text)) > 0);
    const { isTTY } = process.stderr;
    process.stderr.isTTY = true;
    try {
      file('large.bin', Buffer.alloc(9 * 1024 * 1024));
      const whole = await PDFDocument.create();
      whole.addPage();
      file('large.pdf', Buffer.concat([await whole.save(), Buffer.alloc(9 * 1024 * 1024, '\n')]));
      await signed('data.bin', 'small.p7m');
      expect(drawn).toEqual([]);
      await signed('large.bin', 'large.p7m');
      expect(drawn[0]).toMatch(/Signing .*large\.bin \[\.+\] 0%$/);
      expect(drawn.at(-1)).toBe('\r\u001b[K');
      drawn.length = 0;
      await signed('large.pdf', 'large.signed.pdf');
      expect(drawn[0]).toMatch(/Signing .*large\.pdf \[/);
    } finally {
      process.stderr.isTTY = isTTY;
      vi.restoreAllMocks();
    }
  });
});

/** A PNG of one black point. */
const ONE_POINT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);
