import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { reasonOf } from './reason.ts';

export type Flags = {
  port: number;
  /** Absolute. */
  dataDir: string;
  fresh: boolean;
  /** Absolute. Written when the first request would succeed. */
  readyFile: string | undefined;
};

const DEFAULT_PORT = 3000;

/** Where data is kept unless `--data` says otherwise. */
export const defaultDataDir = (root: string): string => join(root, '.local');

const OPTIONS = {
  port: { type: 'string' },
  data: { type: 'string' },
  fresh: { type: 'boolean' },
  'ready-file': { type: 'string' },
} as const;

/** @example readFlags(['--port', '3100', '--fresh'], root) */
export function readFlags(argv: string[], root: string): Flags {
  const values = parse(argv);
  const readyFile = values['ready-file'];
  return {
    port: readPort(values.port),
    dataDir: values.data === undefined ? defaultDataDir(root) : folder('data', values.data),
    fresh: values.fresh ?? false,
    readyFile: readyFile === undefined ? undefined : folder('ready-file', readyFile),
  };
}

function parse(argv: string[]) {
  try {
    return parseArgs({ args: argv, options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const usage = 'npm start -- [--port N] [--data DIR] [--fresh] [--ready-file FILE]';
    throw new Error(`${reasonOf(error).split('.')[0]}. Usage: ${usage}`);
  }
}

function readPort(text: string | undefined): number {
  const port = text === undefined ? DEFAULT_PORT : Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`--port takes a number from 1 to 65535, not "${text}".`);
  }
  return port;
}

function folder(flag: string, path: string): string {
  if (path === '') throw new Error(`--${flag} takes a path.`);
  return resolve(path);
}
