import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { readYaml } from '../../resources.ts';

/** A function as functions/<service>/functions.yml declares it. */
export type DeclaredFunction = { file: string; key: string; definition: Record<string, unknown> };

type Definitions = Record<string, DeclaredFunction['definition']>;

/** @example readFunctions(root).map(({ key }) => key) // ['sessionGetStatus', …] */
export function readFunctions(root: string): DeclaredFunction[] {
  return globSync('functions/*/functions.yml', { cwd: root })
    .sort()
    .flatMap((file) =>
      Object.entries(readYaml<Definitions | null>(join(root, file)) ?? {}).map(([key, definition]) => ({
        file,
        key,
        definition,
      })),
    );
}

/** Throws an Error that names the first function whose bundle the build did not make. */
export function requireBundles(functions: DeclaredFunction[], buildDir: string): void {
  for (const { file, key, definition } of functions) {
    const bundle = String(definition.handler).replace(/\.\w+$/, '.mjs');
    if (existsSync(join(buildDir, bundle))) continue;
    const source = bundle.replace(
      /^dist\/([^/]+)\/(.*)\.mjs$/,
      'functions/$1/{endpoints,routers,workers}/$2.ts',
    );
    throw new Error(`${file}: ${key} has the handler ${definition.handler}, but there is no ${source}.`);
  }
}
