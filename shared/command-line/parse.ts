import { type ParseArgsConfig, parseArgs } from 'node:util';
import { didYouMean } from './nearest.ts';
import { CommandRefusal, reasonOf } from './reason.ts';

/** The option that every command has. */
export const HELP = { help: { type: 'boolean', short: 'h', default: false } } as const;

/** The values of options. @example type ShareValues = ValuesOf<typeof SHARE_OPTIONS>; */
export type ValuesOf<Options extends NonNullable<ParseArgsConfig['options']>> = Partial<
  ReturnType<typeof parseArgs<{ readonly options: Options }>>['values']
>;

/**
 * Parses a command line. A wrong one is refused in one line that names the word, the option that was probably meant, and
 * the command that lists the right ones.
 * @example const { values, positionals } = parseCommandLine({ args, options: { ...HELP } }, 'npm run sign -- --help');
 */
export function parseCommandLine<const T extends ParseArgsConfig>(
  config: T,
  helpCommand: string,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node's second sentence explains arguments that begin with a dash. No command takes one.
    const [problem = ''] = reasonOf(error).split(/\.(?:\s|$)/, 1);
    const [, unknown] = /^Unknown option '(--[^']+)'$/.exec(problem) ?? [];
    const known = Object.keys(config.options ?? {}).map((name) => `--${name}`);
    const hint = unknown === undefined ? '' : didYouMean(unknown, known);
    throw new CommandRefusal(`${problem}.${hint} See: ${helpCommand}`, { cause: error });
  }
}
