import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { isAlive } from '../shared/command-line/is-alive.ts';
import { CommandRefusal } from '../shared/command-line/reason.ts';
import { writePrivately } from './identity.ts';

const Running = z.object({ pid: z.int().positive(), page: z.url().optional() });
export type Running = z.output<typeof Running>;

const pathIn = (dataDir: string): string => join(dataDir, 'running.json');

/** The agent that runs with this identity, if one does. */
export function readRunning(dataDir: string): Running | undefined {
  try {
    const read = Running.parse(JSON.parse(readFileSync(pathIn(dataDir), 'utf8')));
    return isAlive(read.pid) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Throws if another agent runs with this identity: each would take the other's tasks. */
export function requireAlone(dataDir: string): void {
  const running = readRunning(dataDir);
  if (running && running.pid !== process.pid)
    throw new CommandRefusal(
      `An agent runs with this identity already, as process ${running.pid}. For a second token or file enrol another one, with --data DIR.`,
    );
}

export const writeRunning = (dataDir: string, running: Running): void =>
  writePrivately(dataDir, pathIn(dataDir), running);

export const removeRunning = (dataDir: string): void => rmSync(pathIn(dataDir), { force: true });
