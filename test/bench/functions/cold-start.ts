import { execFileSync } from 'node:child_process';
import { basename, resolve } from 'node:path';
import { build as bundle } from 'esbuild';
import { type Bundle, build } from '../../../infra/build/build.ts';
import { type Figure, median } from '../measure/figures.ts';

const FOLDER = '.local/bench-cold';
const SAMPLES = 9;
const MEASURED = 12;
const MAX_BUNDLE_BYTES = 1_048_576;

// A fresh process a sample; the imports alone are timed.
const PROBE = `const t = performance.now();
  for (const file of process.argv.slice(1)) await import(file);
  console.log(performance.now() - t);`;

const importMs = (files: readonly string[]): number =>
  Number(execFileSync(process.execPath, ['--input-type=module', '-e', PROBE, ...files], { env: ENV }));

const ENV = { ...process.env, STAGE: 'local', AWS_REGION: 'us-east-1' };

type Start = { readonly name: string; readonly files: readonly string[]; readonly bytes: number };

/** What a cold start reads: a function's own file, or that of a router and one of its endpoints. */
function startsOf({ service, name, file, bytes, routes }: Bundle): Start[] {
  if (routes.length === 0) return [{ name: `${service}/${name}`, files: [file], bytes }];
  return routes.map((files) => ({
    name: `${service}/${name}: ${basename(files[0]?.path ?? '')}`,
    files: [file, resolve(FOLDER, 'dist', files[0]?.path ?? '')],
    bytes: files.reduce((sum, each) => sum + each.bytes, bytes),
  }));
}

/** Import time of each function's deployed bundle against an empty function that only makes a DynamoDB client. */
export async function figures(): Promise<Figure[]> {
  const functions = await build({ local: false, outdir: FOLDER });
  const empty = `${FOLDER}/empty.mjs`;
  await bundle({
    entryPoints: ['test/bench/measure/handlers/empty.ts'],
    outfile: empty,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  });

  const starts = functions.flatMap(startsOf);
  const emptyFiles = [resolve(empty)];
  // One look at each of some hundred starts says which are slow; those are measured, in turns with the empty one.
  const slow = starts
    .map((start) => ({ ...start, looked: importMs(start.files) }))
    .toSorted((a, b) => b.looked - a.looked)
    .slice(0, MEASURED)
    .map(({ name, files }) => ({ name, files, times: [] as number[] }));
  const emptyTimes: number[] = [];
  for (let n = 0; n < SAMPLES; n++) {
    emptyTimes.push(importMs(emptyFiles));
    for (const { files, times } of slow) times.push(importMs(files));
  }
  const emptyMs = median(emptyTimes);
  const slowest = slow
    .map(({ name, times }) => ({ name, ms: median(times) }))
    .toSorted((a, b) => b.ms - a.ms)[0] ?? {
    name: 'none',
    ms: Number.NaN,
  };
  const largest = starts.toSorted((a, b) => b.bytes - a.bytes)[0] ?? { name: 'none', bytes: Number.NaN };

  return [
    {
      name: 'cold start: slowest import against an empty function with a DynamoDB client',
      ratio: slowest.ms / emptyMs,
      promised: { atMost: 2.5 },
      detail: `${slowest.name} ${slowest.ms.toFixed(0)} ms, empty ${emptyMs.toFixed(0)} ms, ${functions.length} functions`,
    },
    {
      name: 'cold start: most code that a function reads at import against 1 MB',
      ratio: largest.bytes / MAX_BUNDLE_BYTES,
      promised: { atMost: 1 },
      detail: `${largest.name} ${Math.round(largest.bytes / 1024)} KB`,
    },
  ];
}
