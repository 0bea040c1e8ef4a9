import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import * as esbuild from 'esbuild';
import { inOneLine } from './build-failure.ts';
import type { FunctionFile } from './function-files.ts';

/** A file of code that the build wrote. */
export type CodeFile = {
  /** Below the build's folder. */
  readonly path: string;
  readonly bytes: number;
  /** The npm packages that it holds something of. */
  readonly packages: readonly string[];
};

/** What a function's first event waits for, its own file before all, and what is loaded once it is needed. */
export type Code = { readonly first: readonly CodeFile[]; readonly later: readonly CodeFile[] };

type Bundling = {
  readonly root: string;
  readonly dist: string;
  readonly local: boolean;
  readonly define: Record<string, string>;
};

/**
 * Bundles functions and the threads they begin, and gives the code of each function. What several of a service need,
 * and what is loaded with import(), are files of their own: nothing is written twice, and a cold start reads what it
 * needs. libxml2 could not be otherwise: it waits at its top level, which behind an import() in one file has no end.
 * @example const [code] = await bundle({ functions, threads }, { root, dist, local: false, define: {} });
 */
export async function bundle(
  { functions, threads }: Readonly<Record<'functions' | 'threads', readonly FunctionFile[]>>,
  bundling: Bundling,
): Promise<Code[]> {
  const { dist, local } = bundling;
  const entriesOf = (service?: string) => {
    const isIn = (file: FunctionFile) => service === undefined || file.service === service;
    return [
      ...functions.filter(isIn).map(entryOf(functionPath)),
      ...threads.filter(isIn).map(entryOf(threadPath)),
    ];
  };
  const written: Written = new Map();
  if (local) await run(entriesOf(), bundling, 'chunks', written);
  // Each service by itself, so that its artifacts are the same whichever are built along with it.
  for (const service of local ? [] : new Set(functions.map((file) => file.service))) {
    await run(entriesOf(service), bundling, `${service}.parts`, written);
  }

  const threadsIn = await threadsNamed(dist, written.keys(), threads.map(threadPath));
  const described = (path: string): CodeFile => ({
    path,
    bytes: written.get(path)?.bytes ?? 0,
    packages: packagesOf(written.get(path)),
  });
  return functions.map((file) => {
    const first = reached([functionPath(file)], written, ['import-statement']);
    const all = reached(first, written, ['import-statement', 'dynamic-import']);
    const begun = new Set(all.flatMap(threadsIn));
    const later = reached([...all, ...begun], written, ['import-statement', 'dynamic-import']);
    return {
      first: first.map(described),
      later: later.filter((path) => !first.includes(path)).map(described),
    };
  });
}

const functionPath = ({ service, name }: FunctionFile): string => `${service}/${name}.mjs`;

// One folder deep, as functions and chunks are: all of them reach a thread by the same relative address.
const threadPath = ({ service, name }: FunctionFile): string => `${service}.threads/${name}.mjs`;

const entryOf = (pathOf: (file: FunctionFile) => string) => (file: FunctionFile) => ({
  in: file.path,
  out: pathOf(file).slice(0, -'.mjs'.length),
});

type Output = esbuild.Metafile['outputs'][string];

/** What was written, by its path below the build's folder. */
type Written = Map<string, Output>;

async function run(
  entryPoints: { in: string; out: string }[],
  { root, dist, local, define }: Bundling,
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
    // By default the AWS SDK's CommonJS build is taken, of which nothing can be left out.
    mainFields: ['module', 'main'],
    target: 'node24',
    format: 'esm',
    minify: !local,
    keepNames: !local, // errors are told apart by their names
    sourcemap: local ? 'linked' : false,
    legalComments: 'none',
    // CommonJS dependencies call require(), which an ES module lacks.
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
    define,
    metafile: true,
    logLevel: 'silent',
  } satisfies esbuild.BuildOptions;
  const { metafile } = await inOneLine(() => esbuild.build(options));
  // Told from the working folder.
  const belowDist = (path: string): string => relative(dist, resolve(root, path));
  for (const [path, output] of Object.entries(metafile.outputs)) {
    const imports = output.imports.filter(({ external }) => !external);
    written.set(belowDist(path), {
      ...output,
      imports: imports.map((each) => ({ ...each, path: belowDist(each.path) })),
    });
  }
}

/** These files and all that they import, in these ways. */
function reached(from: readonly string[], written: Written, kinds: readonly string[]): string[] {
  const found = new Set(from);
  for (const path of found) {
    for (const next of written.get(path)?.imports ?? []) if (kinds.includes(next.kind)) found.add(next.path);
  }
  return [...found];
}

const packagesOf = (output: Output | undefined): string[] => [
  ...new Set(
    Object.entries(output?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) => {
      const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules\/)/.exec(path) ?? [];
      return name && bytesInOutput > 0 ? [name] : [];
    }),
  ),
];

/** The threads that a file begins. It names them, and does not import them. */
async function threadsNamed(
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
