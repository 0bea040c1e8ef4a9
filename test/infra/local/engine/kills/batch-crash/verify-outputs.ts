import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forEachConcurrently } from '../../../../../../shared/async/for-each-concurrently.ts';
import { writePem } from '../../../../../../shared/pki/pem.ts';
import { hasOpenssl } from '../../../../../shared/signing/cms/openssl.ts';
import { missingTools } from '../../../../../shared/signing/pades/judges.ts';
import { hasXmlsec } from '../../../../../shared/signing/xades/xmlsec.ts';
import type { DetailedJob } from './api.ts';
import { type MixedFile, PROFILES } from './files.ts';
import { holderIn } from './profiles.ts';
import type { CrashRun } from './run.ts';

const AT_ONCE = 4;

type Output = {
  readonly job: DetailedJob;
  readonly file: MixedFile;
  /** A path of this output alone. */
  readonly path: string;
  readonly trust: Trust;
};
type Trust = Awaited<ReturnType<typeof writeTrust>>;
/** Undefined, or what is wrong with the output. */
type Judge = (output: Output) => Promise<string | undefined>;

/** What tools from outside say against the outputs, downloaded one by one. The formats whose tool is missing are skipped. */
export async function verifyOutputs({ engine, api, uploads, jobs }: CrashRun): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-outputs-'));
  try {
    const trust = await writeTrust(engine.dataDir, folder);
    const files = new Map(uploads.map(({ file }) => [file.name, file]));
    const problems: string[] = [];
    const completed = jobs.filter(({ status, format }) => status === 'Completed' && JUDGES[format]);
    await forEachConcurrently(AT_ONCE, completed, async (job) => {
      const file = files.get(job.fileName);
      if (!file) return;
      const path = join(folder, job.id);
      writeFileSync(path, await api.output(job.id));
      const problem = await JUDGES[job.format]?.({ job, file, path, trust });
      if (problem !== undefined) problems.push(`the output of ${job.fileName}: ${problem}`);
    });
    return problems;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The sandbox's root as each tool wants it, and the key that opens envelopes. */
async function writeTrust(dataDir: string, folder: string) {
  const root = join(dataDir, 'pki/root.crt');
  const holder = await holderIn(dataDir);
  const path = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const nss = `sql:${folder}`;
  spawnSync('certutil', ['-N', '-d', nss, '--empty-password']);
  spawnSync('certutil', ['-A', '-d', nss, '-n', 'root', '-t', 'CT,C,C', '-i', root]);
  return {
    root,
    nss,
    chain: path('chain.pem', holder.chain.map(({ der }) => writePem('CERTIFICATE', der)).join('')),
    certificate: path('holder.pem', writePem('CERTIFICATE', holder.certificate.der)),
    key: path('holder.key', holder.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
  };
}

const judgePdf: Judge = async ({ file, path, trust }) => {
  const { said } = await run('pdfsig', ['-no-ocsp', '-nssdir', trust.nss, path]);
  const signatures = [...said.matchAll(/Signature Validation: (.*)/g)].map(([, verdict]) => verdict);
  const isTrusted = /Certificate Validation: Certificate is Trusted\./.test(said);
  const isWhole = /Total document signed/.test(said);
  if (signatures.join() !== 'Signature is Valid.' || !isTrusted || !isWhole) return said;
  return readFileSync(path).subarray(0, file.content.length).equals(file.content)
    ? undefined
    : 'other content';
};

const judgeCms: Judge = async ({ job, file, path, trust }) => {
  const [signed, content] = [`${path}.p7m`, `${path}.content`];
  const isEncrypted = job.profileName === PROFILES.encrypted;
  if (isEncrypted) {
    const key = ['-recip', trust.certificate, '-inkey', trust.key];
    const opening = ['cms', '-decrypt', '-binary', '-inform', 'DER', '-in', path, ...key, '-out', signed];
    const { isOk, said } = await run('openssl', opening);
    if (!isOk) return said;
  }
  const { isOk, said } = await run('openssl', [
    ...['cms', '-verify', '-cades', '-binary', '-inform', 'DER', '-in', isEncrypted ? signed : path],
    ...['-CAfile', trust.root, '-purpose', 'any', '-out', content],
  ]);
  if (!isOk) return said;
  return readFileSync(content).equals(file.content) ? undefined : 'other content';
};

const judgeXml: Judge = async ({ file, path, trust }) => {
  const ids = ['SignedProperties', 'Signature'].flatMap((name) => ['--id-attr:Id', name]);
  const trusted = ['--trusted-pem', trust.root, '--untrusted-pem', trust.chain];
  const { isOk, said } = await run('xmlsec1', [
    '--verify',
    ...trusted,
    ...ids,
    '--enabled-key-data',
    'x509',
    path,
  ]);
  if (!isOk || !/^OK$/m.test(said)) return said;
  const [, marker = ''] = /Id="(n\d+)"/.exec(file.content.toString()) ?? [];
  return readFileSync(path, 'utf8').includes(`"${marker}"`) ? undefined : 'other content';
};

const JUDGES: Readonly<Record<DetailedJob['format'], Judge | undefined>> = {
  Pades: missingTools().length > 0 ? undefined : judgePdf,
  Cades: hasOpenssl ? judgeCms : undefined,
  Xades: hasXmlsec ? judgeXml : undefined,
};

/** All that a tool prints, and whether its status is 0. */
const run = (tool: string, args: readonly string[]): Promise<{ isOk: boolean; said: string }> =>
  new Promise((done) => {
    execFile(tool, args, (error, stdout, stderr) => done({ isOk: error === null, said: stdout + stderr }));
  });
