import { didYouMean } from '../../shared/command-line/nearest.ts';
import { CONSOLE, type Output } from '../../shared/command-line/output.ts';
import { CommandRefusal, reasonOf } from '../../shared/command-line/reason.ts';
import type { Declaration } from '../../shared/http/declaration.ts';
import { SERVICES } from '../../shared/settings/names.ts';
import { deployedFiles, type FunctionFile } from '../build/function-files.ts';
import { operationsOf } from './operations.ts';

/** One route as a caller meets it, and where it is in the sources. */
export type RouteRow = {
  readonly method: string;
  readonly path: string;
  /** Who may call it. */
  readonly caller: string;
  /** The function that answers, as functions.yml names its handler. */
  readonly function: string;
  readonly file: string;
};

/**
 * Every route of a service, in the order of the paths.
 * @example await routesOf('hub') // [{ method: 'GET', path: '/hub/api/sessions/{id}', caller: 'key', … }, …]
 */
export async function routesOf(name: string): Promise<RouteRow[]> {
  const { service, operations } = await operationsOf(name);
  const functionOf = new Map(
    deployedFiles().flatMap((deployed) => deployed.operations.map(({ path }) => [path, nameOf(deployed)])),
  );
  const rows = operations.flatMap(({ path: file, declaration }) =>
    [declaration.route, ...(declaration.aliases ?? [])].map((route) => {
      const [method = '', path = ''] = route.split(' ');
      return {
        method,
        path: `${service.basePath}${path === '/' ? '' : path}`,
        caller: callerOf(declaration),
        function: functionOf.get(file) ?? '',
        file,
      };
    }),
  );
  return rows.toSorted((one, other) => compare(one.path, other.path) || compare(one.method, other.method));
}

const nameOf = ({ service, name }: FunctionFile): string => `${service}/${name}`;
const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

function callerOf({ access = 'key', needsSession, permission, can }: Declaration): string {
  if (needsSession) return 'session';
  if (access === 'public') return 'anyone';
  const needs = permission ?? can;
  const key = needs === undefined ? 'key' : `key: ${needs}`;
  return access === 'key' ? key : `${key}, or anyone by a setting`;
}

const USAGE = `Lists every route: method, path, who may call it, the function that answers and its source.

  npm run routes [-- SERVICE]

SERVICE is one of ${SERVICES.join(', ')}. "key: documents.send" is a key whose role or permissions allow that.`;

/** `npm run routes`: prints the routes, and gives the exit code. @example await runRoutes(['hub']) */
export async function runRoutes([name]: readonly string[], output: Output = CONSOLE): Promise<number> {
  try {
    if (name === '--help') output.print(USAGE);
    else for (const service of named(name)) output.print(tableOf(service, await routesOf(service)));
    return 0;
  } catch (error) {
    output.printError(reasonOf(error));
    return 1;
  }
}

function named(name: string | undefined): readonly string[] {
  if (name === undefined) return SERVICES;
  if (!SERVICES.some((service) => service === name))
    throw new CommandRefusal(
      `${name} is no service.${didYouMean(name, SERVICES)} See: npm run routes -- --help`,
    );
  return [name];
}

function tableOf(service: string, rows: readonly RouteRow[]): string {
  const widthOf = (column: keyof RouteRow) => Math.max(...rows.map((row) => row[column].length));
  const columns = (['method', 'path', 'caller', 'function'] as const).map(
    (column) => [column, widthOf(column)] as const,
  );
  const lines = rows.map((row) =>
    [...columns.map(([column, width]) => row[column].padEnd(width)), row.file].join('  '),
  );
  return [`\n${service}, ${rows.length} routes`, ...lines].join('\n');
}

if (import.meta.main) process.exitCode = await runRoutes(process.argv.slice(2));
