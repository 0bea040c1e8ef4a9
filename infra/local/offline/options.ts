import { join, resolve } from 'node:path';
import { readPort } from '../engine/flags.ts';

/** Options of the command line, as the framework has read them. */
export type CliOptions = Readonly<Record<string, string | boolean | undefined>>;

export type OptionDefinition = { readonly usage: string; readonly type: 'string' | 'boolean' };

export type OfflineOptions = {
  readonly httpPort: number;
  readonly websocketPort: number;
  readonly lambdaPort: number;
  /** Absolute. */
  readonly dataDir: string;
  readonly fresh: boolean;
};

/** The engine of `npm start` has 3000, and a second one 3100. */
const DEFAULT_PORT = 3200;

/** Functions answer whoever reaches them at their own port, and the sandbox has a key that everybody knows. */
export const HOST = '127.0.0.1';

/** The data folder without `--data`. */
export const defaultDataDir = (root: string): string => join(root, '.offline');

/** What `--help` says of options that are ours, or that are not as serverless-offline has them. */
export const OPTIONS: Readonly<Record<string, OptionDefinition>> = {
  httpPort: { usage: `HTTP port to listen on. Default: ${DEFAULT_PORT}.`, type: 'string' },
  websocketPort: { usage: 'Port of the WebSockets. Default: the one after httpPort.', type: 'string' },
  lambdaPort: { usage: 'Port of the Lambda endpoint. Default: the second after httpPort.', type: 'string' },
  data: { usage: 'Where data is kept. Default: .offline.', type: 'string' },
  fresh: { usage: 'Empties that folder first.', type: 'boolean' },
};

/** Throws a line for an option that cannot be had. @example readOptions({ httpPort: '4000' }, root).websocketPort // 4001 */
export function readOptions(given: CliOptions, root: string): OfflineOptions {
  const { host, httpsProtocol, data } = given;
  if (host !== undefined && host !== HOST && host !== 'localhost')
    throw new Error(`--host ${host} is refused: it listens on this machine alone, as its key is public.`);
  if (httpsProtocol !== undefined) throw new Error('--httpsProtocol is refused: links begin with http://.');
  if (data === '') throw new Error('--data takes a path.');
  const port = (name: string, usual: number) => readPort(name, given[name]?.toString(), usual);
  const httpPort = port('httpPort', DEFAULT_PORT);
  return {
    httpPort,
    websocketPort: port('websocketPort', httpPort + 1),
    lambdaPort: port('lambdaPort', httpPort + 2),
    dataDir: typeof data === 'string' ? resolve(data) : defaultDataDir(root),
    fresh: given.fresh === true,
  };
}
