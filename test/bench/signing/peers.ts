import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { P12Signer as LibpdfSigner, PDF } from '@libpdf/core';
import { plainAddPlaceholder } from '@signpdf/placeholder-plain';
import { P12Signer } from '@signpdf/signer-p12';
import { SignPdf } from '@signpdf/signpdf';
import { PYHANKO } from '../../../infra/install/judges.mjs';
import { writePkcs12 } from '../../../shared/pki/pkcs12/write.ts';
import type { SignatureKind } from '../../../shared/signing/format.ts';
import { localKey } from '../../../shared/signing/key.ts';
import { signInPieces } from '../../../shared/signing/sign-file.ts';
import { inMemory, verifyFile } from '../../../shared/signing/verification/verify-file.ts';
import { testPki } from '../../certificates/pki.ts';
import { javaOptions, missingJudges } from '../../judges/opinions.ts';
import type { Figure } from '../measure/figures.ts';
import { rawPdf } from '../measure/raw-pdf.ts';

const SECONDS = 3;
const BYTES = 100 * 1024;
const PIN = '1234';

type Cost = { readonly perSecond: number; readonly cpuMs: number };
type Costs = { readonly sign: Cost; readonly verify?: Cost };
type Task = {
  readonly format: SignatureKind;
  readonly file: Buffer;
  readonly signed: Buffer;
  readonly p12: Buffer;
  /** Of a program of another language: format, key, PIN, file, signed file, root, seconds. */
  readonly words: readonly string[];
};
type Peer = {
  readonly name: string;
  readonly formats: readonly SignatureKind[];
  readonly measure: (task: Task) => Promise<Costs>;
  /** Why it is not measured. */
  readonly missing: string | undefined;
};

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  for (const end = performance.now() + 1000; performance.now() < end; ) await work();
  const [from, cpu] = [performance.now(), process.cpuUsage()];
  let done = 0;
  for (; performance.now() - from < SECONDS * 1000; done++) await work();
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: (done * 1000) / (performance.now() - from), cpuMs: (user + system) / 1000 / done };
}

const outside = (command: string, ...words: readonly string[]): Costs =>
  JSON.parse(execFileSync(command, words, { encoding: 'utf8' }));

const missingOf = (name: string): string | undefined =>
  missingJudges.includes(name) ? `${name} is not installed: npm run install:judges` : undefined;

const PEERS: readonly Peer[] = [
  {
    name: 'EU DSS',
    formats: ['pades', 'cades', 'xades'],
    missing: missingOf('EU DSS') ?? missingOf('javac'),
    // The options of the judge are for a program of a few seconds.
    measure: async ({ words }) => outside('java', ...(await javaOptions()).slice(-2), 'Peer', ...words),
  },
  {
    name: 'pyHanko',
    formats: ['pades', 'cades'],
    missing: missingOf('pyHanko'),
    measure: async ({ words }) =>
      outside(join(String(PYHANKO), 'bin/python'), 'test/judges/pyhanko/peer.py', ...words),
  },
  {
    name: '@signpdf',
    formats: ['pades'],
    missing: undefined,
    async measure({ file, p12 }) {
      const about = { reason: 'bench', contactInfo: '', name: '', location: '' };
      const sign = async () =>
        new SignPdf().sign(
          plainAddPlaceholder({ pdfBuffer: file, ...about, signatureLength: 16_384 }),
          new P12Signer(p12, { passphrase: PIN }),
        );
      return { sign: await costOf(sign) };
    },
  },
  {
    name: '@libpdf/core',
    formats: ['pades'],
    missing: undefined,
    async measure({ file, p12 }) {
      const signer = await LibpdfSigner.create(new Uint8Array(p12), PIN);
      return { sign: await costOf(async () => (await PDF.load(new Uint8Array(file))).sign({ signer })) };
    },
  },
];

const FILES: Readonly<Record<SignatureKind, Buffer>> = {
  pades: rawPdf(BYTES),
  cades: Buffer.alloc(BYTES, 'payments '),
  xades: Buffer.from(`<lote>${'<nota><valor>10</valor></nota>'.repeat(BYTES / 30)}</lote>`),
};
const NAMES: Readonly<Record<SignatureKind, string>> = { pades: 'PAdES', cades: 'CAdES', xades: 'XAdES' };

/** A signature, and its verification, against those of other programs on the same file, by their CPU. */
export async function figures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-peers-'));
  try {
    const all: Figure[] = [];
    for (const format of ['pades', 'cades', 'xades'] as const) all.push(...(await figuresOf(format, folder)));
    return all;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function figuresOf(format: SignatureKind, folder: string): Promise<Figure[]> {
  const pki = testPki();
  const { certificate, privateKey, chain } = pki.holder();
  const file = FILES[format];
  const key = localKey(privateKey, certificate, chain);
  const sign = () => buffer(signInPieces(file, { format, key, signingTimeMs: Date.now() }));
  const signed = await sign();
  const p12 = await writePkcs12({ privateKey, certificate, chain }, PIN, 2048);
  const trust = { anchors: [pki.root.certificate], revocation: 'skip' } as const;
  const verify = async () => {
    const { outcome } = await verifyFile(inMemory(signed), { trust, atMs: Date.now() });
    if (outcome !== 'valid') throw new Error(`${format} is ${outcome}.`);
  };
  const write = (name: string, bytes: Uint8Array): string => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  const words = [
    ...[format, write('key.p12', p12), PIN, write(`file.${format}`, file), write(`signed.${format}`, signed)],
    ...[write('root.crt', pki.root.certificate.der), String(SECONDS)],
  ];
  const own = { sign: await costOf(sign), verify: await costOf(verify) };
  const found: Figure[] = [];
  for (const { name, formats, missing, measure } of PEERS) {
    if (!formats.includes(format)) continue;
    if (missing !== undefined) {
      console.error(`${NAMES[format]} against ${name} is skipped: ${missing}`);
      continue;
    }
    const theirs = await measure({ format, file, signed, p12, words });
    for (const what of ['sign', 'verify'] as const) {
      const their = theirs[what];
      if (their) found.push(figureOf(`${NAMES[format]} on 100 KB, ${VERBS[what]}`, name, own[what], their));
    }
  }
  return found;
}

const VERBS = { sign: 'signed', verify: 'verified' };

const figureOf = (what: string, name: string, own: Cost, their: Cost): Figure => ({
  name: `${what}: our CPU against that of ${name}`,
  ratio: own.cpuMs / their.cpuMs,
  promised: { atMost: 1 },
  detail: `${textOf(own)}; ${textOf(their)}`,
});

const textOf = ({ cpuMs, perSecond }: Cost): string => `${cpuMs.toFixed(1)} ms, ${perSecond.toFixed(0)}/s`;
