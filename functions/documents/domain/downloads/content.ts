import type { Document } from '../document/document.ts';
import { FileGone } from '../document/newest-file.ts';
import { type ContentType, notAvailable } from './content-types.ts';
import { type ContentRequest, drawnContent } from './drawn-content.ts';
import { type Content, keptContent, openKept } from './stored-content.ts';

// A signature or a new version may replace a file between the look at its document and the opening of the file:
//
//   download  |-- reads: signed is 2 ------------------- opens 2: gone -- reads: signed is 3 -- opens 3 --|
//   signer         |-- 3 is signed -- 2 is removed --|
//
// A second look finds the newer one.
const LOOKS = 3;

/**
 * Opens a content of the document that `find` reads, which is asked again when the file was replaced meanwhile.
 * @example const content = await openContent(() => findDocument(id, caller), 'Signatures', { nowMs, deadlineAtMs, hangUp });
 */
export async function openContent(
  find: () => Promise<Document>,
  type: ContentType,
  request: ContentRequest,
): Promise<Content> {
  for (let look = 1; ; look++) {
    const document = await find();
    try {
      const kept = keptContent(type, document);
      return kept ? await openKept(kept) : await drawnContent(type, document, request);
    } catch (error) {
      if (!(error instanceof FileGone)) throw error;
      if (look >= LOOKS) throw notAvailable(type, document, 'the file is missing');
    }
  }
}
