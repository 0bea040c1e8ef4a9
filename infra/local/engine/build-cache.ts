import { existsSync, rmSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../../../shared/command-line/is-alive.ts';
import { hashSources } from '../../build/source-hash.ts';

/** Beside the dependencies and not with the data: it outlives `--fresh`. */
export const CACHE = 'node_modules/.cache/sinete';

/** `ownDir` is where a build goes that cannot be kept. */
type Folders = { readonly root: string; readonly ownDir: string };

// Enough to go back and forth between two changes.
const MAX_KEPT = 3;

/**
 * Builds into `<folder>/dist` and returns the folder, or that of an earlier build of the same sources: a build takes
 * seconds, and most starts have nothing new to build. The functions run where they are kept, and are not copied: that would
 * be thousands of files, and Node keeps compiled code by the path of its source.
 * @example const buildDir = await buildOnce({ root, ownDir }, (outdir) => build({ local: true, outdir, root }));
 */
export async function buildOnce(
  { root, ownDir }: Folders,
  build: (outdir: string) => Promise<void>,
): Promise<string> {
  // What an earlier version, or a start that could keep nothing, has left.
  await rm(ownDir, { recursive: true, force: true });
  const builds = join(root, CACHE, 'builds');
  const kept = join(builds, await fingerprint(root));
  if (await use(kept)) return kept;
  const draft = `${kept}.${process.pid}`;
  const isKept = await mkdir(draft, { recursive: true }).then(
    () => true,
    () => false,
  );
  // Where node_modules cannot be written, every start builds.
  if (!isKept) {
    await build(ownDir);
    return ownDir;
  }
  try {
    await build(draft);
    // Renamed into place, so that a kept build is whole. Of two engines that start at once, the later one drops its own.
    await rename(draft, kept).catch((error) => {
      if (!existsSync(kept)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await use(kept);
  await removeOldest(builds);
  return kept;
}

/** The compiler is a process: it would run for as long as this one. */
type Compiler = { stop(): Promise<void> };

/**
 * Builds all functions as this machine runs them, and returns their folder. Whoever gives up meanwhile stops the compiler
 * that it is told of.
 * @example const buildDir = await buildFunctions({ root, ownDir: join(dataDir, 'build') });
 */
export const buildFunctions = (
  folders: Folders,
  onCompiler?: (compiler: Compiler) => void,
): Promise<string> =>
  buildOnce(folders, async (outdir) => {
    const [{ build }, esbuild] = await Promise.all([import('../../build/build.ts'), import('esbuild')]);
    onCompiler?.(esbuild);
    await build({ local: true, outdir, root: folders.root });
    await esbuild.stop();
  });

const USER = /^used-by-(\d+)$/;

/** Marks a kept build as this process's, so that no other engine removes it. False where there is no such build. */
async function use(kept: string): Promise<boolean> {
  const mark = join(kept, `used-by-${process.pid}`);
  try {
    await writeFile(mark, '');
    removeAtExit(mark);
    await utimes(kept, new Date(), new Date());
    return true;
  } catch {
    return false;
  }
}

const marks: string[] = [];

function removeAtExit(mark: string): void {
  if (marks.push(mark) > 1) return;
  process.once('exit', () => {
    for (const each of marks) rmSync(each, { force: true });
  });
}

/** Whether an engine runs on it. One that was killed has left its mark, and its process is gone. */
async function isUsed(kept: string): Promise<boolean> {
  const names = await readdir(kept).catch(() => []);
  const pids = names.flatMap((name) => USER.exec(name)?.[1] ?? []);
  return pids.some((pid) => isAlive(Number(pid)));
}

// Earlier versions kept another layout under the hash of the same sources.
const LAYOUT = 'dist';

const fingerprint = (root: string): Promise<string> =>
  hashSources(root, { besides: `${root} ${process.version} ${LAYOUT}` });

async function removeOldest(builds: string): Promise<void> {
  const ageOf = (name: string) => stat(join(builds, name)).catch(() => ({ mtimeMs: 0 }));
  const all = await Promise.all(
    (await readdir(builds)).map(async (name) => ({ name, at: (await ageOf(name)).mtimeMs })),
  );
  const old = all.toSorted((a, b) => b.at - a.at).slice(MAX_KEPT);
  await Promise.all(
    old.map(async ({ name }) => {
      const path = join(builds, name);
      if (!(await isUsed(path))) await rm(path, { recursive: true, force: true });
    }),
  );
}
