import { randomBytes } from 'node:crypto';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { forEachConcurrently } from '../../../shared/async/for-each-concurrently.ts';
import { joinEngine } from '../../infra/local/engine/crowd.ts';
import { cleanUp } from '../../infra/local/engine/engine-process.ts';
import { drop } from '../batch/folders.ts';
import { completesPerSecond, holderOf } from '../pki/authentication.ts';
import { openSession } from '../session/sessions.ts';
import { batchClient, filesPerSecond, startBatchEngine } from './batch-client.ts';
import { startEngineCpuClock } from './engine-cpu.ts';
import { rawPdf } from './raw-pdf.ts';

const FILES = 200;
const DROPPED = 200;
const DROPPED_BYTES = 10 * 1024;
const SIGNS = 150;
const WARM_UP = 50;
const AT_ONCE = 10;

/** What the engine of a checkout does a second, and the CPU milliseconds that it takes. */
export type Measured = {
  readonly files: number;
  readonly cpuOfFile: number;
  readonly dropped: number;
  readonly signs: number;
  readonly cpuOfSign: number;
  readonly authentications: number;
};

// Run by against.ts in a process of its own.
async function measureEngine(root: string): Promise<Measured> {
  const engine = await startBatchEngine({ root });
  joinEngine(engine.dataDir);
  const pdf = rawPdf(100 * 1024);
  const withCpu = async (count: number, measured: () => Promise<number>) => {
    const cpuMs = startEngineCpuClock(engine.process.pid ?? 0);
    return { perSecond: await measured(), cpuMs: cpuMs() / count };
  };
  try {
    const client = batchClient(engine.url);
    const through = filesPerSecond(client);
    const upload = (name: string) => client.upload(`${name}.pdf`, [pdf]);
    await through(WARM_UP, upload);
    const files = await withCpu(FILES, () => through(FILES, upload));
    const put = (name: string) => drop(`${name}.bin`, randomBytes(DROPPED_BYTES));
    await through(WARM_UP, put);
    const dropped = await through(DROPPED, put);
    const sign = signer(engine.url, await openSession(engine), pdf);
    await sign(WARM_UP);
    const signs = await withCpu(SIGNS, () => sign(SIGNS));
    const holder = await holderOf(engine);
    await completesPerSecond(engine, holder);
    const authentications = await completesPerSecond(engine, holder);
    return {
      files: files.perSecond,
      cpuOfFile: files.cpuMs,
      dropped,
      signs: signs.perSecond,
      cpuOfSign: signs.cpuMs,
      authentications,
    };
  } finally {
    await cleanUp();
  }
}

function signer(url: string, sessionId: string, pdf: Buffer) {
  const body = JSON.stringify({ sessionId, document: pdf.toString('base64'), fileName: 'bench.pdf' });
  const headers = { 'x-api-key': SANDBOX_KEY, 'content-type': 'application/json' };
  return async (count: number): Promise<number> => {
    const startedAt = performance.now();
    await forEachConcurrently(AT_ONCE, Array.from({ length: count }), async () => {
      const answer = await fetch(`${url}/session/v1/signatures`, { method: 'POST', headers, body });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`A sign was answered ${answer.status}: ${text}`);
    });
    return (count * 1000) / (performance.now() - startedAt);
  };
}

process.send?.(await measureEngine(process.argv[2] ?? ''), () => process.exit(0));
