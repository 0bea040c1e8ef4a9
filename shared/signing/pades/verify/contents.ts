import { DerError, readFirst } from '../../../der/read.ts';
import { readSignedData } from '../../cms/read.ts';
import { CmsMalformed } from '../../errors.ts';

/** The structure at the beginning of /Contents. Its room is larger than it: the rest must be zeros. */
export function cmsIn(contents: Buffer): Buffer {
  const structure = contents[1] === 0x80 ? readIndefinite(contents) : readDefinite(contents);
  for (let at = structure.length; at < contents.length; at++)
    if (contents[at] !== 0)
      throw new CmsMalformed('Something other than zeros follows the signature in /Contents.');
  return structure;
}

function readDefinite(contents: Buffer): Buffer {
  try {
    return readFirst(contents).raw;
  } catch (error) {
    if (error instanceof DerError) throw new CmsMalformed(`/Contents holds no signature: ${error.message}`);
    throw error;
  }
}

const MAX_END_MARKS = 12; // as deep as a signature is nested

// In BER a structure may end with marks of two zeros each, which look like the padding after it.
function readIndefinite(contents: Buffer): Buffer {
  let last = contents.length;
  while (last > 0 && contents[last - 1] === 0) last--;
  for (let marks = 1; marks <= MAX_END_MARKS; marks++)
    for (const end of [last + 2 * marks, last + 2 * marks - 1]) {
      const structure = contents.subarray(0, end);
      if (end <= contents.length && isSignedData(structure)) return structure;
    }
  throw new CmsMalformed('/Contents holds a structure that has no end.');
}

function isSignedData(bytes: Buffer): boolean {
  try {
    readSignedData(bytes);
    return true;
  } catch (error) {
    if (error instanceof CmsMalformed) return false;
    throw error;
  }
}
