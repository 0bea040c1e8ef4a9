import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const CONTRACT = 'test/stores/vitest.config.ts';
export const JUDGED = 'test/stores/judged/vitest.config.ts';

type Failure = { readonly file: string; readonly test: string; readonly message: string };
export type Results = {
  readonly passed: number;
  readonly total: number;
  readonly failures: readonly Failure[];
};

/** Runs Vitest and gives its exit code. */
export async function runVitest(
  config: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', config, ...args],
    { stdio: 'inherit', env: { ...process.env, ...env } },
  );
  const [code] = await once(child, 'exit');
  return Number(code ?? 1);
}

type Report = {
  readonly numPassedTests: number;
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message?: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
};

/** Runs Vitest and gives its results by test. */
export async function resultsOf(
  config: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Results> {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-results-'));
  try {
    const outputFile = join(folder, 'results.json');
    const code = await runVitest(
      config,
      [...args, '--reporter=dot', '--reporter=json', `--outputFile.json=${outputFile}`],
      env,
    );
    const report: Report = JSON.parse(await readFile(outputFile, 'utf8'));
    const failures = report.testResults.flatMap(failuresOf);
    if (report.numTotalTests === 0 || (code !== 0 && failures.length === 0))
      throw new Error('The run has failed without a test that did. Its own words are above.');
    return { passed: report.numPassedTests, total: report.numTotalTests, failures };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function failuresOf({
  name,
  status,
  message = '',
  assertionResults,
}: Report['testResults'][number]): Failure[] {
  const file = name.slice(process.cwd().length + 1);
  const failed = assertionResults
    .filter((each) => each.status === 'failed')
    .map(({ fullName, failureMessages: [first = ''] = [] }) => ({
      file,
      test: fullName,
      message: String(first.split('\n')[0]),
    }));
  return status === 'failed' && failed.length === 0 ? [{ file, test: '', message }] : failed;
}
