import { readFileSync } from 'node:fs';
import { reasonOf } from '../local/reason.ts';

/** Where a PIN may come from. It is never an argument: arguments are seen by everyone on the machine. */
export type PinSource = {
  readonly file?: string | undefined;
  /** The name of an environment variable. */
  readonly variable?: string | undefined;
};

/** As much of process.stdin as asking needs. */
export type Keyboard = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
};

type Terminal = { readonly keyboard: Keyboard; readonly screen: { write(text: string): unknown } };

/**
 * The PIN from a file's first line, a variable, an unseen prompt, or the first line of a pipe.
 * @example const pin = await readPin({ file: values['pin-file'] }, 'holder.p12');
 */
export async function readPin(
  { file, variable }: PinSource,
  what: string,
  { keyboard, screen }: Terminal = { keyboard: process.stdin, screen: process.stderr },
): Promise<string> {
  if (file !== undefined) return firstLine(readText(file));
  if (variable !== undefined) return readVariable(variable);
  if (keyboard.isTTY) return ask(`PIN of ${what}: `, keyboard, screen);
  return firstLine(await readPipe(keyboard));
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`The PIN cannot be read from ${file}: ${reasonOf(error)}`);
  }
}

function readVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The environment has no variable ${name} to take the PIN from.`);
  return value;
}

async function readPipe(input: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.includes('\n')) return text;
  }
  if (text === '')
    throw new Error('There is no PIN. Give --pin-file FILE or --pin-env NAME, or run this in a terminal.');
  return text;
}

const CONTROL_C = '\u0003';
const CONTROL_D = '\u0004';
const ERASERS = ['\u007f', '\b'];

/** Asks with nothing of the answer on the screen, not even its length. */
function ask(question: string, keyboard: Keyboard, screen: Terminal['screen']): Promise<string> {
  screen.write(question);
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
      else if (key === CONTROL_C) end(() => reject(new Error('No PIN was given, and nothing was signed.')));
      else typed = ERASERS.includes(key) ? typed.slice(0, -1) : [...typed, key];
      return !ended;
    };
    const onData = (data: Buffer | string): void => void [...String(data)].every(onKey);
    keyboard.on('data', onData);
    keyboard.resume();
  });
}
