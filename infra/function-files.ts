import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** The source of a function: one file for each endpoint or worker. */
export type FunctionFile = { readonly service: string; readonly name: string; readonly path: string };

// functions/documents/endpoints/signing/start-signature.ts and functions/pki/biometrics/endpoints/start-liveness.ts
// are documents/start-signature and pki/start-liveness: sub-folders order the files of a service, not its functions.
const functionFilesIn = (folders: string, root: string): FunctionFile[] =>
  globSync(`functions/*/**/${folders}/**/*.ts`, { cwd: root })
    .toSorted()
    .map((path) => ({ service: serviceOf(path), name: basename(path, '.ts'), path }));

const serviceOf = (path: string): string => path.split('/')[1] ?? '';

/** Every HTTP function of every service. */
export const endpointFiles = (root = '.'): FunctionFile[] => functionFilesIn('endpoints', root);

/** Every function of every service: endpoints, queue and schedule handlers. */
export const functionFiles = (root = '.'): FunctionFile[] => functionFilesIn('{endpoints,workers}', root);

/** The sources of worker threads: a `thread.ts` of a service's domain, named after its folder. */
export const threadFiles = (root = '.'): FunctionFile[] =>
  globSync('functions/*/**/domain/**/thread.ts', { cwd: root })
    .toSorted()
    .map((path) => ({ service: serviceOf(path), name: basename(dirname(path)), path }));

/** The sample event of a function. @example eventFile(file) // 'events/documents/signing/start-signature.json' */
export const eventFile = ({ path }: FunctionFile): string =>
  path
    .replace(/^functions\//, 'events/')
    .replace(/(endpoints|workers)\//, '')
    .replace(/\.ts$/, '.json');
