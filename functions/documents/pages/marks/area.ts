import { html } from 'hono/html';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { pdfToolAttributes } from '../../../../shared/ui/reader/reader.ts';
import type { Mark } from '../../domain/flow/flow.ts';
import type { GivenMark, PlacingData } from '../placing-data.ts';
import { marksPageWords } from './words.ts';

/** The styles of a page that has the area. */
export const PLACING_STYLES = ['common.css', 'reader.css', 'documents-placing.css'] as const;

/** Where marks are placed. A script of the page calls `mountPlacer` on it; without scripts nothing can be placed. */
export const placingArea = (root: string, data: PlacingData, language: Language): Markup =>
  html`<div class="placing" id="placing" data-placing="${JSON.stringify(data)}" ${pdfToolAttributes(root)}>
<noscript><p class="note">${marksPageWords(language).needsScript}</p></noscript>
</div>`;

/** A mark as the page is given it, of the action with this number. */
export const givenMarkOf = (
  { from, type = 'SignatureVisualRepresentation', uploadId, page, x, y, width, height }: Mark,
  action: number,
): GivenMark => ({
  action,
  type,
  uploadId: uploadId ?? null,
  pageNumber: page,
  topLeftX: x,
  topLeftY: y,
  width,
  height,
  ...(from !== 'top' && { isFromBottom: true }),
});
