import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runOpen } from '../../../cli/open/run.ts';
import { runSign } from '../../../cli/sign/run.ts';
import { runVerify } from '../../../cli/verify/run.ts';
import { VALIDATION_ITEM_TYPES } from '../../../shared/pki/findings/validation-results.ts';
import { MEANINGS } from '../../../shared/signing/verification/reasons.ts';
import { hasOpenssl } from '../../shared/signing/cms/openssl.ts';
import { type ServedSandbox, serveSandbox } from '../sandbox.ts';

/** The commands of a page's `shell` blocks: those that need the sandbox's files. */
const commandsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```shell\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  );

let sandbox: ServedSandbox;
// A reader's folder: the repository's, with the engine's data folder in it.
const folder = mkdtempSync(join(tmpdir(), 'sinete-pages-'));

beforeAll(async () => {
  sandbox = await serveSandbox();
  symlinkSync(dirname(sandbox.pki()), join(folder, '.local'));
  symlinkSync(resolve('examples'), join(folder, 'examples'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  sandbox.stop();
});

const RUNS = { sign: runSign, verify: runVerify, open: runOpen } as const;
const isCommand = (name: string | undefined): name is keyof typeof RUNS => name !== undefined && name in RUNS;

/** Our commands in this process, which saves starting one for each; anything else in a shell. */
async function run(text: string): Promise<void> {
  const here = text.replaceAll('http://localhost:3000', sandbox.url).replaceAll('/tmp/', `${folder}/`);
  const [, name, words = ''] = /^npm run (sign|verify|open) -- (.*)$/.exec(here) ?? [];
  if (!isCommand(name)) {
    await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', here], { cwd: folder });
    return;
  }
  const argv = words.split(' ').map((word) => word.replace(/^\.local\//, `${folder}/.local/`));
  const complaints: string[] = [];
  const code = await RUNS[name](argv, { print: () => {}, printError: (line) => complaints.push(line) });
  expect([code, complaints]).toEqual([0, []]);
}

// One after the other: a page's later commands use what its earlier ones made.
describe.each(['docs/signing.md', 'docs/sandbox.md', 'docs/verification.md'])('%s', (page) => {
  const commands = commandsOf(page);

  test('holds commands', () => {
    expect(commands.length).toBeGreaterThan(4);
  });

  test.runIf(hasOpenssl || page.includes('verification')).each(commands)('%s', async (text) => {
    await expect(run(text)).resolves.toBeUndefined();
  });
});

test('the causes that docs/signing.md explains are types that a report can give', () => {
  const [, table = ''] = readFileSync('docs/signing.md', 'utf8').split('| Cause (`type`)');
  const causes = [...table.matchAll(/^\| (`[^|]*)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, type]) => type),
  );
  expect(causes.length).toBeGreaterThan(8);
  expect(VALIDATION_ITEM_TYPES).toEqual(expect.arrayContaining(causes));
});

test('docs/verification.md gives every finding the verdict, the reason and the outcome that reports give it', () => {
  const [, table = ''] =
    /^\| Finding \(`type`\)(.*?)^$/ms.exec(readFileSync('docs/verification.md', 'utf8')) ?? [];
  const rows = [...table.matchAll(/^\| (`.*)\|$/gm)].flatMap(([, row = '']) => {
    const [types = '', verdict, reason = '', outcome] = row.split('|').map((cell) => cell.trim());
    return [...types.matchAll(/`(\w+)`/g)].map(([, type]) => [
      type,
      { verdict, reason: reason.replaceAll('`', ''), outcome },
    ]);
  });
  const told = Object.entries(MEANINGS).filter(([, { reason }]) => reason !== 'GENERIC');
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(told));
});
