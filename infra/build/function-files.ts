import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The source of an endpoint, a worker or a router. */
export type FunctionFile = { readonly service: string; readonly name: string; readonly path: string };

// functions/documents/endpoints/signing/start-signature.ts and functions/pki/biometrics/endpoints/start-liveness.ts
// are documents/start-signature and pki/start-liveness: sub-folders order the files of a service, not its functions.
const functionFilesIn = (folders: string, root: string): FunctionFile[] =>
  globSync(`functions/*/**/${folders}/**/*.ts`, { cwd: root })
    .toSorted()
    .map((path) => ({ service: serviceOf(path), name: basename(path, '.ts'), path }));

const serviceOf = (path: string): string => path.split('/')[1] ?? '';

/** Every HTTP operation of every service. */
export const endpointFiles = (root = '.'): FunctionFile[] => functionFilesIn('endpoints', root);

/** Every operation of every service: endpoints, queue and schedule handlers. */
export const functionFiles = (root = '.'): FunctionFile[] => functionFilesIn('{endpoints,workers}', root);

export const isRouter = ({ path }: FunctionFile): boolean => path.includes('/routers/');

/** The function that anyone may call, and whose role reaches no store. */
export const isPublicRouter = ({ path }: FunctionFile): boolean => path.endsWith('/routers/public.ts');

/** A handler of a queue or a schedule. */
export const isWorker = ({ path }: FunctionFile): boolean => path.includes('/workers/');

/** A function as it is deployed. Its operations are itself, or the endpoints of a router. */
export type DeployedFile = FunctionFile & { readonly operations: readonly FunctionFile[] };

/** Every function of every service as it is deployed: routers, and all endpoints and workers that no router has. */
export function deployedFiles(root = '.'): DeployedFile[] {
  const files = functionFiles(root);
  const routers = functionFilesIn('routers', root).map((router) => {
    const paths = importedBy(router, root);
    return { ...router, operations: files.filter(({ path }) => paths.includes(path)) };
  });
  const routed = new Set(routers.flatMap(({ operations }) => operations));
  const alone = files.filter((file) => !routed.has(file)).map((file) => ({ ...file, operations: [file] }));
  return [...alone, ...routers].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

// A router writes each of its endpoints as an import(), for which the bundler makes a file.
const importedBy = ({ path }: FunctionFile, root: string): string[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/\bimport\('([^']+)'\)/g)].map(([, to = '']) =>
    join(dirname(path), to),
  );

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

/**
 * The exports of a service's contract, from contract.ts and the files below contract/. A name stands for one shape.
 * @example const { Upload } = await contractOf('documents');
 */
export async function contractOf(service: string, root = '.'): Promise<Readonly<Record<string, unknown>>> {
  const paths = globSync(`functions/${service}/**/{contract.ts,contract/**/*.ts}`, { cwd: root }).toSorted();
  const named = new Map<string, { readonly value: unknown; readonly path: string }>();
  for (const path of paths) {
    const exported: Record<string, unknown> = await import(pathToFileURL(resolve(root, path)).href);
    for (const [name, value] of Object.entries(exported)) {
      const other = named.get(name);
      if (other && other.value !== value)
        throw new Error(`${path} and ${other.path} export different shapes as ${name}.`);
      named.set(name, { value, path });
    }
  }
  return Object.fromEntries([...named].map(([name, { value }]) => [name, value]));
}
