import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import * as esbuild from 'esbuild';
import { withShortErrors } from './build-failure.ts';
import { type FunctionFile, isRouter, isWorker } from './function-files.ts';
import { loadLater, startFirst } from './import-order.ts';

/** A file of code that the build wrote. */
export type CodeFile = {
  /** Below the build's folder. */
  readonly path: string;
  readonly bytes: number;
  /** The npm packages that it holds something of. */
  readonly packages: readonly string[];
};

/** The files that a cold start reads, the function's own first, and the files that are loaded later. */
export type Code = {
  readonly first: readonly CodeFile[];
  readonly later: readonly CodeFile[];
  /** For each endpoint of a router, the files that its first call reads besides. */
  readonly routes: readonly (readonly CodeFile[])[];
};

type BundleOptions = {
  readonly root: string;
  readonly dist: string;
  readonly local: boolean;
  readonly define: Record<string, string>;
  /** Bundles all functions of a service together. */
  readonly inOneGroup: boolean;
};

/**
 * Bundles functions and the threads they start, and gives the code of each function. Code that several functions of a
 * service share, and code behind import(), are files of their own: nothing is written twice, and a cold start reads only
 * what it needs. libxml2 requires it: its top-level await never ends behind an import() in one file.
 * @example const [code] = await bundle({ functions, threads }, { root, dist, local: false, inOneGroup: false, define: {} });
 */
export async function bundle(
  { functions, threads }: Readonly<Record<'functions' | 'threads', readonly FunctionFile[]>>,
  options: BundleOptions,
): Promise<Code[]> {
  const { root, dist, local, inOneGroup } = options;
  const written: Written = new Map();
  const entries = [...functions.map(entryOf(functionPath)), ...threads.map(entryOf(threadPath))];
  if (local) await run(entries, options, 'chunks', [startFirst(root, functions)], written);
  else {
    // Each service by itself, so that its artifacts are the same whichever are built along with it.
    for (const service of new Set(functions.map((file) => file.service))) {
      const isIn = (file: FunctionFile) => file.service === service;
      const chunks = `${service}.parts`;
      const files = functions.filter(isIn);
      for (const group of inOneGroup ? [files] : groupsOf(files)) {
        const plugins = [startFirst(root, group), loadLater(root, group)];
        await run(group.map(entryOf(functionPath)), options, chunks, plugins, written);
      }
      const started = threads.filter(isIn).map(entryOf(threadPath));
      if (started.length > 0) await run(started, options, chunks, [], written);
    }
  }

  const code = [...written.keys()].filter((path) => path.endsWith('.mjs'));
  const threadsIn = await threadsStartedIn(dist, code, threads.map(threadPath));
  const describe = (path: string): CodeFile => ({
    path,
    bytes: written.get(path)?.bytes ?? 0,
    packages: packagesOf(written.get(path)),
  });
  return functions.map((file) => {
    const first = reachableFrom([functionPath(file)], written, ['import-statement']);
    const all = reachableFrom(first, written, ['import-statement', 'dynamic-import']);
    const started = new Set(all.flatMap(threadsIn));
    const later = reachableFrom([...all, ...started], written, ['import-statement', 'dynamic-import']);
    const endpoints = isRouter(file) ? importsOf(functionPath(file), written, ['dynamic-import']) : [];
    const routes = [...new Set(endpoints)].map((path) =>
      reachableFrom([path], written, ['import-statement']),
    );
    return {
      first: first.map(describe),
      routes: routes.map((paths) => paths.filter((path) => !first.includes(path)).map(describe)),
      later: later.filter((path) => !first.includes(path)).map(describe),
    };
  });
}

// Workers have less in common than endpoints, which all answer HTTP.
const MAX_ENDPOINTS = 16;
const MAX_WORKERS = 8;

/**
 * The functions that are bundled together. The bundler writes a file for each set of functions that have some code in common,
 * and keeps in it what any of them needs. The more functions, and the less alike, the more and larger files a cold start
 * reads, and each file takes it a millisecond. Each group takes the bundler some two seconds.
 */
function groupsOf(functions: readonly FunctionFile[]): FunctionFile[][] {
  // An endpoint of a router is loaded by itself, and counts as a function.
  const routers = functions.filter(isRouter).map((router) => [router]);
  const others = functions.filter((file) => !isRouter(file));
  const [endpoints, workers] = [others.filter((file) => !isWorker(file)), others.filter(isWorker)];
  return [...routers, ...evenGroups(endpoints, MAX_ENDPOINTS), ...evenGroups(workers, MAX_WORKERS)];
}

function evenGroups(files: readonly FunctionFile[], max: number): FunctionFile[][] {
  const count = Math.ceil(files.length / max);
  const startOf = (group: number): number => Math.round((group * files.length) / count);
  return Array.from({ length: count }, (_, group) => files.slice(startOf(group), startOf(group + 1)));
}

const functionPath = ({ service, name }: FunctionFile): string => `${service}/${name}.mjs`;

// One folder deep, as functions and chunks are: all of them have the same relative path to a thread.
const threadPath = ({ service, name }: FunctionFile): string => `${service}.threads/${name}.mjs`;

const entryOf = (pathOf: (file: FunctionFile) => string) => (file: FunctionFile) => ({
  in: file.path,
  out: pathOf(file).slice(0, -'.mjs'.length),
});

type Output = esbuild.Metafile['outputs'][string];

// CommonJS dependencies call require(), which an ES module lacks. It is made at the first call: most files have none.
const REQUIRE =
  "import{createRequire as __cr}from'node:module';let __made;const require=id=>(__made??=__cr(import.meta.url))(id);";

/** The written files, by their path below the build's folder. */
type Written = Map<string, Output>;

async function run(
  entryPoints: { in: string; out: string }[],
  { root, dist, local, define }: BundleOptions,
  chunks: string,
  plugins: esbuild.Plugin[],
  written: Written,
): Promise<void> {
  const options = {
    absWorkingDir: root,
    entryPoints,
    outdir: dist,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    chunkNames: `${chunks}/[name]-[hash]`,
    platform: 'node',
    // The default is the AWS SDK's CommonJS build, which cannot be tree-shaken.
    mainFields: ['module', 'main'],
    target: 'node24',
    format: 'esm',
    // Errors name themselves, which classes no longer do: to name every function again would cost each cold start.
    minify: !local,
    // Stacks in the log name places of the sources: see shared/log/readable-stack.ts.
    sourcemap: 'linked',
    sourcesContent: local,
    legalComments: 'none',
    banner: { js: REQUIRE },
    define,
    plugins,
    metafile: true,
    logLevel: 'silent',
  } satisfies esbuild.BuildOptions;
  const { metafile } = await withShortErrors(() => esbuild.build(options));
  // esbuild's paths are relative to the working folder.
  const belowDist = (path: string): string => relative(dist, resolve(root, path));
  for (const [path, output] of Object.entries(metafile.outputs)) {
    const imports = output.imports.filter(({ external }) => !external);
    written.set(belowDist(path), {
      ...output,
      imports: imports.map((each) => ({ ...each, path: belowDist(each.path) })),
    });
  }
}

/** These files and all files that they import in these ways. */
function reachableFrom(from: readonly string[], written: Written, kinds: readonly string[]): string[] {
  const found = new Set(from);
  for (const path of found) for (const next of importsOf(path, written, kinds)) found.add(next);
  return [...found];
}

const importsOf = (path: string, written: Written, kinds: readonly string[]): string[] =>
  (written.get(path)?.imports ?? []).filter(({ kind }) => kinds.includes(kind)).map((next) => next.path);

const packagesOf = (output: Output | undefined): string[] => [
  ...new Set(
    Object.entries(output?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) => {
      const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules\/)/.exec(path) ?? [];
      return name && bytesInOutput > 0 ? [name] : [];
    }),
  ),
];

/** The threads that a file starts. It names them, and does not import them. */
async function threadsStartedIn(
  dist: string,
  paths: Iterable<string>,
  threads: readonly string[],
): Promise<(path: string) => readonly string[]> {
  const named = new Map<string, readonly string[]>();
  for (const path of threads.length > 0 ? paths : []) {
    const code = await readFile(join(dist, path), 'utf8');
    named.set(
      path,
      threads.filter((thread) => code.includes(`../${thread}`)),
    );
  }
  return (path) => named.get(path) ?? [];
}
