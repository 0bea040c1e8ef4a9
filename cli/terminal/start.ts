import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** Keeps compiled code: most of a short command is compiling code that has not changed since the last one. */
export const useCompileCache = (): unknown =>
  enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/sinete/compiled'));

/**
 * Changes to the folder that the command was called from. npm runs scripts in the package's folder, and would look
 * there for files that someone names from another one.
 * @example enterCallersFolder('sign')
 */
export function enterCallersFolder(script: string): void {
  const { npm_lifecycle_event: running, INIT_CWD: calledFrom } = process.env;
  if (running === script && calledFrom) process.chdir(calledFrom);
}
