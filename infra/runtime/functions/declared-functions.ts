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
        definition: withoutVariables(file, key, definition),
      })),
    );
}

/** Those of a deployed stage, which has no sandbox. */
export const deployedFunctions = (root: string): DeclaredFunction[] =>
  readFunctions(root).filter(({ file }) => !file.startsWith('functions/sandbox/'));

/** Only the framework reads variables. The one that is declared, of what a deployment reserves, means nothing here. */
function withoutVariables(
  file: string,
  key: string,
  { reservedConcurrency: _unused, ...definition }: DeclaredFunction['definition'],
): DeclaredFunction['definition'] {
  const [variable] = JSON.stringify(definition).match(/\$\{[^}]*\}/) ?? [];
  if (variable === undefined) return definition;
  throw new Error(`${file}: ${key} has ${variable}, which only a deployment reads. Write its value.`);
}

/** Throws an Error that names the first function whose bundle the build did not make. */
export function requireBundles(functions: DeclaredFunction[], buildDir: string): void {
  for (const { file, key, definition } of functions) {
    const bundle = bundleOf(definition);
    if (existsSync(join(buildDir, bundle))) continue;
    const source = bundle.replace(
      /^dist\/([^/]+)\/(.*)\.mjs$/,
      'functions/$1/{endpoints,routers,workers}/$2.ts',
    );
    throw new Error(`${file}: ${key} has the handler ${definition.handler}, but there is no ${source}.`);
  }
}

/** @example bundleOf({ handler: 'dist/session/get-status.handler' }) // 'dist/session/get-status.mjs' */
export const bundleOf = ({ handler }: DeclaredFunction['definition']): string =>
  String(handler).replace(/\.\w+$/, '.mjs');
