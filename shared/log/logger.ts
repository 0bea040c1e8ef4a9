import { Logger as Powertools } from '@aws-lambda-powertools/logger';
import { commonSettings } from '../settings/common.ts';
import type { ServiceName } from '../settings/names.ts';
import { maskText, redact } from './redact.ts';

const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
type Level = (typeof LEVELS)[number];
type Print = (message: string, fields?: Fields) => void;

/** The fields of a line beside its message. The logger itself writes the names excluded here. */
export type Fields = Readonly<Record<string, unknown>> & {
  readonly [Reserved in 'level' | 'message' | 'service' | 'timestamp']?: never;
};

/** Writes JSON lines. Every value is redacted first. */
export type Logger = {
  readonly debug: Print;
  readonly info: Print;
  readonly warn: Print;
  readonly error: Print;
  /** A new logger that adds these fields to every line. This one does not change. */
  readonly with: (fields: Fields) => Logger;
};

/**
 * The service's logger. An error is passed as a field; its name, message and stack are printed.
 * @example const log = logger('session').with({ requestId });
 *          log.warn('The vault did not answer.', { attempt, error });
 */
export function logger(service: ServiceName): Logger {
  // The level is compared at each line, so that a changed setting takes effect.
  const printer = new Powertools({ serviceName: service, logLevel: 'DEBUG' });
  return createLogger(printer, {});
}

function createLogger(printer: Powertools, carried: Fields): Logger {
  const at =
    (level: Level): Print =>
    (message, fields = {}) => {
      if (rank(level) < rank(commonSettings['Log:Level'])) return;
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
