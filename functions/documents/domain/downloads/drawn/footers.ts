import {
  clip,
  concatTransformationMatrix,
  degrees,
  drawLine,
  drawText,
  endPath,
  PDFArray,
  PDFContentStream,
  PDFName,
  type PDFOperator,
  type PDFPage,
  type PDFRef,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
} from 'pdf-lib';
import { type Box, type Frame, frameOf, setBox, sizeOf, uprightOperators } from './frame.ts';
import { type Fonts, LINE, MUTED } from './style.ts';
import { fittingSize, LEADING, toDrawable } from './text.ts';

const MAX_POINTS = 6.5;

/** Shrinks every page and writes a footer below it. Answers the frame of each page's own content afterwards. */
export function drawFooters(
  pages: readonly PDFPage[],
  lines: (number: number) => readonly string[],
  fonts: Fonts,
): (page: PDFPage) => Frame {
  const frames = new Map<unknown, Frame>();
  pages.forEach((page, index) => {
    // A document may contain the same page twice.
    if (frames.has(page.node)) return;
    frames.set(page.node, shrink(page));
    drawFooter(page, lines(index + 1).map(toDrawable), fonts);
  });
  return (page) => frames.get(page.node) ?? frameOf(page);
}

function drawFooter(page: PDFPage, lines: readonly string[], { regular }: Fonts): void {
  const frame = frameOf(page);
  const { width, height } = sizeOf(frame);
  const strip = height * FREE_SHARE;
  const side = width * 0.06;
  const available = { width: width - 2 * side, height: strip * 0.62 };
  const size = fittingSize(lines, regular, available, MAX_POINTS);
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
  page.node.addContentStream(registerStream(page, uprightOperators(frame, drawn.flat())));
}

// A page is shrunk a little, which frees a strip at its foot: nothing is covered, and the paper size stays.
const SHARE = 0.955;

/** The part of a page's height that is free after shrinking. */
const FREE_SHARE = 1 - SHARE;

/** Shrinks a page's content. Answers its frame afterwards. */
function shrink(page: PDFPage): Frame {
  const frame = frameOf(page);
  const { left, bottom, right, top } = frame.box;
  const before = registerStream(page, [
    pushGraphicsState(),
    concatTransformationMatrix(SHARE, 0, 0, SHARE, 0, 0),
    // Content outside of the page's box would become visible otherwise.
    rectangle(left, bottom, right - left, top - bottom),
    clip(),
    endPath(),
  ]);
  // Content streams may be shared with other pages, so each page gets its own list.
  const contents = page.node.Contents();
  const own = page.node.get(PDFName.Contents);
  const parts = contents instanceof PDFArray ? contents.asArray() : contents && own ? [own] : [];
  const after = registerStream(page, [popGraphicsState()]);
  page.node.set(PDFName.Contents, page.doc.context.obj([before, ...parts, after]));
  page.scaleAnnotations(SHARE, SHARE);
  setBox(page, boxAround(frame));
  return { ...frame, scale: SHARE };
}

/** Registers a part of a page's content. It is not compressed: that takes longer than it saves on a few words. */
function registerStream({ doc: { context } }: PDFPage, operators: PDFOperator[]): PDFRef {
  return context.register(PDFContentStream.of(context.obj({}), operators, false));
}

/** A box of the original size around the shrunk content, with the free strip at the foot as it is shown. */
function boxAround({ box, turn }: Frame): Box {
  const [width, height] = [box.right - box.left, box.top - box.bottom];
  const small = {
    left: box.left * SHARE,
    bottom: box.bottom * SHARE,
    right: box.right * SHARE,
    top: box.top * SHARE,
  };
  const [beside, above] = [width * (1 - SHARE), height * (1 - SHARE)];
  const middle = { left: small.left - beside / 2, right: small.right + beside / 2 };
  const center = { bottom: small.bottom - above / 2, top: small.top + above / 2 };
  if (turn === 90) return { ...center, left: small.left, right: small.right + beside };
  if (turn === 180) return { ...middle, bottom: small.bottom, top: small.top + above };
  if (turn === 270) return { ...center, left: small.left - beside, right: small.right };
  return { ...middle, bottom: small.bottom - above, top: small.top };
}
