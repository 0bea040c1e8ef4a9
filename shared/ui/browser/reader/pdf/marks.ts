import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { ReaderMark } from '../../../reader/document-kind.ts';
import { element } from '../../element.ts';
import type { PageSize } from '../source.ts';

/** The size of a page as it is shown, however it is rotated in the file. */
export function sizeOf({ view, rotate }: PDFPageProxy): PageSize {
  const [left = 0, bottom = 0, right = 0, top = 0] = view;
  const isTurned = rotate % 180 !== 0;
  return {
    width: isTurned ? top - bottom : right - left,
    height: isTurned ? right - left : top - bottom,
  };
}

/**
 * A frame around the place of a signature, in percent of the page. A place counts from the lower or the upper left corner
 * of the page as it is shown, however the page is rotated in the file.
 */
export function markFrame(
  page: PDFPageProxy,
  { x, y, width, height, label, yours, isFromTop = false }: ReaderMark,
): HTMLElement {
  const { width: across, height: up } = sizeOf(page);
  const frame = element(
    'div',
    { className: yours ? 'reader-mark yours' : 'reader-mark' },
    element('span', {}, label),
  );
  const percent = (part: number, whole: number): string => `${(part / whole) * 100}%`;
  Object.assign(frame.style, {
    left: percent(x, across),
    top: percent(isFromTop ? y : up - y - height, up),
    width: percent(width, across),
    height: percent(height, up),
  });
  return frame;
}
