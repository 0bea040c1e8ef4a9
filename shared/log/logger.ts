import { Logger as Powertools } from '@aws-lambda-powertools/logger';
import { commonSettings } from '../settings/common.ts';
import type { ServiceName } from '../settings/names.ts';
import { maskText, redact } from './redact.ts';

const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
type Level = (typeof LEVELS)[number];
type Print = (message: string, fields?: Fields) => void;

/** What a line tells beside its message. The names left out are the line's own. */
export type Fields = Readonly<Record<string, unknown>> & {
  readonly [Taken in 'level' | 'message' | 'service' | 'timestamp']?: never;
};

/** Writes JSON lines. Every value passes the redaction first. */
export type Logger = {
  readonly debug: Print;
  readonly info: Print;
  readonly warn: Print;
  readonly error: Print;
  /** A logger whose every line carries these fields too. The one it is made from is not changed. */
  readonly with: (fields: Fields) => Logger;
};

/**
 * The service's logger. Errors go in as a field: their name, message and stack are printed.
 * @example const log = logger('session').with({ requestId });
 *          log.warn('The vault did not answer.', { attempt, error });
 */
export function logger(service: ServiceName): Logger {
  // The level is judged here, at each line, so that a changed setting is seen.
  const printer = new Powertools({ serviceName: service, logLevel: 'DEBUG' });
  return createLogger(printer, {});
}

function createLogger(printer: Powertools, carried: Fields): Logger {
  const at =
    (level: Level): Print =>
    (message, fields = {}) => {
      if (rank(level) < rank(leastLevel())) return;
      const print = level.toLowerCase() as Lowercase<Level>;
      printer[print](maskText(message), redact({ ...carried, ...fields }));
    };
  return {
    debug: at('DEBUG'),
    info: at('INFO'),
    warn: at('WARN'),
    error: at('ERROR'),
    with: (fields) => createLogger(printer, { ...carried, ...fields }),
  };
}

const rank = (level: string): number => LEVELS.indexOf(level as Level);

// Test runs print what is wrong and nothing else, unless asked for more.
const leastLevel = (): string =>
  process.env.VITEST && process.env.Log__Level === undefined ? 'WARN' : commonSettings['Log:Level'];
