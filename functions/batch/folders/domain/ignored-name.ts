import { extname } from 'node:path';
import { LEASE_SUFFIX } from '../../storage/domain/input-lease.ts';

const IGNORED_EXTENSIONS = new Set(['.tmp', '.part', '.crdownload', '.swp', LEASE_SUFFIX]);

/** Whether a file of this name is somebody's work in progress. @example isIgnoredName('~$contract.docx') // true */
export const isIgnoredName = (name: string): boolean =>
  name === '' ||
  name.startsWith('.') ||
  name.startsWith('~$') ||
  IGNORED_EXTENSIONS.has(extname(name).toLowerCase());
