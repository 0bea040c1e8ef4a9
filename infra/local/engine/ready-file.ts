import { accessSync, constants, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from '../../../shared/command-line/reason.ts';

/** Throws a line that says what to do if the file could not be written once everything runs. */
export function needReadyFile(path: string | undefined): void {
  if (path === undefined) return;
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw unwritable(path, reasonOf(error));
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw unwritable(path, 'it is a folder');
}

export function writeReadyFile(path: string | undefined, url: string): void {
  if (path === undefined) return;
  try {
    writeFileSync(path, `${url}\n`);
  } catch (error) {
    throw unwritable(path, reasonOf(error));
  }
}

export function removeReadyFile(path: string | undefined): void {
  if (path !== undefined) rmSync(path, { force: true });
}

const unwritable = (path: string, reason: string): Error =>
  new Error(
    `--ready-file ${path} cannot be written: ${reason}. Name a file in a folder that exists and is yours.`,
  );
