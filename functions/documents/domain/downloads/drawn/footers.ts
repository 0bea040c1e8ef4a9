import { degrees, drawLine, drawText, type PDFName, type PDFPage } from 'pdf-lib';
import { type Frame, frameOf, sizeOf, upright } from './frame.ts';
import { FREE_SHARE, shrink, stream } from './shrunk-page.ts';
import { type Fonts, LINE, MUTED } from './style.ts';
import { drawable, fittingSize, LEADING } from './text.ts';

const MAX_POINTS = 6.5;

/** Makes room at the foot of every page and writes there. Gives where each page's own content stands afterwards. */
export function drawFooters(
  pages: readonly PDFPage[],
  lines: (number: number) => readonly string[],
  fonts: Fonts,
): (page: PDFPage) => Frame {
  const frames = new Map<unknown, Frame>();
  pages.forEach((page, index) => {
    // The same page may stand in a document twice.
    if (frames.has(page.node)) return;
    frames.set(page.node, shrink(page));
    drawFooter(page, lines(index + 1).map(drawable), fonts);
  });
  return (page) => frames.get(page.node) ?? frameOf(page);
}

function drawFooter(page: PDFPage, lines: readonly string[], { regular }: Fonts): void {
  const frame = frameOf(page);
  const { width, height } = sizeOf(frame);
  const strip = height * FREE_SHARE;
  const side = width * 0.06;
  const room = { width: width - 2 * side, height: strip * 0.62 };
  const size = fittingSize(lines, regular, room, MAX_POINTS);
  const rule = strip * 0.86;
  const first = rule - strip * 0.04;
  const font: PDFName = page.node.newFontDictionary(regular.name, regular.ref);
  const drawn = [
    drawLine({ start: { x: side, y: rule }, end: { x: width - side, y: rule }, thickness: 0.5, color: LINE }),
    ...lines.map((line, index) =>
      drawText(regular.encodeText(line), {
        x: side,
        y: first - size * LEADING * (index + 1),
        size,
        font,
        color: MUTED,
        rotate: degrees(0),
        xSkew: degrees(0),
        ySkew: degrees(0),
      }),
    ),
  ];
  page.node.addContentStream(stream(page, upright(frame, drawn.flat())));
}
