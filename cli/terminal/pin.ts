import { readFileSync } from 'node:fs';
import { fileReason } from '../arguments/named-file.ts';

/** Where a secret may come from. Never an argument: everyone on the machine sees arguments. */
export type PinSource = {
  readonly file?: string | undefined;
  /** The name of an environment variable. */
  readonly variable?: string | undefined;
};

/** The part of process.stdin that a prompt needs. */
export type Keyboard = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
};

type Terminal = { readonly keyboard: Keyboard; readonly screen: { write(text: string): unknown } };

/** A secret in words: its name, its owner, and the prefix of its options. */
export type SecretName = { readonly name: string; readonly whose: string; readonly option: string };

/** @example const pin = await readPin({ file: values['pin-file'] }, 'holder.p12'); */
export const readPin = (source: PinSource, whose: string, terminal?: Terminal): Promise<string> =>
  readSecret(source, { name: 'PIN', whose, option: 'pin' }, terminal);

/**
 * Reads a secret from a file's first line, a variable, a prompt without echo, or the first line of a pipe.
 * @example await readSecret({ variable: 'SECRET' }, { name: 'client secret', whose: 'alpha', option: 'secret' });
 */
export async function readSecret(
  { file, variable }: PinSource,
  secret: SecretName,
  { keyboard, screen }: Terminal = { keyboard: process.stdin, screen: process.stderr },
): Promise<string> {
  if (file !== undefined) return firstLine(readText(file, secret));
  if (variable !== undefined) return readVariable(variable, secret);
  if (keyboard.isTTY) return prompt(secret, keyboard, screen);
  return firstLine(await readPipe(keyboard, secret));
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';

function readText(file: string, { name }: SecretName): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`The ${name} cannot be read from ${file}: ${fileReason(error)}`);
  }
}

function readVariable(variable: string, { name }: SecretName): string {
  const value = process.env[variable];
  if (value === undefined)
    throw new Error(`The environment has no variable ${variable} to take the ${name} from.`);
  return value;
}

async function readPipe(input: NodeJS.ReadableStream, { name, option }: SecretName): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.includes('\n')) return text;
  }
  if (text === '')
    throw new Error(
      `There is no ${name}. Give --${option}-file FILE or --${option}-env NAME, or run this in a terminal.`,
    );
  return text;
}

const CONTROL_C = '\u0003';
const CONTROL_D = '\u0004';
const ERASERS = ['\u007f', '\b'];

/** Prompts without echo: not even the length of the answer is on the screen. */
function prompt(
  { name, whose }: SecretName,
  keyboard: Keyboard,
  screen: Terminal['screen'],
): Promise<string> {
  screen.write(`${name} of ${whose}: `);
  keyboard.setRawMode?.(true);
  return new Promise((resolve, reject) => {
    let typed: string[] = [];
    let ended = false;
    const end = (settle: () => void): void => {
      ended = true;
      keyboard.off('data', onData);
      keyboard.setRawMode?.(false);
      keyboard.pause();
      screen.write('\n');
      settle();
    };
    const onKey = (key: string): boolean => {
      if (key === '\r' || key === '\n' || key === CONTROL_D) end(() => resolve(typed.join('')));
      else if (key === CONTROL_C) end(() => reject(new Error(`No ${name} was given, and nothing was done.`)));
      else typed = ERASERS.includes(key) ? typed.slice(0, -1) : [...typed, key];
      return !ended;
    };
    const onData = (data: Buffer | string): void => void [...String(data)].every(onKey);
    keyboard.on('data', onData);
    keyboard.resume();
  });
}
