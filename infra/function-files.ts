import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** A function's source: one file an endpoint or worker. */
export type FunctionFile = { readonly service: string; readonly name: string; readonly path: string };

const found = (pattern: string, root: string): FunctionFile[] =>
  globSync(pattern, { cwd: root })
    .toSorted()
    .map((path) => ({ service: basename(dirname(dirname(path))), name: basename(path, '.ts'), path }));

/** Every HTTP function of the house. */
export const endpointFiles = (root = '.'): FunctionFile[] => found('functions/*/endpoints/*.ts', root);

/** Every function of the house: endpoints, queue and schedule handlers. */
export const functionFiles = (root = '.'): FunctionFile[] =>
  found('functions/*/{endpoints,workers}/*.ts', root);

/** What functions begin in a thread apart: a `thread.ts` of a service's domain, by the name of its folder. */
export const threadFiles = (root = '.'): FunctionFile[] =>
  globSync('functions/*/domain/**/thread.ts', { cwd: root })
    .toSorted()
    .map((path) => ({ service: path.split('/')[1] ?? '', name: basename(dirname(path)), path }));
