import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { forEachConcurrently } from '../../../shared/async/for-each-concurrently.ts';
import { tableName } from '../../../shared/settings/names.ts';
import { localKey } from '../../../shared/signing/key.ts';
import { signPades } from '../../../shared/signing/pades/sign.ts';
import { testPki } from '../../certificates/pki.ts';
import { joinEngine } from '../../infra/local/engine/crowd.ts';
import { cleanUp, type EngineProcess, startEngineProcess } from '../../infra/local/engine/engine-process.ts';
import { startCpuClock } from '../../measure/cpu-time.ts';
import { startEngineCpuClock } from '../measure/engine-cpu.ts';
import type { Figure } from '../measure/figures.ts';
import { inTurns, perSecond, timesPerSecond } from '../measure/load.ts';
import { rawPdf } from '../measure/raw-pdf.ts';
import { HANDLERS_URL, serveHandlers } from '../measure/served-handlers.ts';

const PDF_BYTES = 100 * 1024;
const SIGNS_ALONE = 20;
const SIGNS = 100;
const AT_ONCE = 10;
const LOG_WRITTEN_MS = 1_000;

const headers = { 'x-api-key': SANDBOX_KEY, 'content-type': 'application/json' };

/** The session server on the running engine, against what the same machine does without it. */
export async function figures(): Promise<Figure[]> {
  // More calls than an application may make by default.
  const env = { Log__Level: 'INFO', Throttle__ApplicationCallsPerMinute: '1000000' };
  const engine = await startEngineProcess({ env });
  await engine.ready();
  joinEngine(engine.dataDir);
  process.env.BENCH_TABLE = tableName('session');
  const bare = await serveHandlers(['bare-get']);
  try {
    const sessionId = await openSession(engine);
    return [await statusFigure(engine, sessionId), ...(await signFigures(engine, sessionId))];
  } finally {
    bare.kill('SIGKILL');
    await cleanUp();
  }
}

export async function openSession({ url }: EngineProcess): Promise<string> {
  const body = JSON.stringify({ cpf: '52998224725', pin: '1234' });
  const answer = await fetch(`${url}/session/v1/sessions`, { method: 'POST', headers, body });
  return ((await answer.json()) as { sessionId: string }).sessionId;
}

/** An endpoint whose calls are bounded over all instances. A process that is called all the time keeps its slots. */
async function statusFigure({ url }: EngineProcess, sessionId: string): Promise<Figure> {
  const ours = () => perSecond({ url: `${url}/session/v1/sessions/status?sessionId=${sessionId}`, headers });
  const bare = () => perSecond({ url: `${HANDLERS_URL}/bare-get` });
  await Promise.all([ours(), bare()]);
  const measured = await inTurns(ours, bare);
  return {
    name: 'session status against a bare handler with the same read',
    ratio: measured.ratio,
    // It reads the keys, the rate and the slots of its application, and the session. See RESULTS.md.
    promised: { atLeast: 0.2 },
    detail: `${measured.ours} and ${measured.theirs} requests/s`,
  };
}

/** A signature through the session server and the platform, against the signature alone in one process. */
async function signFigures(engine: EngineProcess, sessionId: string): Promise<Figure[]> {
  const { certificate, privateKey, chain } = testPki().holder();
  const key = localKey(privateKey, certificate, chain);
  const pdf = rawPdf(PDF_BYTES);
  const body = JSON.stringify({ sessionId, document: pdf.toString('base64'), fileName: 'bench.pdf' });
  const url = `${engine.url}/session/v1/signatures`;
  const ours = () => perSecond({ url, headers, method: 'POST', body });
  const signAlone = () => signPades(pdf, key, { signingTimeMs: Date.now() });
  const sign = async (): Promise<void> => {
    const answer = await fetch(url, { method: 'POST', headers, body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`A sign was answered ${answer.status}: ${text}`);
  };
  await ours();
  const share = await platformShare(engine, sign);
  const measured = await inTurns(ours, () => timesPerSecond(signAlone));
  const cpu = await inTurns(
    () => cpuMsOf(startEngineCpuClock(engine.process.pid ?? 0), sign),
    () => cpuMsOf(startCpuClock(), signAlone),
  );
  const percent = Math.round(share * 100);
  return [
    {
      name: 'session sign, a 100 KB PDF with a vault certificate, against the signature alone',
      ratio: measured.ratio,
      // No promise: the signature alone takes seven times as long on some machines, and the rest does not.
      detail: `${measured.ours} and ${measured.theirs} signatures/s; ${percent} % of a sign is the platform's`,
    },
    {
      name: 'session sign, the CPU of all processes of the engine for one, against the signature alone',
      ratio: cpu.ratio,
      detail: `${cpu.ours} and ${cpu.theirs} ms, rounds of ${SIGNS}, ${AT_ONCE} at once`,
    },
    {
      name: 'CPU milliseconds of all processes of the engine for a session sign, on an idle machine',
      ratio: Number(cpu.ours),
      promised: { atMost: 80 },
      detail: 'no ratio: with its conclusion, a 100 KB PDF',
    },
  ];
}

async function cpuMsOf(cpuMs: () => number, sign: () => Promise<unknown>): Promise<number> {
  await forEachConcurrently(AT_ONCE, Array.from({ length: SIGNS }), async () => void (await sign()));
  return cpuMs() / SIGNS;
}

/** How much of a sign's time is spent in the platform's own functions, by the log, one sign at a time. */
async function platformShare({ dataDir }: EngineProcess, sign: () => Promise<void>): Promise<number> {
  const log = join(dataDir, 'engine.log');
  const before = readFileSync(log, 'utf8').length;
  for (let n = 0; n < SIGNS_ALONE; n++) await sign();
  await pause(LOG_WRITTEN_MS);
  const lines = readFileSync(log, 'utf8').slice(before).split('\n');
  const spent = { session: 0, documents: 0 };
  for (const line of lines) {
    const [, service] = /"service":"(session|documents)"/.exec(line) ?? [];
    const [, ms] = /"message":"answered".*"ms":(\d+)/.exec(line) ?? [];
    if (service && ms) spent[service as keyof typeof spent] += Number(ms);
  }
  return spent.documents / spent.session;
}
