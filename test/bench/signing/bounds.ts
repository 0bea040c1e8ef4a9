import { costsOf, timesOf } from '../../shared/bounds/cost.ts';
import { mutantsOf } from '../../shared/signing/mutants/mutate.ts';
import { isCalledValid, makeSamples, sharesOf } from '../../shared/signing/mutants/samples.ts';
import type { Figure } from '../measure/figures.ts';

const READERS = [
  'certificates',
  'pkcs12',
  'revocation-lists',
  'ocsp-responses',
  'cms',
  'envelopes',
  'xml',
  'xml-to-sign',
  'pdf',
];
const SECOND_MS = 1000;

/** What the worst of the hostile files takes to be read or refused, of all that files are read by. */
export async function figures(): Promise<Figure[]> {
  const costs = [];
  for (const reader of READERS)
    costs.push(...(await costsOf(new URL(`../../shared/bounds/${reader}.ts`, import.meta.url))));
  const [slowest] = costs.toSorted((a, b) => b.cpuMs - a.cpuMs);
  const [largest] = costs.toSorted((a, b) => timesOf(b) - timesOf(a));
  if (!slowest || !largest) throw new Error('There are no hostile files.');
  return [
    {
      name: `the slowest of ${costs.length} hostile files to be read or refused, against one second`,
      ratio: slowest.cpuMs / SECOND_MS,
      promised: { atMost: 1 },
      detail: `${slowest.name}: ${slowest.cpuMs.toFixed(0)} ms`,
    },
    {
      name: 'the most memory that one of them takes, of ten times its size',
      ratio: timesOf(largest) / 10,
      promised: { atMost: 1 },
      detail: `${largest.name}: ${timesOf(largest).toFixed(1)} times its ${largest.inputBytes} bytes, beyond 40 MB that a process takes anyway`,
    },
    await slowestMutant(),
  ];
}

const MUTANTS = 20_000;

async function slowestMutant(): Promise<Figure> {
  const samples = Object.entries(await makeSamples());
  let slowest = { ms: 0, name: 'none' };
  const shares = sharesOf(
    samples.map(([, sample]) => sample),
    MUTANTS,
  );
  for (const [at, [name, sample]] of samples.entries())
    for (const { bytes, edits } of mutantsOf(sample.bytes, shares[at] ?? 0, 1)) {
      const from = process.cpuUsage();
      await isCalledValid(sample, bytes);
      const { user, system } = process.cpuUsage(from);
      const ms = (user + system) / 1000;
      if (ms > slowest.ms) slowest = { ms, name: `${name} (${edits.join(', ')})` };
    }
  return {
    name: `the slowest of ${MUTANTS} mutants of signed files to be judged or refused, against one second`,
    ratio: slowest.ms / SECOND_MS,
    promised: { atMost: 1 },
    detail: `${slowest.name}: ${slowest.ms.toFixed(0)} ms`,
  };
}
