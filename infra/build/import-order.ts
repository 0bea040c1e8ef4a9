import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type * as esbuild from 'esbuild';
import { type FunctionFile, isPublicRouter, isWorker } from './function-files.ts';

/**
 * Has every function of a service import the service's `on-start.ts` before anything else, where it has one. The sources
 * cannot: what a service starts may use any of its parts, and all of these import service.ts. Not the public function: what
 * starts may use the stores, and its role may not.
 */
export const startFirst = (root: string, files: readonly FunctionFile[]): esbuild.Plugin => ({
  name: 'start-first',
  setup(build) {
    const starts = new Map(files.map((file) => [resolve(root, file.path), startOf(root, file)]));
    build.onLoad({ filter: /\/(endpoints|routers|workers)\/.*\.ts$/ }, async ({ path }) => {
      const start = starts.get(path);
      if (start === undefined) return undefined;
      // On the first line, so that the places of the source stay.
      const first = `import ${JSON.stringify(relative(dirname(path), resolve(root, start)))};`;
      return { contents: `${first}${await readFile(path, 'utf8')}`, loader: 'ts' };
    });
  },
});

function startOf(root: string, file: FunctionFile): string | undefined {
  const start = `functions/${file.service}/on-start.ts`;
  return !isPublicRouter(file) && existsSync(join(root, start)) ? start : undefined;
}

/** What all functions of a group import: they are of one service, and either workers or not. */
function commonTo(root: string, [file]: readonly FunctionFile[]): string[] {
  if (!file) return [];
  const common = isWorker(file)
    ? ['shared/telemetry/end-run.ts', 'shared/store/collection.ts']
    : [`functions/${file.service}/service.ts`];
  return [startOf(root, file) ?? [], ...common].flat().filter((path) => existsSync(join(root, path)));
}

/**
 * Has code behind import() import what all functions of its group have loaded by then. It costs nothing when it is loaded, and
 * saves files at a cold start: the bundler writes a file for each set of functions and later imports that have some code in
 * common, so that each later import that uses half of what all functions use would break that half off.
 */
export const loadLater = (root: string, files: readonly FunctionFile[]): esbuild.Plugin => ({
  name: 'load-later',
  setup(build) {
    const common = commonTo(root, files);
    const isResolved = Symbol('resolved');
    build.onResolve({ filter: MAY_BE_LATER }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === isResolved) return undefined;
      const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: isResolved });
      // A CommonJS module has no exports that could be passed on.
      return ES_MODULE.test(found.path) ? { path: relative(root, found.path), namespace: LATER } : found;
    });
    build.onLoad({ filter: /./, namespace: LATER }, ({ path }) => ({
      contents: [
        ...common.map((each) => `import './${each}';`),
        `export * from ${JSON.stringify(`./${path}`)};`,
      ].join(''),
      resolveDir: root,
    }));
  },
});

const LATER = 'later';

// Every import that the plugin is asked about costs the build time. The AWS SDK loads its credentials by import().
const MAY_BE_LATER = /\.ts$|^@aws-sdk\/(client-|credential-provider-|nested-clients\/)|^@smithy\/credential-/;

// The AWS SDK's ES modules are in such a folder.
const ES_MODULE = /\.ts$|\/dist-es\//;
