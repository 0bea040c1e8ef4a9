import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { labelOf, type Pair, startPair } from './pairs.ts';
import { CONTRACT, type Results, resultsOf } from './vitest.ts';

/** A test that fails on an engine by the fault of the engine. */
type KnownFailure = {
  readonly engine: string;
  /** What of it the test meets. */
  readonly serves: 'tables' | 'files';
  /** A star is any: which tests fail changes from run to run. */
  readonly file: string;
  readonly test: string;
  /** What the engine does otherwise, as a sentence of docs/localstack.md. */
  readonly reason: string;
};

const KNOWN: readonly KnownFailure[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'known-failures.json'), 'utf8'),
);

/** What a run against one pair of engines came to. */
export type Row = {
  readonly tables: string;
  readonly files: string;
  readonly passed: number;
  readonly total: number;
  readonly reasons: readonly string[];
};

const matches = (known: KnownFailure, { file, test }: Results['failures'][number]): boolean =>
  [file, '*'].includes(known.file) && [test, '*'].includes(known.test);

/**
 * Runs the tests of the stores against a pair of engines. Sets the exit code where a test fails that nobody expects to
 * fail, and says which of those that are expected to fail have passed.
 */
export async function runContract(pair: Pair | 'embedded', filters: readonly string[]): Promise<Row> {
  if (pair === 'embedded')
    return judge(
      'embedded',
      'embedded',
      [],
      filters,
      await resultsOf(CONTRACT, filters, { STORES: 'embedded' }),
    );
  const { env, stop } = await startPair(pair);
  try {
    const known = KNOWN.filter(({ engine, serves }) => engine === pair[serves]);
    const results = await resultsOf(CONTRACT, filters, env);
    return judge(labelOf(pair.tables), labelOf(pair.files), known, filters, results);
  } finally {
    await stop();
  }
}

function judge(
  tables: string,
  files: string,
  known: readonly KnownFailure[],
  filters: readonly string[],
  { passed, total, failures }: Results,
): Row {
  console.log(`${tables} and ${files}: ${passed} of ${total} tests passed.`);
  for (const failure of failures) {
    const expected = known.find((each) => matches(each, failure));
    console.log(`  ${expected ? 'known' : 'FAILED'}: ${failure.file}: ${failure.test}: ${failure.message}`);
    if (!expected) process.exitCode = 1;
  }
  if (filters.length === 0)
    for (const each of known.filter((one) => !failures.some((failure) => matches(one, failure))))
      console.log(`  passes now, and need not be in known-failures.json: ${each.engine}, ${each.test}`);
  const met = known.filter((each) => failures.some((failure) => matches(each, failure)));
  return { tables, files, passed, total, reasons: [...new Set(met.map(({ reason }) => reason))] };
}
