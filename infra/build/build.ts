import { globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { SERVICES } from '../../shared/settings/names.ts';
import { TRUST_FILES } from '../plugins/trust.ts';
import { type Assets, buildAssets, servedBy } from './assets.ts';
import { bundle, type Code } from './bundle.ts';
import { type DeployedFile, deployedFiles, type FunctionFile, threadFiles } from './function-files.ts';
import { buildName } from './source-hash.ts';
import { compressedViewer } from './viewer.ts';
import { deflateFile, type ZippedFile, zipOf } from './zip.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');

/** A file that a function reads at run time. */
type SideFile = { readonly name: string; readonly bytes: Uint8Array };

/** Endpoints that read such files, by name. They are in the service's folder, and compressed already. */
const SIDE_FILES: Record<string, (service: string, assets: Assets) => Promise<readonly SideFile[]>> = {
  'get-reference': async () => [{ name: 'scalar.js.gz', bytes: await compressedViewer() }],
  'get-asset': async (service, assets) =>
    servedBy(service, assets).map(({ name, compressed }) => ({
      name: `assets/${name}.gz`,
      bytes: compressed,
    })),
};

export type BuildOptions = {
  /** Shares code between all services; otherwise each function is minified, and zipped with its source maps. */
  local: boolean;
  /** Bundles go to `<outdir>/dist/<service>/<name>.mjs`, zips to `<outdir>/dist/<service>.<name>.zip`. */
  outdir: string;
  /** Only these; all by default. */
  services?: string[];
  /**
   * Bundles the functions of a service together, in a fifth of the time. A cold start of one reads no less than it does of
   * what is deployed, and some read more.
   */
  inOneGroup?: boolean;
  /** Where `functions/` is. */
  root?: string;
};

export type Bundle = Code & {
  readonly service: string;
  readonly name: string;
  /** Its own file, which holds the handler. */
  readonly file: string;
  /** The bytes that a cold start reads. */
  readonly bytes: number;
};

/**
 * Bundles functions/<service>/{endpoints,routers,workers}/<name>.ts, each with all that it imports in a zip of its own.
 * @example await build({ local: true, outdir: '.local/build' })
 */
export async function build({
  local,
  outdir,
  services,
  inOneGroup = false,
  root = REPOSITORY,
}: BuildOptions): Promise<Bundle[]> {
  const dist = resolve(outdir, 'dist');
  const names: string[] = services ?? [...SERVICES, ...(local ? ['sandbox'] : [])];
  const ofThese = <File extends FunctionFile>(files: File[]) =>
    files.filter(({ service }) => names.includes(service));
  const [functions, threads] = [ofThese(deployedFiles(root)), ofThese(threadFiles(root))];
  const [assets, trust] = [await buildAssets(root, names), await trustFiles(root)];
  await clean(dist, services);
  // Pages refer to the assets of the same build, and an instance tells which build it runs.
  const define = {
    SINETE_ASSETS: JSON.stringify(assets.names),
    SINETE_BUILD: JSON.stringify(await buildName(root)),
  };
  const code = await bundle({ functions, threads }, { root, dist, local, inOneGroup, define });
  const zipped = deflateOnce(dist);
  return Promise.all(
    functions.map((file, at) =>
      finish(dist, file, { ...(code[at] ?? NO_CODE), local, assets, trust, zipped }),
    ),
  );
}

const NO_CODE: Code = { first: [], later: [], routes: [] };

async function clean(dist: string, services: string[] | undefined): Promise<void> {
  const stale = services?.flatMap((service) => [service, ...globSync(`${service}.*`, { cwd: dist })]);
  await Promise.all((stale ?? ['.']).map((path) => rm(join(dist, path), { recursive: true, force: true })));
}

type BuiltCode = Code & {
  readonly local: boolean;
  readonly assets: Assets;
  readonly trust: Readonly<Record<string, ZippedFile>>;
  readonly zipped: (path: string) => Promise<ZippedFile>;
};

/** Files of the build's folder, each deflated once: the functions of a service share most of their code. */
function deflateOnce(dist: string): (path: string) => Promise<ZippedFile> {
  const deflated = new Map<string, Promise<ZippedFile>>();
  return (path) => {
    const found = deflated.get(path) ?? readFile(join(dist, path)).then((bytes) => deflateFile(bytes));
    deflated.set(path, found);
    return found;
  };
}

/** The roots to trust. They are too large for a function's settings, which hold their names only. */
async function trustFiles(root: string): Promise<Record<string, ZippedFile>> {
  const names = globSync(TRUST_FILES, { cwd: root }).toSorted();
  const files = names.map(async (name) => [name, deflateFile(await readFile(join(root, name)))] as const);
  return Object.fromEntries(await Promise.all(files));
}

async function finish(
  dist: string,
  { service, name, operations }: DeployedFile,
  built: BuiltCode,
): Promise<Bundle> {
  const { first, later, routes, local, assets, trust, zipped } = built;
  // A function runs in the folder that its zip is unpacked to.
  const files: Record<string, ZippedFile> = { ...trust };
  for (const { path } of local ? [] : [...first, ...later]) {
    for (const file of [path, `${path}.map`]) files[`dist/${file}`] = await zipped(file);
  }
  const sideFiles = operations.map(async (each) => SIDE_FILES[each.name]?.(service, assets) ?? []);
  for (const { name: path, bytes } of (await Promise.all(sideFiles)).flat()) {
    await mkdir(dirname(join(dist, service, path)), { recursive: true });
    await writeFile(join(dist, service, path), bytes);
    files[`dist/${service}/${path}`] = deflateFile(bytes, 0);
  }
  // The zip's own name holds the service: the framework uploads by file name alone, and two services'
  // get-status.zip would silently become one.
  if (!local) await writeFile(join(dist, `${service}.${name}.zip`), zipOf(files));
  const bytes = first.reduce((sum, file) => sum + file.bytes, 0);
  return { service, name, file: join(dist, service, `${name}.mjs`), bytes, first, later, routes };
}

if (import.meta.main) {
  try {
    const bundles = await build({ local: false, outdir: REPOSITORY });
    console.log(`Built ${bundles.length} functions into dist/.`);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
