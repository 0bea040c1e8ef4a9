import { type ParseArgsConfig, parseArgs } from 'node:util';
import { reasonOf } from './reason.ts';

/** For every command alike. */
export const HELP = { help: { type: 'boolean', short: 'h', default: false } } as const;

/**
 * A command's words, or one line that says what is wrong with them and where the right ones are listed.
 * @example const { values, positionals } = commandLine({ args, options: { ...HELP } }, 'npm run sign');
 */
export function commandLine<const T extends ParseArgsConfig>(
  config: T,
  command: string,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // What follows the first sentence is about words that begin with a dash, which no command takes.
    const [what = ''] = reasonOf(error).split(/\.(?:\s|$)/, 1);
    throw new Error(`${what}. See: ${command} -- --help`, { cause: error });
  }
}
