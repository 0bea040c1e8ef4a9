import {
  concatTransformationMatrix,
  PDFName,
  type PDFOperator,
  type PDFPage,
  popGraphicsState,
  pushGraphicsState,
} from 'pdf-lib';

export type Box = {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
};

/** A page as a viewer shows it. Its own box may begin anywhere and be rotated. */
export type Frame = { readonly box: Box; readonly turn: number; readonly scale: number };

export function frameOf(page: PDFPage): Frame {
  const { x, y, width, height } = page.getCropBox();
  const [left, right] = [Math.min(x, x + width), Math.max(x, x + width)];
  const [bottom, top] = [Math.min(y, y + height), Math.max(y, y + height)];
  const turn = (((Math.round(page.getRotation().angle / 90) * 90) % 360) + 360) % 360;
  return { box: { left, bottom, right, top }, turn, scale: 1 };
}

export const sizeOf = ({ box, turn }: Frame): { readonly width: number; readonly height: number } => {
  const [across, up] = [box.right - box.left, box.top - box.bottom];
  return turn % 180 === 0 ? { width: across, height: up } : { width: up, height: across };
};

/** Operators whose coordinates are points from the lower left corner of the page as it is shown, upright. */
export const uprightOperators = (frame: Frame, operators: readonly PDFOperator[]): PDFOperator[] => [
  pushGraphicsState(),
  concatTransformationMatrix(...matrixOf(frame)),
  ...operators,
  popGraphicsState(),
];

/** Draws on a page with the same coordinates. */
export function drawUprightOn(page: PDFPage, frame: Frame, draw: () => void): void {
  page.pushOperators(pushGraphicsState(), concatTransformationMatrix(...matrixOf(frame)));
  draw();
  page.pushOperators(popGraphicsState());
}

type Matrix = [number, number, number, number, number, number];

function matrixOf({ box: { left, bottom, right, top }, turn, scale }: Frame): Matrix {
  const at = (matrix: Matrix): Matrix => matrix.map((number) => number * scale) as Matrix;
  if (turn === 90) return at([0, 1, -1, 0, right, bottom]);
  if (turn === 180) return at([-1, 0, 0, -1, right, top]);
  if (turn === 270) return at([0, -1, 1, 0, left, top]);
  return at([1, 0, 0, 1, left, bottom]);
}

/** Sets the part of the page that is shown and printed. */
export function setBox(page: PDFPage, { left, bottom, right, top }: Box): void {
  page.setMediaBox(left, bottom, right - left, top - bottom);
  for (const name of ['CropBox', 'BleedBox', 'TrimBox', 'ArtBox']) page.node.delete(PDFName.of(name));
  page.setCropBox(left, bottom, right - left, top - bottom);
}
