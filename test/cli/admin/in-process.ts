import { expect } from 'vitest';
import type { Options } from '../../../cli/admin/command.ts';
import { commandFor } from '../../../cli/admin/commands.ts';
import { runAdmin } from '../../../cli/admin/run.ts';
import { AdminRefusal } from '../../../shared/access/administration.ts';
import type { Ended } from '../../infra/child.ts';

/** `npm run admin` in this process, with this test's stores: starting one takes a second. */
export async function admin(...words: readonly string[]): Promise<Ended> {
  const [out, error]: [string[], string[]] = [[], []];
  const output = { print: (text: string) => out.push(text), printError: (text: string) => error.push(text) };
  const code = await runAdmin(words, output);
  return { code, out: out.join('\n').trim(), error: error.join('\n').trim() };
}

/** What a command line printed that was done. */
export async function adminDone(...words: readonly string[]): Promise<string> {
  const { code, out, error } = await admin(...words);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return out;
}

/** Why a command line was refused: one line on the error stream, and exit code 1. */
export async function adminRefused(...words: readonly string[]): Promise<string> {
  const { code, out, error } = await admin(...words);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(error.split('\n')).toHaveLength(1);
  return error;
}

type More = Pick<Partial<Options>, 'cpf' | 'pin' | 'shares'>;

/** The commands of a service: what each says when done, or why it does not, in one line, as the operator reads it. */
export function commandsOf(service: 'session' | 'batch') {
  const none = { permissions: [], expires: undefined, identifier: undefined, owner: undefined };
  async function done(words: readonly string[], more: More = {}): Promise<string> {
    const { run, rest, only } = commandFor(words);
    expect(only).toBe(service);
    return run({ service, ...none, pin: { file: undefined, variable: undefined }, ...more }, ...rest);
  }
  async function refused(words: readonly string[], more: More = {}): Promise<string> {
    const said = await done(words, more).then(
      (text) => expect.fail(`It was done: ${text}`),
      (error: unknown) => error,
    );
    expect(said).toBeInstanceOf(AdminRefusal);
    const { message } = said as AdminRefusal;
    expect(message.split('\n')).toHaveLength(1);
    return message;
  }
  return { done, refused };
}

export const { done, refused } = commandsOf('session');
