import { PDFDocument, type PDFImage, type PDFPage } from 'pdf-lib';
import type { Mark } from '../../flow/flow.ts';
import type { DrawnMark, DrawRequest } from './draw-request.ts';
import { drawFooters } from './footers.ts';
import { drawUprightOn, type Frame, frameOf, sizeOf } from './frame.ts';
import { drawManifest } from './manifest/pages.ts';
import { hasSignatures, NotDrawable, openOriginal } from './original.ts';
import { type Area, drawPanel } from './shapes.ts';
import { A4, type Fonts, fontsFor, INK, MARGIN, MUTED, TONES, WHITE } from './style.ts';
import { LEADING, toDrawable, widthOf } from './text.ts';

type Drawn = Exclude<DrawRequest, { kind: 'filled' | 'merged' | 'fields' | 'text' }>;

/** Draws a PDF. Throws NotDrawable where the original cannot be drawn on. */
export async function draw(request: Drawn): Promise<Uint8Array> {
  try {
    return await drawUnchecked(request);
  } catch (error) {
    // A hostile or broken file can fail anywhere, and not only where it is opened.
    if (request.kind === 'manifest' || error instanceof NotDrawable) throw error;
    throw new NotDrawable('broken', { cause: error });
  }
}

async function drawUnchecked(request: Drawn): Promise<Uint8Array> {
  if (request.kind === 'final' && (await hasSignatures(request.original))) throw new NotDrawable('signed');
  const pdf = request.kind === 'manifest' ? await PDFDocument.create() : await openOriginal(request.original);
  const fonts = await fontsFor(pdf);
  const pages = request.kind === 'manifest' ? [] : pdf.getPages();
  const images = request.kind === 'manifest' ? new Map() : await embedImages(pdf, request.marks);
  const drawing = { fonts, images };
  if (request.kind === 'marked') {
    drawMarkPages(pdf, drawPlacedMarks(pages, request.marks, drawing), drawing);
  }
  if (request.kind === 'final') drawPlacedMarks(pages, request.marks, drawing);
  if (request.kind === 'printable') {
    const [first = '', ...others] = request.footer;
    const lines = (page: number) => [`${first} · Página ${page} de ${pages.length}`, ...others];
    drawPlacedMarks(pages, request.marks, drawing, drawFooters(pages, lines, fonts));
  }
  if (request.kind !== 'marked') drawManifest(pdf, request.manifest, fonts);
  if (request.kind === 'manifest') {
    pdf.setLanguage('pt-BR');
    pdf.setProducer('Sinete');
    pdf.setCreator('Sinete');
    pdf.setCreationDate(new Date(request.atMs));
  }
  pdf.setTitle(request.title);
  pdf.setModificationDate(new Date(request.atMs));
  return pdf.save({ updateFieldAppearances: false, objectsPerTick: Number.POSITIVE_INFINITY });
}

type MarkDrawing = { readonly fonts: Fonts; readonly images: ReadonlyMap<DrawnMark, PDFImage> };

/** The images of marks. One that the library cannot read is left out: the name stands for it. */
async function embedImages(pdf: PDFDocument, marks: readonly DrawnMark[]): Promise<Map<DrawnMark, PDFImage>> {
  const images = new Map<DrawnMark, PDFImage>();
  for (const mark of marks) {
    if (!mark.image) continue;
    const embedding = mark.image[0] === JPEG_START ? pdf.embedJpg(mark.image) : pdf.embedPng(mark.image);
    const image = await embedding.catch(() => undefined);
    if (image) images.set(mark, image);
  }
  return images;
}

const JPEG_START = 0xff;

/** Draws each mark at its position in the flow. Answers the marks without a position on any page. */
function drawPlacedMarks(
  pages: readonly PDFPage[],
  marks: readonly DrawnMark[],
  drawing: MarkDrawing,
  frames: (page: PDFPage) => Frame = frameOf,
): readonly DrawnMark[] {
  return marks.filter((mark) => {
    const page = mark.place && pages[mark.place.page - 1];
    if (!page || !mark.place) return !mark.isExtra;
    const frame = frames(page);
    const { height } = sizeOf(frame);
    const { from, y, ...rest } = mark.place;
    const place = { ...rest, y: from === 'top' ? height - y - rest.height : y };
    if (!isOn(place, sizeOf(frame))) return !mark.isExtra;
    drawUprightOn(page, frame, () => drawMark(page, place, mark, drawing));
    return false;
  });
}

const isOn = ({ x, y, height: tall }: Mark, { width, height }: { width: number; height: number }): boolean =>
  x < width && y < height && y + tall > 0;

const GAP = 14;
const MARK = { width: (A4.width - 2 * MARGIN - GAP) / 2, height: 58 };
const TOP = A4.height - 120;

/** Draws the marks without a position on added pages, so that none covers the document's content. */
function drawMarkPages(pdf: PDFDocument, marks: readonly DrawnMark[], drawing: MarkDrawing): void {
  const { fonts } = drawing;
  const rows = Math.floor((TOP - MARGIN) / (MARK.height + GAP));
  for (let first = 0; first < marks.length; first += rows * 2) {
    const page = pdf.addPage([A4.width, A4.height]);
    page.drawText('Assinaturas e aprovações', {
      x: MARGIN,
      y: A4.height - 84,
      size: 16,
      font: fonts.bold,
      color: INK,
    });
    marks.slice(first, first + rows * 2).forEach((mark, index) => {
      const x = MARGIN + (index % 2) * (MARK.width + GAP);
      const y = TOP - MARK.height - Math.floor(index / 2) * (MARK.height + GAP);
      drawMark(page, { x, y, ...MARK }, mark, drawing);
    });
  }
}

const MAX_POINTS = 10;
const SMALL = 0.74;

const IMAGE_SHARE = 0.42; // of the width

function drawMark(page: PDFPage, area: Area, mark: DrawnMark, { fonts, images }: MarkDrawing): void {
  const bar = Math.min(3, area.width / 20);
  const padding = Math.min(6, area.width / 12, area.height / 8);
  const lines = [
    { text: toDrawable(mark.title), font: fonts.regular, share: SMALL, color: MUTED },
    { text: toDrawable(mark.name), font: fonts.bold, share: 1, color: INK },
    { text: toDrawable(mark.detail), font: fonts.regular, share: SMALL, color: INK },
  ].filter(({ text }) => text !== '');
  const image = images.get(mark);
  const imageWidth = image ? (area.width - bar - padding) * IMAGE_SHARE : 0;
  const room = { width: area.width - bar - imageWidth - 2 * padding, height: area.height - 2 * padding };
  const widest = Math.max(...lines.map(({ text, font, share }) => widthOf(text, { font, size: share })));
  const tall = lines.reduce((sum, { share }) => sum + share * LEADING, 0);
  const size = Math.min(MAX_POINTS, room.width / widest, room.height / tall);

  drawPanel(page, area, { fill: WHITE, opacity: 0.94, border: TONES.done.strong, radius: 1.5 });
  page.drawRectangle({ x: area.x, y: area.y, width: bar, height: area.height, color: TONES.done.strong });
  if (image) {
    const fitted = image.scaleToFit(imageWidth - padding, room.height);
    const left = area.x + bar + padding + (imageWidth - padding - fitted.width) / 2;
    page.drawImage(image, { x: left, y: area.y + (area.height - fitted.height) / 2, ...fitted });
  }
  let y = area.y + area.height - padding - (room.height - tall * size) / 2;
  for (const { text, font, share, color } of lines) {
    y -= share * size * LEADING;
    const above = share * size * (LEADING - 1);
    page.drawText(text, {
      x: area.x + bar + imageWidth + padding,
      y: y + above,
      size: share * size,
      font,
      color,
    });
  }
}
