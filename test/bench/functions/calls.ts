import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IdleMinute } from '../../docs/aws/costs.ts';
import { idleCells, OPERATIONS, operationCells, writeRows } from '../../docs/aws/tables.ts';
import type { Calls } from '../../measure/calls.ts';
import type { Figure } from '../measure/figures.ts';

type Counted = { readonly operation: string; readonly limit: number; readonly calls: Calls };

const TESTS = [
  'test/functions/every-service/calls.test.ts',
  'test/functions/batch/calls.test.ts',
  'test/functions/credentials/calls.test.ts',
  'test/functions/hub/calls.test.ts',
  'test/functions/pki/authentication/calls.test.ts',
  'test/functions/every-service/idle.test.ts',
];

/**
 * The AWS calls of each main operation against its limit, as the tests that hold the limits count them. Writes the tables
 * of docs/aws.md that say what they cost.
 */
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
    const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const files = readdirSync(folder).filter((file) => file !== 'idle.json');
    const counted: Counted[] = files.flatMap(read);
    writeTables(counted, read('idle.json'));
    return counted.map(figureOf);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeTables(counted: readonly Counted[], minute: IdleMinute): void {
  const rows = OPERATIONS.map((operation) => {
    const found = counted.find((each) => each.operation === operation);
    if (!found) throw new Error(`No test has counted the calls of ${operation}.`);
    return operationCells(operation, found.calls);
  });
  writeRows('operations', rows);
  writeRows('idle', [idleCells(minute)]);
}

const figureOf = ({ operation, limit, calls: { total, byCommand } }: Counted): Figure => ({
  name: `AWS calls: ${operation}`,
  ratio: total / limit,
  promised: { atMost: 1 },
  detail: `${total} of ${limit}: ${Object.entries(byCommand)
    .map(([command, count]) => `${count} ${command}`)
    .join(', ')}`,
});
