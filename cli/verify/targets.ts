import { type Dirent, existsSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { detectFormat } from '../../shared/signing/verification/detect.ts';
import { headOf } from '../arguments/named-file.ts';

/** A file to verify. */
export type Target = {
  readonly file: string;
  /** The content of a detached signature, where that is known. */
  readonly content?: string | undefined;
  /** Whether it was found in a folder, not named itself. */
  readonly isFound: boolean;
};

export type Targets = {
  readonly targets: readonly Target[];
  /** How many files of folders are hidden, or no PDF, XML or CMS file by name and content. */
  readonly skipped: number;
};

/** The named files, and the files in the named folders, in their order. @example targetsOf(['contracts']) */
export function targetsOf(names: readonly string[]): Targets {
  const targets: Target[] = [];
  let skipped = 0;
  for (const name of names) {
    if (!isFolder(name)) {
      targets.push({ file: name, isFound: false });
      continue;
    }
    for (const file of filesIn(name)) {
      if (file === undefined || !mayBeSigned(file)) skipped++;
      else targets.push({ file, content: contentBeside(file), isFound: true });
    }
  }
  return { targets, skipped };
}

export const isFolder = (name: string): boolean => statOf(name)?.isDirectory() ?? false;

/** Undefined for a path that does not exist or cannot be read, and for a broken or circular link. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Every file below a folder, by name; undefined for one that is hidden. Links to folders are not followed. */
function* filesIn(folder: string): Generator<string | undefined> {
  const entries = entriesOf(folder);
  if (!entries) yield folder;
  for (const entry of entries ?? []) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) yield undefined;
    else if (entry.isDirectory()) yield* filesIn(path);
    else if (statOf(path)?.isFile()) yield path;
    else yield undefined;
  }
}

/** Undefined where the folder cannot be read: it stays in the list, and its turn reports why. */
function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return undefined;
  }
}

// A damaged signature is reported, not skipped: otherwise the rest of the folder would pass for all of it.
const SIGNED_NAME = /\.(pdf|xml|p7m|p7s)$/i;

// An unreadable file stays in the list too.
function mayBeSigned(file: string): boolean {
  if (SIGNED_NAME.test(file)) return true;
  try {
    return detectFormat(headOf(file)) !== undefined;
  } catch {
    return true;
  }
}

/** A detached signature has the name of its content: contract.pdf.p7s signs contract.pdf. */
function contentBeside(file: string): string | undefined {
  const content = file.replace(/\.p7s$/i, '');
  return content !== file && existsSync(content) ? content : undefined;
}
