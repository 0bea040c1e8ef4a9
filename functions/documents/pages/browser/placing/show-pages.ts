import { element } from '../../../../../shared/ui/browser/element.ts';
import { language } from '../../../../../shared/ui/browser/page-language.ts';
import { showDocument } from '../../../../../shared/ui/browser/reader/mount.ts';
import type { PdfTools, ShownPages } from '../../../../../shared/ui/browser/reader/source.ts';
import { documentKind } from '../../../../../shared/ui/reader/document-kind.ts';
import type { PlacingData } from '../../placing-data.ts';
import { placingWords } from './words.ts';

const words = placingWords(language);

/** Shows the pages of a file in the reader. Undefined where it has none to place on: the reader then says why. */
export async function showPages(
  reader: HTMLElement,
  { mimeType, address, bytes }: PlacingData['files'][number],
  tools: PdfTools,
): Promise<ShownPages | undefined> {
  const sayInstead = (text: string): void => reader.append(element('p', { className: 'note' }, text));
  const kind = documentKind(mimeType);
  if (kind !== 'pdf') {
    sayInstead(words.notPdf);
    return undefined;
  }
  const shown: { pages?: ShownPages } = {};
  const source = {
    kind,
    content: { address },
    bytes,
    tools,
    onPages: (pages: ShownPages): void => {
      shown.pages = pages;
    },
  };
  await showDocument(reader, source).catch((error: Error) => sayInstead(error.message));
  return shown.pages;
}
