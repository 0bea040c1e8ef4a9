import { existsSync } from 'node:fs';
import { cp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { hashSources } from '../../build/source-hash.ts';

/** Beside the dependencies and not with the data: it outlives `--fresh`. */
export const CACHE = 'node_modules/.cache/sinete';

type Folders = { readonly root: string; readonly outdir: string };

// Enough to go back and forth between two changes.
const MAX_KEPT = 3;

/**
 * Builds into `<outdir>/dist`, or copies an earlier build of the same sources: a build takes seconds, and most starts
 * have nothing new to build.
 * @example await buildOnce({ root, outdir }, () => build({ local: true, outdir, root }));
 */
export async function buildOnce({ root, outdir }: Folders, build: () => Promise<void>): Promise<void> {
  const builds = join(root, CACHE, 'builds');
  const [kept, dist] = [join(builds, await fingerprint(root)), join(outdir, 'dist')];
  if (await restore(kept, dist)) return;
  await build();
  // Where node_modules cannot be written, every start builds.
  await keep(dist, kept).then(
    () => removeOldest(builds),
    () => undefined,
  );
}

/** Renamed into place, so that a kept build is whole. Of two engines that start at once, the later one drops its own. */
async function keep(dist: string, kept: string): Promise<void> {
  const draft = `${kept}.${process.pid}`;
  await cp(dist, draft, { recursive: true });
  await rename(draft, kept).catch(() => rm(draft, { recursive: true, force: true }));
}

/** Whether the kept build could be copied. Another engine may be removing it at this moment. */
async function restore(kept: string, dist: string): Promise<boolean> {
  if (!existsSync(kept)) return false;
  try {
    await rm(dist, { recursive: true, force: true });
    await cp(kept, dist, { recursive: true });
    await utimes(kept, new Date(), new Date());
    return true;
  } catch {
    return false;
  }
}

const fingerprint = (root: string): Promise<string> =>
  hashSources(root, { besides: `${root} ${process.version}` });

async function removeOldest(builds: string): Promise<void> {
  const ageOf = (name: string) => stat(join(builds, name)).catch(() => ({ mtimeMs: 0 }));
  const all = await Promise.all(
    (await readdir(builds)).map(async (name) => ({ name, at: (await ageOf(name)).mtimeMs })),
  );
  const old = all.toSorted((a, b) => b.at - a.at).slice(MAX_KEPT);
  await Promise.all(old.map(({ name }) => rm(join(builds, name), { recursive: true, force: true })));
}
