import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cleanUp, temporaryFolder } from './agent-process.ts';

const ROOT = resolve(import.meta.dirname, '../..');
afterAll(cleanUp);

// npm puts a package below node_modules, where Node does not read TypeScript by itself.
test('the agent runs from where npm installs it', async () => {
  const home = join(temporaryFolder(), 'node_modules', 'sinete');
  mkdirSync(home, { recursive: true });
  for (const folder of ['agent', 'shared'])
    cpSync(join(ROOT, folder), join(home, folder), { recursive: true });
  writeFileSync(join(home, 'package.json'), '{"type":"module"}');
  symlinkSync(join(ROOT, 'node_modules'), join(home, 'node_modules'));
  const words = ['status', '--data', temporaryFolder()];
  const { error, printed } = await new Promise<{ error: string; printed: string }>((done) => {
    execFile(process.execPath, [join(home, 'agent/sinete-agent.mjs'), ...words], (_, out, error) =>
      done({ printed: out, error }),
    );
  });
  expect(printed).toBe('');
  expect(error).toMatch(/^This workstation is not enrolled: [^\n]*\n$/);
});
