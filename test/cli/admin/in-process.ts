import { expect } from 'vitest';
import { commandFor, type Options } from '../../../cli/admin/commands.ts';
import { AdminRefusal } from '../../../shared/access/administration.ts';

type More = Pick<Partial<Options>, 'cpf' | 'pin'>;

const NONE = {
  service: 'session',
  permissions: [],
  expires: undefined,
  identifier: undefined,
  owner: undefined,
} as const;

/** What a command of npm run admin says when done, run in this process: starting one takes a second. */
export async function done(words: readonly string[], more: More = {}): Promise<string> {
  const { run, rest, only } = commandFor(words);
  expect(only).toBe('session');
  return run({ ...NONE, pin: { file: undefined, variable: undefined }, ...more }, ...rest);
}

/** Why it does not: in one line, as the operator reads it. */
export async function refused(words: readonly string[], more: More = {}): Promise<string> {
  const said = await done(words, more).then(
    (text) => expect.fail(`It was done: ${text}`),
    (error: unknown) => error,
  );
  expect(said).toBeInstanceOf(AdminRefusal);
  const { message } = said as AdminRefusal;
  expect(message.split('\n')).toHaveLength(1);
  return message;
}
