import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localKey } from '../../../../shared/signing/key.ts';
import { signFile } from '../../../../shared/signing/sign-file.ts';
import { verifySignedFile } from '../../../../shared/signing/verification/verify-signed-file.ts';
import { testPki } from '../../../certificates/pki.ts';
import { cleanUp } from '../../../infra/local/engine/engine-process.ts';
import { startCpuClock } from '../../../measure/cpu-time.ts';
import { batchClient, filesPerSecond, startBatchEngine } from '../../measure/batch-client.ts';
import { startEngineCpuClock } from '../../measure/engine-cpu.ts';
import { median } from '../../measure/figures.ts';
import { opensslPerSecond } from '../../measure/openssl.ts';
import { rawPdf } from '../../measure/raw-pdf.ts';

const FILES = 200;
const ROUNDS = 3;
const WARM_UP_FILES = 50;
const PDF_BYTES = 100 * 1024;
const OPENSSL_SECONDS = 3;

// Run by batch.ts in a process of its own.

export type EngineRun = {
  /** A second, from their upload to Completed. */
  readonly files: number;
  readonly openssl: number;
  /** CPU milliseconds of a file: of all processes of the engine, and of signing and verifying it alone. */
  readonly cpuMs: { readonly engine: number; readonly alone: number };
};

/** Files through a running engine, against openssl's signatures and the CPU of their own signatures. */
async function measureEngine(): Promise<EngineRun> {
  const engine = await startBatchEngine();
  try {
    const client = batchClient(engine.url);
    const pdf = rawPdf(PDF_BYTES);
    const through = filesPerSecond(client);
    const send = async (count: number): Promise<{ perSecond: number; cpuMs: number }> => {
      const cpuMs = startEngineCpuClock(engine.process.pid ?? 0);
      const perSecond = await through(count, (name) => client.upload(`${name}.pdf`, [pdf]));
      return { perSecond, cpuMs: cpuMs() / count };
    };
    // Not between the rounds: it blocks this process, and connections that it keeps would be closed unseen.
    const before = opensslPerSecond(OPENSSL_SECONDS);
    await send(WARM_UP_FILES);
    await signAlone(pdf);
    const rounds: { files: number; engine: number; alone: number }[] = [];
    // In turns, so that what slows the machine down meanwhile slows both.
    for (let n = 0; n < ROUNDS; n++) {
      const { perSecond, cpuMs } = await send(FILES);
      rounds.push({ files: perSecond, engine: cpuMs, alone: await signAlone(pdf) });
    }
    const middle = (of: 'files' | 'engine' | 'alone') => median(rounds.map((round) => round[of]));
    return {
      files: middle('files'),
      openssl: (before + opensslPerSecond(OPENSSL_SECONDS)) / 2,
      cpuMs: { engine: middle('engine'), alone: middle('alone') },
    };
  } finally {
    await cleanUp();
  }
}

/** The CPU milliseconds of signing a file and verifying the result as a job does, with nothing around it. */
async function signAlone(pdf: Uint8Array): Promise<number> {
  const { certificate, privateKey, chain } = testPki().holder();
  const key = localKey(privateKey, certificate, chain);
  const folder = mkdtempSync(join(tmpdir(), 'sinete-alone-'));
  const [input, signed] = [join(folder, 'input'), join(folder, 'signed')];
  writeFileSync(input, pdf);
  const cpuMs = startCpuClock();
  for (let n = 0; n < FILES; n++) {
    await signFile(input, signed, { format: 'pades', key, signingTimeMs: Date.now(), pem: false });
    const verified = { format: 'pades', atMs: Date.now(), signer: certificate } as const;
    if (!(await verifySignedFile(signed, verified)).ok) throw new Error('It does not verify.');
  }
  rmSync(folder, { recursive: true });
  return cpuMs() / FILES;
}

process.send?.(await measureEngine(), () => process.exit(0));
