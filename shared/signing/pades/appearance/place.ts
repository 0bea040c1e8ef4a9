import { PdfRefused } from '../refused.ts';
import { type Box, boxIn, type Margins, type Size } from './box.ts';

/** From 1, or from -1 for the last. A new page is added behind the last, or is the last one of a signed document. */
export type PageChoice = number | 'last' | 'new';

/** Points from the lower left corner of the page as displayed, or from the upper left one. */
type CornerPlace = Box & {
  readonly page: PageChoice;
  /** From the upper left corner, `y` is that of the upper edge. */
  readonly from?: 'top' | undefined;
};

/** The paper that a place was measured for: on a page of another size all of it is larger or smaller. */
export type Paper = Size & { readonly orientation: 'auto' | 'portrait' | 'landscape' };

type OnPaper = { readonly page: PageChoice; readonly paper?: Paper | undefined };

/** A rectangle by its distances from the edges of the page as displayed. */
type MarginPlace = OnPaper & { readonly within: Margins };

/** The first free place of a container, row by row. */
type GridPlace = OnPaper & { readonly grid: Grid };

export type Grid = {
  readonly container: Margins;
  /** Of one signature. A side that is longer than the container's is as long as that. */
  readonly size: Size;
  readonly rowSpacing: number;
  readonly rightToLeft: boolean;
  readonly bottomUp: boolean;
};

/** The place of a signature on the page as displayed, in points. */
export type Place = CornerPlace | MarginPlace | GridPlace;

export type Area = {
  readonly box: Box;
  /** By how much the page is larger than the paper that the place was measured for. */
  readonly scale: number;
};

/** The area of a place on a page of this size. `taken` has the signatures that are on it. */
export function areaOf(place: Place, page: Size, taken: readonly Box[]): Area {
  if ('x' in place) {
    const { x, width, height } = place;
    const y = place.from === 'top' ? page.height - place.y - height : place.y;
    refuseOutside({ x, y, width, height }, page, place.page, `${x}, ${place.y}, ${width} by ${height}`);
    return { box: { x, y, width, height }, scale: 1 };
  }
  const scale = scaleOf(page, place.paper);
  const paper = { width: page.width / scale, height: page.height / scale };
  const free = taken.map((box) => scaled(box, 1 / scale));
  const found = 'within' in place ? boxIn(paper, place.within) : freeCell(place.grid, paper, free);
  const box = scaled(found, scale);
  const { x, y, width, height } = box;
  refuseOutside(box, page, place.page, [x, y, width, height].map(Math.round).join(', '));
  return { box, scale };
}

/** By how much a page is larger than the paper, so that all of the paper is on it. */
export function scaleOf(page: Size, paper: Paper | undefined): number {
  if (!paper) return 1;
  const [short, long] = [Math.min(paper.width, paper.height), Math.max(paper.width, paper.height)];
  const isWide = paper.orientation === 'auto' ? page.width > page.height : paper.orientation === 'landscape';
  return isWide
    ? Math.min(page.width / long, page.height / short)
    : Math.min(page.width / short, page.height / long);
}

const scaled = ({ x, y, width, height }: Box, by: number): Box => ({
  ...{ x: x * by, y: y * by, width: width * by, height: height * by },
});

function refuseOutside(box: Box, page: Size, number: PageChoice, shown: string): void {
  const { x, y, width, height } = box;
  const isOnPage = x < page.width && y < page.height && x + width > 0 && y + height > 0;
  if (!(width > 0 && height > 0 && isOnPage))
    throw new PdfRefused(
      'no-place',
      `The place (${shown}) is not on page ${number}, which measures ${page.width} by ${page.height} points.`,
    );
}

const TOLERANCE_POINTS = 0.5; // a page of 595 points is not quite 21 cm wide

function freeCell(
  { container, rowSpacing, rightToLeft, bottomUp, ...grid }: Grid,
  page: Size,
  taken: readonly Box[],
): Box {
  const outer = boxIn(page, container);
  const width = Math.min(grid.size.width, outer.width);
  const height = Math.min(grid.size.height, outer.height);
  const columns = countOf(outer.width, width, 0);
  const rows = countOf(outer.height, height, rowSpacing);
  for (let at = 0; at < columns * rows; at++) {
    const [across, down] = [(at % columns) * width, Math.floor(at / columns) * (height + rowSpacing)];
    const x = rightToLeft ? outer.x + outer.width - across - width : outer.x + across;
    const y = bottomUp ? outer.y + down : outer.y + outer.height - down - height;
    const cell = { x, y, width, height };
    if (!taken.some((box) => overlap(cell, box))) return cell;
  }
  throw new PdfRefused(
    'no-place-left',
    `The container has room for ${columns * rows} signatures, and all of it is taken. Choose a larger container, smaller signatures or another page.`,
  );
}

const MAX_CELLS_A_SIDE = 100;

const countOf = (whole: number, each: number, spacing: number): number =>
  Math.min(
    MAX_CELLS_A_SIDE,
    Math.max(1, Math.floor((whole + spacing + TOLERANCE_POINTS) / (each + spacing))),
  );

const overlap = (one: Box, other: Box): boolean =>
  Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x) > TOLERANCE_POINTS &&
  Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y) > TOLERANCE_POINTS;
