import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import * as esbuild from 'esbuild';
import { withShortErrors } from './build-failure.ts';
import { type FunctionFile, isRouter } from './function-files.ts';

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
};

/**
 * Bundles functions and the threads they start, and gives the code of each function. Code that several functions of a
 * service share, and code behind import(), are files of their own: nothing is written twice, and a cold start reads only
 * what it needs. libxml2 requires it: its top-level await never ends behind an import() in one file.
 * @example const [code] = await bundle({ functions, threads }, { root, dist, local: false, define: {} });
 */
export async function bundle(
  { functions, threads }: Readonly<Record<'functions' | 'threads', readonly FunctionFile[]>>,
  options: BundleOptions,
): Promise<Code[]> {
  const { dist, local } = options;
  const written: Written = new Map();
  const entries = [...functions.map(entryOf(functionPath)), ...threads.map(entryOf(threadPath))];
  if (local) await run(entries, options, 'chunks', written);
  else {
    // Each service by itself, so that its artifacts are the same whichever are built along with it.
    for (const service of new Set(functions.map((file) => file.service))) {
      const isIn = (file: FunctionFile) => file.service === service;
      const groups = [
        ...groupsOf(functions.filter(isIn)).map((files) => files.map(entryOf(functionPath))),
        threads.filter(isIn).map(entryOf(threadPath)),
      ];
      for (const group of groups)
        if (group.length > 0) await run(group, options, `${service}.parts`, written);
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

const MAX_GROUP = 12;

/**
 * The functions that are bundled together. The bundler writes a file for each set of functions that have some code in common,
 * and keeps in it what any of them needs. The more functions, the more and larger files a cold start reads: 141 with 1.05 MB
 * where the documents were one group, 70 with 0.98 MB so. Each group takes the bundler some two seconds.
 */
function groupsOf(functions: readonly FunctionFile[]): FunctionFile[][] {
  // An endpoint of a router is loaded by itself, and counts as a function.
  const groups = functions.filter(isRouter).map((router) => [router]);
  const others = functions.filter((file) => !isRouter(file));
  for (let from = 0; from < others.length; from += MAX_GROUP)
    groups.push(others.slice(from, from + MAX_GROUP));
  return groups;
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
    minify: !local,
    keepNames: !local, // code checks errors by their names; without minification they keep them
    // Stacks in the log name places of the sources: see shared/log/readable-stack.ts.
    sourcemap: 'linked',
    sourcesContent: local,
    legalComments: 'none',
    banner: { js: REQUIRE },
    define,
    plugins: [startFirst(root, entryPoints)],
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

/**
 * Has every function of a service import the service's `on-start.ts` before anything else, where it has one. The sources
 * cannot: what a service starts may use any of its parts, and all of these import service.ts. Not the public function: what
 * starts may use the stores, and its role may not.
 */
const startFirst = (root: string, entryPoints: readonly { in: string }[]): esbuild.Plugin => ({
  name: 'start-first',
  setup(build) {
    const entries = new Map(entryPoints.map((entry) => [resolve(root, entry.in), entry.in]));
    build.onLoad({ filter: /\/(endpoints|routers|workers)\/.*\.ts$/ }, async ({ path }) => {
      const [, service = ''] = entries.get(path)?.split('/') ?? [];
      const start = resolve(root, 'functions', service, 'on-start.ts');
      if (!entries.has(path) || path.endsWith('/routers/public.ts') || !existsSync(start)) return undefined;
      // On the first line, so that the places of the source stay.
      const first = `import ${JSON.stringify(relative(dirname(path), start))};`;
      return { contents: `${first}${await readFile(path, 'utf8')}`, loader: 'ts' };
    });
  },
});

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
