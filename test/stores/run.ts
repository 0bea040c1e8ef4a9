import { type Row, runContract } from './engines/contract.ts';
import { labelOf, missingOf, PAIRS, type Pair, startPair } from './engines/pairs.ts';
import { writeTable } from './engines/table.ts';
import { CONTRACT, JUDGED, runVitest } from './engines/vitest.ts';

// `npm run test:stores` runs the tests of everything that calls the stores, against those of the environment.
//   -- --all     against each engine in turn, and writes the table of docs/localstack.md
//   -- --model   random commands to the embedded stores and to engines that others wrote: both answers are equal
//   -- --ci      a part of both, for each change
// Everything else is Vitest's: npm run test:stores -- test/shared/queue
const [first, ...rest] = process.argv.slice(2);

// The engines of a run of CI, each the quickest of its kind, and what of the contract fits into it.
const IN_CI: Pair = { tables: 'dynoxide', files: 'moto' };
const JUDGES_IN_CI: Pair = { tables: 'dynamodb-local', files: 'moto' };
const PART = [
  'test/shared/store',
  'test/shared/files/files.test.ts',
  ...['consume', 'outbox', 'send'].map((name) => `test/shared/queue/${name}.test.ts`),
];

/** Those that are there. What is missing is said, and fails in CI. */
function present(pairs: readonly Pair[]): readonly Pair[] {
  const missing = missingOf(pairs);
  for (const name of missing)
    console.log(`${labelOf(name)} skipped: it is missing. Run: npm run install:engines`);
  if (missing.length > 0 && process.env.CI) process.exitCode = 1;
  return pairs.filter((pair) => missingOf([pair]).length === 0);
}

async function judge(pair: Pair, env: Record<string, string>): Promise<void> {
  console.log(`Judges: ${labelOf(pair.tables)} for tables, ${labelOf(pair.files)} for files and queues.`);
  const engines = await startPair(pair);
  try {
    const code = await runVitest(JUDGED, rest, { ...engines.env, ...env });
    if (code !== 0) process.exitCode = code;
  } finally {
    await engines.stop();
  }
}

// The engines end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

if (first === '--all') {
  const rows: Row[] = [await runContract('embedded', rest)];
  for (const pair of present(PAIRS)) rows.push(await runContract(pair, rest));
  if (rest.length === 0) writeTable(rows, new Date().toISOString().slice(0, 10));
} else if (first === '--model') {
  for (const pair of present(PAIRS.filter(({ tables, files }) => tables !== files)))
    await judge(pair, { FUZZ: process.env.FUZZ ?? '1' });
} else if (first === '--ci') {
  await Promise.all([
    ...present([IN_CI]).map((pair) => runContract(pair, [...PART, ...rest])),
    ...present([JUDGES_IN_CI]).map((pair) => judge(pair, {})),
  ]);
} else process.exitCode = await runVitest(CONTRACT, process.argv.slice(2));
