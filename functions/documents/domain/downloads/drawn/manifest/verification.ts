import { type PDFPage, rgb } from 'pdf-lib';
import { encode } from 'uqr';
import type { Manifest } from '../draw-request.ts';
import { drawPanel } from '../shapes.ts';
import { A4, type Fonts, INK, LINE, MARGIN, MUTED, WHITE } from '../style.ts';
import { fittingSize, LEADING, toDrawable, wrapText } from '../text.ts';

const WIDTH = A4.width - 2 * MARGIN;
const HEIGHT = 104;
const PADDING = 14;
// The quiet zone of the code is inside, as wide as ISO/IEC 18004 asks for.
const CODE_POINTS = HEIGHT - 8;
const QUIET = 4;

const HINT =
  'Aponte a câmera para o código ao lado, ou abra o endereço e digite o código de verificação. A página mostra a ' +
  'situação do documento e confere as assinaturas do arquivo eletrônico.';

/** Draws how the document is verified: the code for people, and for cameras. Answers where the next part begins. */
export function drawVerification(
  page: PDFPage,
  { code, page: address, url }: Manifest['verification'],
  top: number,
  fonts: Fonts,
): number {
  const bottom = top - HEIGHT;
  drawPanel(
    page,
    { x: MARGIN, y: bottom, width: WIDTH, height: HEIGHT },
    { fill: WHITE, border: LINE, radius: 6 },
  );
  drawQrCode(page, url, { x: MARGIN + WIDTH - CODE_POINTS - 4, y: bottom + 4 });
  const x = MARGIN + PADDING;
  const room = WIDTH - CODE_POINTS - 2 * PADDING - 4;
  let y = top - PADDING - 10;
  page.drawText('Confira este documento', { x, y, size: 10.5, font: fonts.bold, color: INK });
  y -= 22;
  page.drawText(code, { x, y, size: 15, font: fonts.monoBold, color: INK });
  const shown = toDrawable(address);
  const size = fittingSize([shown], fonts.regular, { width: room, height: 20 }, 8.8);
  y -= 15;
  page.drawText(shown, { x, y, size, font: fonts.regular, color: INK });
  const type = { font: fonts.regular, size: 7.8 };
  y -= 3;
  for (const line of wrapText(HINT, type, room)) {
    y -= type.size * LEADING;
    page.drawText(line, { x, y, ...type, color: MUTED });
  }
  return bottom - 24;
}

const BLACK = rgb(0, 0, 0);

/** Black on white in one path, so that no renderer leaves gaps between its squares. */
function drawQrCode(page: PDFPage, text: string, at: { readonly x: number; readonly y: number }): void {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M ${x} ${y} h 1 v 1 h -1 Z`] : [])),
  );
  const scale = CODE_POINTS / size;
  page.drawSvgPath(squares.join(' '), { x: at.x, y: at.y + CODE_POINTS, scale, color: BLACK });
}
