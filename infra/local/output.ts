// What the functions' process prints. Everything goes to the log file; the terminal gets errors, a line each.
import { createWriteStream, renameSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';

/** A log that has grown past this is put aside at the next start. */
const LOG_BYTES = 20 * 1024 * 1024;
const TERMINAL_LINE_CHARS = 300;

export type Log = { path: string; write(line: string): void; close(): Promise<void> };

/** @example const log = openLog('.local/engine.log'); log.write('started') */
export function openLog(path: string): Log {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES) renameSync(path, `${path}.1`);
  const stream = createWriteStream(path, { flags: 'a' });
  return {
    path,
    write: (line) => void stream.write(`${line}\n`),
    close: () => new Promise((resolve) => stream.end(resolve)),
  };
}

/** Calls back for each line that a process prints, without colours. */
export function eachLine(stream: Readable, take: (line: string) => void): void {
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    const plain = stripVTControlCharacters(line).trimEnd();
    if (plain !== '') take(plain);
  });
}

/**
 * The line that a terminal should show of a log line, or undefined when it is no error. Functions
 * log JSON; serverless-offline puts a mark before an error, and its stack on the lines that follow.
 * @example errorLine('{"level":"ERROR","service":"session","message":"no table"}') // 'session: no table'
 */
export function errorLine(line: string): string | undefined {
  const [, marked] = /^[×✖] (.+)/.exec(line) ?? [];
  if (marked !== undefined) return cut(marked);
  const entry = parse(line);
  if (!entry || (entry.level !== 'ERROR' && entry.level !== 'CRITICAL')) return undefined;
  const cause = entry.error?.message === undefined ? '' : ` (${entry.error.message})`;
  return cut(`${entry.service ?? 'function'}: ${entry.message ?? ''}${cause}`);
}

const cut = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > TERMINAL_LINE_CHARS ? `${line.slice(0, TERMINAL_LINE_CHARS)}…` : line;
};

type Entry = { level?: string; service?: string; message?: string; error?: { message?: string } };

function parse(line: string): Entry | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
