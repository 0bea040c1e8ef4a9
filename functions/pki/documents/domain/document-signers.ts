import type { Caller } from '../../../../shared/access/caller.ts';
import { readFile } from '../../../../shared/files/stored-file.ts';
import { readSigners } from '../../inspection/domain/read-signers.ts';
import { findDocument } from './document.ts';

/** Everybody who signed a document, those of its original file too. */
export async function documentSigners(caller: Caller, id: string, nowMs: number) {
  const { format, signed } = await findDocument(caller, id, nowMs);
  return readSigners(format, await readFile('pki', signed), nowMs);
}
