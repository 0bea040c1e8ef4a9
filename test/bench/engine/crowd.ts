import {
  callers,
  createDocument,
  joinEngine,
  newApplication,
  openContent,
  type Place,
  slowUploads,
} from '../../infra/local/engine/crowd.ts';
import { cleanUp, startEngineProcess } from '../../infra/local/engine/engine-process.ts';
import { plainPdf } from '../../shared/signing/pades/documents.ts';
import { digitsWithoutEnd } from '../../shared/signing/pades/hostile-files.ts';
import { type Figure, median } from '../measure/figures.ts';

const CALLS = 60;

/** The latency of an application beside three that flood the engine, against the same with the engine to itself. */
export async function figures(): Promise<Figure[]> {
  const engine = await startEngineProcess();
  try {
    await engine.ready();
    joinEngine(engine.dataDir);
    const [uploader, drawer, caller, fourth] = await Promise.all(
      ['uploader', 'drawer', 'caller', 'fourth'].map(newApplication),
    );
    if (!uploader || !drawer || !caller || !fourth) throw new Error('unreachable');
    const hostile = await createDocument(engine, drawer, digitsWithoutEnd());
    const sound = await createDocument(engine, fourth, await plainPdf('table'));
    const list = (key: string, signal?: AbortSignal) =>
      fetch(`${engine.url}/documents/api/documents?limit=10`, {
        headers: { 'x-api-key': key },
        signal: signal ?? null,
      });
    const measured = { status: () => statusOf(engine, fourth.key), list: () => list(fourth.key) };
    for (const ask of Object.values(measured)) await latencies(ask, 20);
    const alone = { status: await latencies(measured.status), list: await latencies(measured.list) };

    const uploads = slowUploads(engine, uploader, 230);
    const drawings = callers(
      (signal) => openContent(engine, drawer, hostile, 'OriginalWithMarks', signal),
      12,
    );
    const lists = callers((signal) => list(caller.key, signal), 200);
    await latencies(measured.status, 20);
    const beside = { status: await latencies(measured.status), list: await latencies(measured.list) };
    const manifest = await latencies(() => openContent(engine, fourth, sound, 'SignaturesManifest'), 5);
    uploads.stop();
    await Promise.all([drawings.stop(), lists.stop()]);

    const flood = `230 slow uploads, 12 hostile drawings and 200 callers, of whom ${lists.answers.get(200) ?? 0} calls were served`;
    return (['status', 'list'] as const).map((name) => ({
      name: `${name === 'status' ? 'session status' : 'a list of documents'} of a fourth application beside three that flood the engine, against alone`,
      ratio: median(beside[name]) / median(alone[name]),
      // See RESULTS.md.
      promised: { atMost: 10 },
      detail: `medians ${median(beside[name]).toFixed(0)} and ${median(alone[name]).toFixed(0)} ms, slowest ${Math.max(...beside[name]).toFixed(0)} ms; ${flood}; a manifest ${median(manifest).toFixed(0)} ms`,
    }));
  } finally {
    await cleanUp();
  }
}

const statusOf = ({ url }: Place, key: string): Promise<Response> =>
  fetch(`${url}/session/v1/sessions/status?sessionId=none`, { headers: { 'x-api-key': key } });

async function latencies(ask: () => Promise<Response>, calls = CALLS): Promise<number[]> {
  const taken: number[] = [];
  for (let n = 0; n < calls; n++) {
    const startedAt = performance.now();
    const answer = await ask();
    await answer.arrayBuffer();
    if (answer.status !== 200)
      throw new Error(`A call of the fourth application was answered ${answer.status}.`);
    taken.push(performance.now() - startedAt);
  }
  return taken;
}
