import { resolve } from 'node:path';
import { HELP, parseCommandLine } from '../../../shared/command-line/parse.ts';
import { CommandRefusal } from '../../../shared/command-line/reason.ts';

export type Flags = {
  /** Absolute. */
  readonly config: string;
  /** In place of those of the file. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Checks the file and the environment, and starts nothing. */
  readonly check: boolean;
};

const CONFIG = 'SINETE_CONFIG';

export const USAGE = `Runs Sinete on this machine for real, until SIGTERM or Ctrl-C.

  npm run serve -- [--config FILE] [options]

  --config FILE  the host's file: ${CONFIG}, or else sinete.yaml, unless given
  --cert FILE    serves TLS with this certificate chain, in PEM
  --key FILE     and this key
  --check        checks the file and every setting, and starts nothing

More is in docs/self-hosting.md. npm run build:host builds the functions ahead.
`;

const OPTIONS = {
  config: { type: 'string' },
  cert: { type: 'string' },
  key: { type: 'string' },
  check: { type: 'boolean', default: false },
  ...HELP,
} as const;

/** The host's file: the one that is named, that of the environment, or the one in this folder. */
export const configPath = (given: string | undefined): string =>
  resolve(given ?? process.env[CONFIG] ?? 'sinete.yaml');

/** Whether a command is to work on a host: the file is named, here or in the environment. */
export const namesConfig = (given: string | undefined): boolean =>
  given !== undefined || Boolean(process.env[CONFIG]);

/** Undefined for --help. @example readFlags(['--config', 'sinete.yaml']) */
export function readFlags(argv: readonly string[]): Flags | undefined {
  const { values } = parseCommandLine(
    { args: [...argv], options: OPTIONS, strict: true, allowPositionals: false },
    'npm run serve -- --help',
  );
  if (values.help) return undefined;
  const { cert, key, check } = values;
  if ((cert === undefined) !== (key === undefined))
    throw new CommandRefusal('--cert and --key belong together: give both or none.');
  return {
    config: configPath(values.config),
    tls: cert !== undefined && key !== undefined ? { cert: resolve(cert), key: resolve(key) } : undefined,
    check,
  };
}
