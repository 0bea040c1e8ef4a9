import type { Figure } from '../measure/figures.ts';
import { runPart } from '../measure/part.ts';
import type { EngineRun } from './parts/engine.ts';
import { inPercent } from './parts/waiting.ts';
import type { WorkerRun } from './parts/worker.ts';

/** Batch signing: on the running engine, the worker alone, its lists and its metrics, and the compact surface. */
export async function figures(): Promise<Figure[]> {
  const { files, openssl, cpuMs } = await run<EngineRun>('engine');
  const { figure, shares } = await run<WorkerRun>('worker');
  const onEngine: Figure = {
    name: 'batch, a 100 KB PDF from its upload to Completed at MaxConcurrency 8, against `openssl speed rsa2048`',
    // No promise: RSA takes seven times as long on some machines, and the rest does not.
    ratio: files / openssl,
    detail: `${files.toFixed(1)} files/s and ${openssl.toFixed(0)} signatures/s; of a file's time, one at a time: ${inPercent(shares)}`,
  };
  const cpuOnEngine: Figure = {
    name: 'batch, the CPU of all processes of the engine for such a file, against signing and verifying it alone',
    ratio: cpuMs.engine / cpuMs.alone,
    detail: `${cpuMs.engine.toFixed(1)} and ${cpuMs.alone.toFixed(1)} ms; rounds of 200 files`,
  };
  const milliseconds: Figure = {
    name: 'CPU milliseconds of all processes of the engine for a batch file, on an idle machine',
    ratio: cpuMs.engine,
    promised: { atMost: 40 },
    detail: 'no ratio: a 100 KB PDF from its upload to Completed',
  };
  const others: Figure[] = [];
  for (const part of ['pages', 'scrape', 'compact-page', 'compact-upload'])
    others.push(await run<Figure>(part));
  return [onEngine, cpuOnEngine, milliseconds, figure, ...others];
}

const run = <T>(part: string): Promise<T> => runPart(new URL(`./parts/${part}.ts`, import.meta.url));
