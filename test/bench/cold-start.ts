import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { build as bundle } from 'esbuild';
import { build } from '../../infra/build/build.ts';
import { type Figure, median } from './measure/figures.ts';

const FOLDER = '.local/bench-cold';
const SAMPLES = 9;
const MAX_BUNDLE_BYTES = 1_048_576;

// A fresh process a sample; the import alone is timed.
const PROBE =
  'const t = performance.now(); await import(process.argv[1]); console.log(performance.now() - t);';

const importMs = (file: string): number =>
  Number(execFileSync(process.execPath, ['--input-type=module', '-e', PROBE, resolve(file)], { env: ENV }));

const ENV = { ...process.env, STAGE: 'local', AWS_REGION: 'us-east-1' };

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

  const samples = new Map(
    [empty, ...functions.map(({ file }) => file)].map((file) => [file, [] as number[]]),
  );
  for (let n = 0; n < SAMPLES; n++) {
    for (const [file, times] of samples) times.push(importMs(file));
  }
  const emptyMs = median(samples.get(empty) ?? []);
  const slowest = functions
    .map(({ service, name, file }) => ({ name: `${service}/${name}`, ms: median(samples.get(file) ?? []) }))
    .toSorted((a, b) => b.ms - a.ms)[0] ?? { name: 'none', ms: Number.NaN };
  const largest = functions
    .map(({ service, name, bytes }) => ({ name: `${service}/${name}`, bytes }))
    .toSorted((a, b) => b.bytes - a.bytes)[0] ?? { name: 'none', bytes: Number.NaN };

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
