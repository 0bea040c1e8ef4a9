import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasOpenssl } from '../shared/signing/cms-openssl.ts';
import { type ServedSandbox, serveSandbox } from './sign-sandbox.ts';

/** The commands of a page's `shell` blocks: those that need the sandbox's files. */
const commandsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```shell\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  );

let sandbox: ServedSandbox;
// A reader's own folder, with the engine's data folder in it.
const folder = mkdtempSync(join(tmpdir(), 'sinete-pages-'));

beforeAll(async () => {
  sandbox = await serveSandbox();
  symlinkSync(dirname(sandbox.pki()), join(folder, '.local'));
  const pdf = await PDFDocument.create();
  pdf.addPage([400, 300]);
  writeFileSync(join(folder, 'report.pdf'), await pdf.save());
  writeFileSync(join(folder, 'data.bin'), 'data');
  writeFileSync(join(folder, 'contract.xml'), '<contract><party Id="p1"/></contract>');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  sandbox.stop();
});

const run = (text: string) => {
  const here = text
    .replaceAll('http://localhost:3000', sandbox.url)
    .replace(
      /^npm run (sign|verify) --/,
      (_, name) => `${process.execPath} ${resolve(`infra/${name}/${name}.ts`)}`,
    );
  return promisify(execFile)('bash', ['-euo', 'pipefail', '-c', here], { cwd: folder });
};

// One after the other: a page's later commands use what its earlier ones made.
describe.each(['docs/signing.md', 'docs/sandbox.md'])('%s', (page) => {
  const commands = commandsOf(page);

  it('holds commands', () => {
    expect(commands.length).toBeGreaterThan(4);
  });

  it.runIf(hasOpenssl || page.includes('signing')).each(commands)('%s', async (text) => {
    await expect(run(text)).resolves.toBeDefined();
  });
});
