import type * as z from 'zod';
import { errors } from '../../errors.ts';
import type { VisualPositioningModel } from '../contract/presets.ts';

type Positioning = z.output<typeof VisualPositioningModel>;
type Container = Positioning['auto']['container'];

// Centimetres. Three signatures side by side on A4 between margins of 1.5.
const MARGIN = 1.5;
const SIZE = { height: 2.5, width: 5.8 };
const ROW_SPACING = 0.5;
const MAX_ROWS = 10;
const LAST_PAGE = -1;
const NEW_PAGE = 0;

const positionOf = (pageNumber: number, container: Partial<Container>, bottomUp = false): Positioning => ({
  ...{ pageNumber, measurementUnits: 'Centimeters', pageOptimization: null, manual: null },
  auto: {
    container: {
      ...{ left: MARGIN, top: null, right: MARGIN, bottom: MARGIN, width: null, height: null },
      ...container,
    },
    ...{ signatureRectangleSize: SIZE, rowSpacing: ROW_SPACING },
    horizontalDirection: 'LeftToRight',
    verticalDirection: bottomUp ? 'BottomUp' : 'TopDown',
  },
});

/** A number in a query, as its text. */
type NumberText = string | undefined;

// Some clients send an empty text, or the word, for what they leave out.
const numberOf = (text: NumberText, byDefault: number): number =>
  text === undefined || text === '' || text === 'null' ? byDefault : Number(text);

/** Rows of signatures at the foot of a page. */
export function footnote(query: { readonly pageNumber?: NumberText; readonly rows?: NumberText }) {
  const rows = numberOf(query.rows, 1);
  if (rows < 1 || rows > MAX_ROWS)
    throw errors.refuse('InvalidRequest', undefined, {
      fields: [{ field: 'rows', message: `is not from 1 to ${MAX_ROWS}` }],
    });
  const height = rows * SIZE.height + (rows - 1) * ROW_SPACING;
  return positionOf(numberOf(query.pageNumber, LAST_PAGE), { height });
}

/** The same from below, as high as the page. */
export const footnoteBottomUp = ({ pageNumber }: { readonly pageNumber?: NumberText }) =>
  positionOf(numberOf(pageNumber, LAST_PAGE), { top: MARGIN }, true);

/** A page behind the last, from above. */
export const newPage = () => positionOf(NEW_PAGE, { top: MARGIN });
