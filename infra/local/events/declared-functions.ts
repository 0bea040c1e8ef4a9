import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { reasonOf } from '../../../shared/command-line/reason.ts';
import { tags } from '../../resources.ts';

/** A function as functions/<service>/functions.yml declares it. */
export type DeclaredFunction = { file: string; key: string; definition: Record<string, unknown> };

/** @example readFunctions(root).map(({ key }) => key) // ['sessionGetStatus', …] */
export function readFunctions(root: string): DeclaredFunction[] {
  return globSync('functions/*/functions.yml', { cwd: root })
    .sort()
    .flatMap((file) =>
      Object.entries(readYaml(root, file)).map(([key, definition]) => ({ file, key, definition })),
    );
}

function readYaml(root: string, file: string): Record<string, Record<string, unknown>> {
  try {
    return parse(readFileSync(join(root, file), 'utf8'), { customTags: tags }) ?? {};
  } catch (error) {
    throw new Error(`${file} is not readable as YAML: ${reasonOf(error)}`, { cause: error });
  }
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
