import { element } from '../element.ts';
import { language } from '../page-language.ts';
import { readContent, type Source } from './source.ts';
import { readerTexts } from './words.ts';

const words = readerTexts(language);

// A larger file is not fetched only to be hashed.
const MAX_HASHED_BYTES = 26_214_400;

/** What is known of a file that is not shown: its hash, for those who compare it with a copy of their own. */
export async function showHash({ content, bytes }: Source): Promise<HTMLElement> {
  const list = element('dl', { className: 'reader-facts' });
  // Browsers have the digest on https and on this machine's own name only.
  if (bytes > MAX_HASHED_BYTES || !globalThis.crypto.subtle) return list;
  const digest = await globalThis.crypto.subtle.digest('SHA-256', await readContent(content));
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  list.append(element('dt', {}, words.hash), element('dd', {}, element('code', {}, hex)));
  return list;
}
