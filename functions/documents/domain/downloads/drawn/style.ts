import { type PDFDocument, type PDFFont, type RGB, rgb, StandardFonts } from 'pdf-lib';
import type { Tone } from './draw-request.ts';

const color = (hex: string): RGB => {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map(
    (at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255,
  );
  return rgb(red, green, blue);
};

/** Dark enough on white to stay readable on a poor printer and a photocopy. */
export const INK = color('1b2430');
export const MUTED = color('5a6575');
export const LINE = color('dde2e8');
export const SURFACE = color('f6f7f9');
export const WAX = color('8a2433');
export const WHITE = color('ffffff');

/** The margin of added pages, in points. */
export const MARGIN = 48;

/** The size of added pages, in points. */
export const A4 = { width: 595.28, height: 841.89 };

export const TONES: Readonly<Record<Tone, { readonly strong: RGB; readonly soft: RGB }>> = {
  done: { strong: color('1c6e46'), soft: color('e6f3ec') },
  waiting: { strong: color('8a5a00'), soft: color('fbf1dc') },
  later: { strong: color('5a6575'), soft: color('edf0f3') },
  ended: { strong: color('a02a2f'), soft: color('fae9e9') },
};

export type Fonts = {
  readonly regular: PDFFont;
  readonly bold: PDFFont;
  readonly mono: PDFFont;
  readonly monoBold: PDFFont;
};

/** Standard fonts, which every viewer has. Nothing is embedded, so a manifest takes a few kilobytes. */
export async function fontsFor(pdf: PDFDocument): Promise<Fonts> {
  return {
    regular: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
    mono: await pdf.embedFont(StandardFonts.Courier),
    monoBold: await pdf.embedFont(StandardFonts.CourierBold),
  };
}
