import { processWide } from '../async/process-wide.ts';
import { commonSettings } from '../settings/common.ts';
import { reportFailedReadings } from '../settings/named-values.ts';
import type { ServiceName } from '../settings/names.ts';
import { currentTrace, traceFields } from '../trace/trace.ts';
import { maskText, redact } from './redact.ts';

const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
type Level = (typeof LEVELS)[number];
/** A service, or the process that hosts them. */
type Source = ServiceName | 'engine' | 'host';
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

/** A line as it is printed: without secrets. */
export type LoggedLine = {
  readonly service: Source;
  readonly level: Level;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

type Listener = (line: LoggedLine) => void;

const listeners = processWide('log-listeners', () => new Set<Listener>());

/**
 * Has every line of the process passed on after it is printed. The listener must return at once; it may fail.
 * @example onLogged(({ level, message }) => level === 'ERROR' && remember(message));
 */
export const onLogged = (listener: Listener): void => void listeners.add(listener);

function passOn(line: LoggedLine): void {
  for (const listener of listeners) {
    try {
      listener(line);
    } catch {
      // Whoever logs must not fail for it, and a line about it would come here again.
    }
  }
}

/**
 * The service's logger. An error is passed as a field; its name, message and stack are printed.
 * @example const log = logger('session').with({ requestId });
 *          log.warn('The vault did not answer.', { attempt, error });
 */
export function logger(service: Source): Logger {
  return createLogger(service, {});
}

function createLogger(service: Source, carried: Fields): Logger {
  const at =
    (level: Level): Print =>
    (message, fields = {}) => {
      // Compared at each line, so that a changed setting takes effect.
      if (rank(level) < rank(commonSettings['Log:Level'])) return;
      const line = {
        service,
        level,
        message: maskText(message),
        fields: redact({ ...traceFields(), ...carried, ...fields }),
      };
      print(line);
      if (listeners.size > 0) passOn(line);
    };
  return {
    debug: at('DEBUG'),
    info: at('INFO'),
    warn: at('WARN'),
    error: at('ERROR'),
    with: (fields) => createLogger(service, { ...carried, ...fields }),
  };
}

/** What went wrong goes to the standard error. Lambda and hosts keep both. */
function print({ service, level, message, fields }: LoggedLine): void {
  const { stdout, stderr } = process;
  const timestamp = new Date().toISOString();
  (rank(level) < rank('WARN') ? stdout : stderr).write(
    `${JSON.stringify({ level, message, timestamp, service, ...fields })}\n`,
  );
}

const rank = (level: string): number => LEVELS.indexOf(level as Level);

reportFailedReadings(({ names, reason }) =>
  logger(currentTrace()?.service ?? 'host').warn(
    'Settings could not be read again from where they are kept: the values of before are used.',
    { names, reason },
  ),
);
