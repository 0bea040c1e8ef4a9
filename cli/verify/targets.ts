import { type Dirent, existsSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { detectFormat } from '../../shared/signing/verification/detect.ts';
import { headOf } from '../common/head.ts';

/** A file to verify. */
export type Target = {
  readonly file: string;
  /** What a detached signature is over, where that is known. */
  readonly content?: string | undefined;
  /** Whether it was found in a folder, and not named itself. */
  readonly isFound: boolean;
};

export type Targets = {
  readonly targets: readonly Target[];
  /** Files of folders that are hidden, or by name and content no PDF, XML or CMS file. */
  readonly skipped: number;
};

/** The files that are named, and those in the folders that are named, in their order. @example targetsOf(['contracts']) */
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

/** Undefined for what is not there, cannot be looked at, or is a link that leads nowhere or in a circle. */
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

/** Undefined where the folder cannot be read: it is kept, and why is told in its turn. */
function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return undefined;
  }
}

// A damaged signature is told and not skipped: without it the rest of the folder would pass for all of it.
const SIGNED_NAME = /\.(pdf|xml|p7m|p7s)$/i;

// As with folders: why it cannot be read is told in its turn.
function mayBeSigned(file: string): boolean {
  if (SIGNED_NAME.test(file)) return true;
  try {
    return detectFormat(headOf(file)) !== undefined;
  } catch {
    return true;
  }
}

/** A detached signature is called after its content: contract.pdf.p7s is over contract.pdf. */
function contentBeside(file: string): string | undefined {
  const content = file.replace(/\.p7s$/i, '');
  return content !== file && existsSync(content) ? content : undefined;
}
