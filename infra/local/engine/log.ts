// The output of the functions' process. All of it goes to the log file; the terminal gets errors, one line each.
import { createWriteStream, openSync, renameSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { reasonOf } from '../../../shared/command-line/reason.ts';

/** A log that has grown past this is put aside at the next start. */
const LOG_BYTES = 20 * 1024 * 1024;
const TERMINAL_LINE_CHARS = 300;

export type Log = { path: string; write(line: string): void; close(): Promise<void> };

/**
 * Opens the log. Throws a line that says what to do if that fails. A later failure is printed once: an engine without a
 * log is better than none.
 * @example const log = openLog('.local/engine.log', console.error); log.write('started')
 */
export function openLog(path: string, print: (line: string) => void): Log {
  const stream = createWriteStream(path, { fd: openForAppending(path) });
  let works = true;
  stream.on('error', (error) => {
    if (works) print(`The log cannot be written: ${reasonOf(error)}. Nothing more is logged (${path}).`);
    works = false;
  });
  return {
    path,
    write: (line) => void (works && stream.write(`${line}\n`)),
    close: () => new Promise((resolve) => (works ? stream.end(() => resolve()) : resolve())),
  };
}

function openForAppending(path: string): number {
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES) renameSync(path, `${path}.1`);
    return openSync(path, 'a', 0o600);
  } catch (error) {
    const advice = 'Move it away or make it writable, or choose another folder: npm start -- --data DIR';
    throw new Error(`The log ${path} cannot be opened: ${reasonOf(error)}. ${advice}`);
  }
}

/** Calls back for each line that a process prints, without colours. */
export function eachLine(stream: Readable, onLine: (line: string) => void): void {
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    const plain = stripVTControlCharacters(line).trimEnd();
    if (plain !== '') onLine(plain);
  });
}

/**
 * The line that a terminal should show of a log line, or undefined when it is no error.
 * @example errorLine('{"level":"ERROR","service":"session","message":"no table"}') // 'session: no table'
 */
export function errorLine(line: string): string | undefined {
  const entry = parse(line);
  if (!entry || (entry.level !== 'ERROR' && entry.level !== 'CRITICAL')) return undefined;
  const cause = entry.error?.message === undefined ? '' : ` (${textOf(entry.error.message)})`;
  return cut(`${textOf(entry.service ?? 'function')}: ${textOf(entry.message ?? '')}${cause}`);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Terminal injection: JSON hides control characters of a caller's text until it is parsed. */
const cut = (text: string): string => {
  const line = stripVTControlCharacters(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\p{Cc}/gu, '');
  return line.length > TERMINAL_LINE_CHARS ? `${line.slice(0, TERMINAL_LINE_CHARS)}…` : line;
};

type Entry = { level?: unknown; service?: unknown; message?: unknown; error?: { message?: unknown } | null };

function parse(line: string): Entry | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
