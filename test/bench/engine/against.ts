import { type Figure, median } from '../measure/figures.ts';
import type { Measured } from '../measure/one-engine.ts';
import { runPart } from '../measure/part.ts';

const TURNS = 3;

const NAMES: Readonly<Record<keyof Measured, string>> = {
  files: 'batch, 100 KB PDFs from their upload to Completed, a second',
  cpuOfFile: 'the CPU milliseconds of such a file in all processes of the engine',
  dropped: 'batch, 10 KB files from their put into a folder to Completed, a second',
  signs: 'session signs of a 100 KB PDF, a second',
  cpuOfSign: 'the CPU milliseconds of such a sign in all processes of the engine',
  authentications: 'authentications completed, a second',
};

/**
 * The engine of this checkout against that of another one, in which `npm ci` has run. Both run in turns, so that what slows
 * the machine down meanwhile slows both: BENCH_AGAINST=../before npm run bench -- against
 */
export async function figures(): Promise<Figure[]> {
  const other = process.env.BENCH_AGAINST;
  if (!other) throw new Error('Name the folder of the other checkout: BENCH_AGAINST=../before');
  const [ours, theirs]: [Measured[], Measured[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn++) {
    theirs.push(await measure(other));
    ours.push(await measure(process.cwd()));
  }
  const middle = (of: readonly Measured[], name: keyof Measured) => median(of.map((one) => one[name]));
  return (Object.keys(NAMES) as (keyof Measured)[]).map((name) => {
    const [now, before] = [middle(ours, name), middle(theirs, name)];
    return {
      name: `${NAMES[name]}, against ${other}`,
      ratio: now / before,
      detail: `${now.toFixed(1)} and ${before.toFixed(1)}`,
    };
  });
}

const measure = (root: string): Promise<Measured> =>
  runPart(new URL('../measure/one-engine.ts', import.meta.url), [root]);
