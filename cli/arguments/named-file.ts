import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { reasonOf } from '../../shared/command-line/reason.ts';
import { LOOKED_AT_BYTES } from '../../shared/signing/format.ts';

const EXPLANATIONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file.',
  ENOTDIR: 'there is no such file.',
  EISDIR: 'it is a folder. Name a file.',
  EACCES: 'you have no permission. Ask for it, or run this as someone who has it.',
  EPERM: 'the system does not let you. Ask for permission, or run this as someone who has it.',
  EROFS: 'the file system is read-only. Name another place.',
  ENOSPC: 'the disk is full. Make room, or name another place.',
};

/** Why a file cannot be used, in words. The system's own message is a code and a call. */
export function fileReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return EXPLANATIONS[code] ?? reasonOf(error);
}

/** An error that names the file, for one that does not. @example throw fileError('report.pdf', 'was not signed', error) */
export function fileError(file: string, outcome: string, error: unknown): Error {
  const reason = fileReason(error);
  return new Error(reason.startsWith(file) ? reason : `${file} ${outcome}. ${reason}`, { cause: error });
}

/** The one file that a command takes. @example requireOneFile(positionals, ['sign', 'signed']) */
export function requireOneFile(
  [file, ...more]: readonly string[],
  [verb, done]: readonly [verb: string, done: string],
): string {
  if (file === undefined) throw new Error(`Name the file to ${verb}. See: npm run ${verb} -- --help`);
  if (more.length > 0) throw new Error(`One file is ${done} at a time, and ${more.length + 1} were named.`);
  return file;
}

/**
 * Reads the first bytes of a file that is named on a command line. Throws unless it is there and readable.
 * @example requireFile('holder.p12', { option: '--p12' })
 */
export function requireFile(path: string, { option = '', headBytes = 0 } = {}): Buffer {
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

/** The first bytes of a file, enough to detect its format. */
export const headOf = (file: string, option?: string): Buffer =>
  requireFile(file, { headBytes: LOOKED_AT_BYTES, ...(option && { option }) });
