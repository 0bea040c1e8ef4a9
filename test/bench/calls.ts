import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from './measure/figures.ts';

type Counted = {
  readonly operation: string;
  readonly limit: number;
  readonly calls: { readonly total: number; readonly byCommand: Readonly<Record<string, number>> };
};

const TESTS = ['test/functions/calls.test.ts', 'test/functions/batch/calls.test.ts'];

/** The AWS calls of each main operation against its limit, as the tests that hold the limits count them. */
export async function figures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-calls-'));
  try {
    const env = { ...process.env, CALLS_FOLDER: folder };
    execFileSync('npx', ['vitest', 'run', ...TESTS], {
      env,
      stdio: ['ignore', 2, 2],
    });
  } catch {
    // A limit that is exceeded is in the table.
  }
  try {
    return readdirSync(folder).flatMap((file) =>
      (JSON.parse(readFileSync(join(folder, file), 'utf8')) as Counted[]).map(figureOf),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const figureOf = ({ operation, limit, calls: { total, byCommand } }: Counted): Figure => ({
  name: `AWS calls: ${operation}`,
  ratio: total / limit,
  promised: { atMost: 1 },
  detail: `${total} of ${limit}: ${Object.entries(byCommand)
    .map(([command, count]) => `${count} ${command}`)
    .join(', ')}`,
});
