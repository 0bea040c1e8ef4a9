import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder with `infra/` files of its own, gone after the test. */
export function rootWith(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'sinete-infra-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'infra'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'infra', name), text);
  return root;
}
