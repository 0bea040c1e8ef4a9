import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { reasonOf } from '../../shared/command-line/reason.ts';

const IN_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file.',
  ENOTDIR: 'there is no such file.',
  EISDIR: 'it is a folder. Name a file.',
  EACCES: 'you have no permission. Ask for it, or run this as someone who has it.',
  EPERM: 'the system does not let you. Ask for permission, or run this as someone who has it.',
  EROFS: 'nothing can be written there. Name another place.',
  ENOSPC: 'the disk is full. Make room, or name another place.',
};

/** Why a file cannot be had, for whoever named it: the system's own words are a code and a call. */
export function fileReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return IN_WORDS[code] ?? reasonOf(error);
}

/** A failure over a file that says nothing of which. @example throw about('report.pdf', 'was not signed', error) */
export function about(file: string, outcome: string, error: unknown): Error {
  const reason = fileReason(error);
  return new Error(reason.startsWith(file) ? reason : `${file} ${outcome}. ${reason}`, { cause: error });
}

/**
 * The first bytes of a file that someone named on a command line, which so is known to be there and readable.
 * @example needFile('holder.p12', { option: '--p12' })
 */
export function needFile(path: string, { option = '', headBytes = 0 } = {}): Buffer {
  try {
    const handle = openSync(path, 'r');
    try {
      if (fstatSync(handle).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
      const head = Buffer.alloc(headBytes);
      return head.subarray(0, readSync(handle, head, 0, headBytes, 0));
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    const named = [option, resolve(path)].filter(Boolean).join(' ');
    throw new Error(`${named} cannot be read: ${fileReason(error)}`, { cause: error });
  }
}
