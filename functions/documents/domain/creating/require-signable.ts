import { readFile } from '../../../../shared/files/stored-file.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import type { Document } from '../document/document.ts';
import { type Flow, kindOf } from '../flow/flow.ts';
import { signingProblemOf } from '../uploads/signing-problem.ts';
import type { Upload } from '../uploads/upload.ts';

type NewFile = Pick<Document, 'name' | 'original' | 'format'> & { readonly upload: Upload | undefined };

/**
 * Refuses a PDF that is broken or protected, so that its signers are not the first to meet that. Most were judged when they
 * were uploaded, and others are read. Those that are too large together are left to the start of their signatures.
 */
export async function requireSignable(flow: Flow, files: readonly NewFile[]): Promise<void> {
  if (!flow.some((action) => kindOf(action) === 'signature')) return;
  let leftBytes = settings['Downloads:MaxDrawnBytes'];
  for (const { name, original, format, upload } of files) {
    if (format !== 'PAdES') continue;
    let problem = upload?.signingProblem;
    if (problem === undefined && original.size <= leftBytes) {
      leftBytes -= original.size;
      problem = await signingProblemOf(await readFile('documents', original));
    }
    if (problem) throw errors.refuse('DocumentNotSignable', { name, ...problem });
  }
}
