import { admitted } from '../document/action-link.ts';
import type { Document } from '../document/document.ts';
import { FileGone } from '../document/newest-file.ts';
import { isAvailable, notAvailable } from './content-types.ts';
import { type Content, type KeptContent, keptContent, openKept } from './stored-content.ts';

export type Wish = 'Original' | 'Signatures';

/**
 * What a person is given to read: the file with its signatures, where that can be read. A CAdES signature cannot, and
 * what it is over is given instead, unless the signature itself is asked for.
 */
export function offeredContent(document: Document, wish: Wish = readable(document)): KeptContent {
  const kept = keptContent(wish, document);
  if (!kept) throw notAvailable(wish, document);
  return kept;
}

const readable = (document: Document): Wish =>
  document.format !== 'CAdES' && isAvailable('Signatures', document) ? 'Signatures' : 'Original';

/** The same, opened, for the person that a ticket was made for. */
export async function openOffered(
  key: string,
  ticket: string,
  wish: Wish | undefined,
  nowMs: number,
): Promise<Content & { readonly isInline: boolean }> {
  const { document } = await admitted(key, ticket, nowMs);
  const offered = offeredContent(document, wish);
  try {
    const content = await openKept(offered);
    // Browsers show a PDF apart from the site that it comes from. Of other types some are pages that run.
    return { ...content, isInline: content.contentType === 'application/pdf' };
  } catch (error) {
    if (!(error instanceof FileGone)) throw error;
    throw notAvailable(wish ?? readable(document), document, 'the file was replaced; ask again');
  }
}
