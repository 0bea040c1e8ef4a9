import type { PDFPage, RGB } from 'pdf-lib';

/** The position and size of a shape, from its lower left corner. */
export type Area = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

type Paint = {
  readonly fill?: RGB;
  readonly border?: RGB;
  readonly radius?: number;
  readonly opacity?: number;
};

/** Draws a rectangle with round corners. */
export function drawPanel(
  page: PDFPage,
  { x, y, width, height }: Area,
  { fill, border, radius = 4, opacity = 1 }: Paint,
): void {
  const r = Math.min(radius, width / 2, height / 2);
  const path =
    `M ${r} 0 H ${width - r} Q ${width} 0 ${width} ${r} V ${height - r} Q ${width} ${height} ${width - r} ${height} ` +
    `H ${r} Q 0 ${height} 0 ${height - r} V ${r} Q 0 0 ${r} 0 Z`;
  page.drawSvgPath(path, {
    x,
    y: y + height,
    ...(fill && { color: fill, opacity }),
    ...(border && { borderColor: border, borderWidth: 0.75 }),
  });
}

const SIGNS = {
  check: 'M 4.6 8.2 L 7 10.6 L 11.6 5.6',
  clock: 'M 8 4.4 V 8.2 L 10.6 9.8',
  cross: 'M 5.4 5.4 L 10.6 10.6 M 10.6 5.4 L 5.4 10.6',
  dots: 'M 4.4 8 H 5.2 M 7.6 8 H 8.4 M 10.8 8 H 11.6',
} as const;
export type Sign = keyof typeof SIGNS;

/** Draws a round sign, 16 points wide, around its center. */
export function drawSign(
  page: PDFPage,
  sign: Sign,
  at: { readonly x: number; readonly y: number },
  colors: { readonly back: RGB; readonly line: RGB },
): void {
  page.drawCircle({ ...at, size: 8, color: colors.back });
  page.drawSvgPath(SIGNS[sign], {
    x: at.x - 8,
    y: at.y + 8,
    borderColor: colors.line,
    borderWidth: 1.4,
    borderLineCap: 1,
  });
}

/** Draws Sinete's seal: a ring pressed into wax. */
export function drawSeal(
  page: PDFPage,
  at: { readonly x: number; readonly y: number },
  size: number,
  color: RGB,
  face: RGB,
): void {
  page.drawCircle({ ...at, size, color });
  page.drawCircle({ ...at, size: size * 0.74, borderColor: face, borderWidth: size * 0.07 });
  page.drawSvgPath('M -4.2 -0.2 L -1.2 2.8 L 4.4 -3.4', {
    ...at,
    scale: size / 11,
    borderColor: face,
    borderWidth: 1.7,
    borderLineCap: 1,
  });
}
