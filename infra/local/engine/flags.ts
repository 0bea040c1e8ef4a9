import { join, resolve } from 'node:path';
import { HELP, parseCommandLine } from '../../../shared/command-line/parse.ts';

export type Flags = {
  port: number;
  /** Absolute. */
  dataDir: string;
  fresh: boolean;
  /** Absolute. Written when the first request would succeed. */
  readyFile: string | undefined;
};

const DEFAULT_PORT = 3000;

/** The data folder without `--data`. */
export const defaultDataDir = (root: string): string => join(root, '.local');

const OPTIONS = {
  port: { type: 'string' },
  data: { type: 'string' },
  fresh: { type: 'boolean' },
  'ready-file': { type: 'string' },
  ...HELP,
} as const;

export const USAGE = `Runs all of Sinete on this machine, with a sandbox to try it on, until Ctrl-C.

  npm start -- [options]

  --port N           where the functions are served: ${DEFAULT_PORT} unless given
  --data DIR         where data is kept: .local unless given. One engine at a time works on a folder
  --fresh            empties that folder first
  --ready-file FILE  is written, with the root URL in it, when a function of each service has answered

Settings are environment variables: npm run settings lists them. More is in docs/local-engine.md.
`;

/** Undefined for --help. @example readFlags(['--port', '3100', '--fresh'], root) */
export function readFlags(argv: string[], root: string): Flags | undefined {
  const { values } = parseCommandLine(
    { args: argv, options: OPTIONS, strict: true, allowPositionals: false },
    'npm start -- --help',
  );
  if (values.help) return undefined;
  const readyFile = values['ready-file'];
  return {
    port: readPort('port', values.port, DEFAULT_PORT),
    dataDir: values.data === undefined ? defaultDataDir(root) : readPath('data', values.data),
    fresh: values.fresh ?? false,
    readyFile: readyFile === undefined ? undefined : readPath('ready-file', readyFile),
  };
}

/** Throws a line for what is no port. @example readPort('port', values.port, 3000) */
export function readPort(flag: string, text: string | undefined, usual: number): number {
  const port = text === undefined ? usual : Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`--${flag} takes a number from 1 to 65535, not "${text ?? usual}".`);
  }
  return port;
}

function readPath(flag: string, path: string): string {
  if (path === '') throw new Error(`--${flag} takes a path.`);
  return resolve(path);
}
