import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CommandRefusal, reasonOf } from '../../shared/command-line/reason.ts';
import { SERVICES } from '../../shared/settings/names.ts';
import { hashSources } from '../build/source-hash.ts';

/** Where the host's functions are: `dist/<service>/<name>.mjs` below it. */
export const buildFolder = (root: string): string => join(root, 'dist/host');

const RECORD = 'build.json';

/**
 * Builds the host's functions unless a build of the same sources is there: made ahead with `npm run build:host`, or by an
 * earlier start. A container whose root is read-only needs it made ahead.
 * @example const buildDir = await ensureBuild(root);
 */
export async function ensureBuild(root: string): Promise<string> {
  const folder = buildFolder(root);
  const sources = await hashHostSources(root);
  if ((await builtFrom(folder)) === sources) return folder;
  try {
    await buildInto(folder, root, sources);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EROFS' && code !== 'EACCES') throw error;
    throw new CommandRefusal(
      `${folder} has no build of these sources, and cannot be written: ${reasonOf(error)}. Make it ahead: npm run build:host`,
    );
  }
  return folder;
}

// The roots to trust are no part of the bundles, and may be put there later.
const hashHostSources = (root: string): Promise<string> =>
  hashSources(root, { besides: 'host', without: /^\/trust\// });

async function builtFrom(folder: string): Promise<string | undefined> {
  const path = join(folder, RECORD);
  if (!existsSync(path)) return undefined;
  return (JSON.parse(await readFile(path, 'utf8')) as { readonly sources?: string }).sources;
}

/** Made beside and renamed into place, so that a build which is there is whole. */
async function buildInto(folder: string, root: string, sources: string): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  // Loaded here: a host that has its build needs no compiler.
  const [{ build }, esbuild] = await Promise.all([import('../build/build.ts'), import('esbuild')]);
  try {
    await build({ local: true, outdir: draft, root, services: [...SERVICES] });
    await writeFile(join(draft, RECORD), JSON.stringify({ sources }));
    await rm(folder, { recursive: true, force: true });
    // Of two that build at once, the later one drops its own.
    await rename(draft, folder).catch(async (error) => {
      if ((await builtFrom(folder)) !== sources) throw error;
    });
  } finally {
    await esbuild.stop();
    await rm(draft, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  try {
    console.log(`Built into ${await ensureBuild(resolve(import.meta.dirname, '../..'))}.`);
  } catch (error) {
    console.error(reasonOf(error));
    process.exitCode = 1;
  }
}
