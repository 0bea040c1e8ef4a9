import { cp, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const HOUSE = resolve(import.meta.dirname, '../..');

/**
 * A house of its own in a temporary folder: the real composition and infra around the given files, so that
 * tests that build and package do not meet each other, nor a developer's own `dist/`.
 */
export async function sampleHouse(files: Record<string, string>): Promise<string> {
  const root = await bareHouse();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

/** The same around the real functions. */
export async function realHouse(): Promise<string> {
  const root = await bareHouse();
  await symlink(join(HOUSE, 'functions'), join(root, 'functions'));
  return root;
}

async function bareHouse(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'sinete-house-'));
  for (const name of ['infra', 'shared', 'node_modules', 'package.json']) {
    await symlink(join(HOUSE, name), join(root, name));
  }
  await cp(join(HOUSE, 'serverless.yml'), join(root, 'serverless.yml'));
  return root;
}

/** A handler that tells its own name and the method it was called with. */
export const telling = (name: string): string =>
  `export const handler = async (event: { httpMethod: string }) =>
    ({ statusCode: 200, body: '${name} ' + event.httpMethod });\n`;
