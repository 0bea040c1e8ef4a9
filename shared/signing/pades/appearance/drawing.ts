import { type Increment, streamBody } from '../pdf/increment.ts';
import { name, type PdfRef, type PdfValue } from '../pdf/values.ts';
import { type Align, alignedIn, type Box, type Size } from './box.ts';
import type { Image } from './image.ts';
import { decimal, realNumber } from './numbers.ts';
import type { Face } from './text.ts';

const FONTS: Readonly<Record<Face, string>> = {
  Helvetica: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  HelveticaBold: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>',
  HelveticaOblique: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Oblique/Encoding/WinAnsiEncoding>>',
};

/** What the operators of drawings name. An object is written at its first use, and once in an increment. */
export type Resources = {
  readonly font: (face: Face) => string;
  readonly image: (image: Image) => string;
  /** Opaque is 1. */
  readonly opacity: (opacity: number) => string;
  /** Writes a form XObject of these operators, with what they name. */
  readonly putForm: (operators: string, size: Size, entries?: Readonly<Record<string, PdfValue>>) => PdfRef;
};

/** @example const form = createResources(update).putForm('0 0 10 10 re f\n', { width: 10, height: 10 }) */
export function createResources(update: Increment): Resources {
  const kinds = {
    Font: new Map<string, PdfValue>(),
    XObject: new Map<string, PdfValue>(),
    ExtGState: new Map<string, PdfValue>(),
  };
  const images = new Map<Image, string>();
  const once = (kind: keyof typeof kinds, key: string, put: () => PdfValue): string => {
    if (!kinds[kind].has(key)) kinds[kind].set(key, put());
    return `/${key}`;
  };
  return {
    font: (face) => once('Font', face, () => update.put(update.reserve(), FONTS[face])),
    image: (image) => {
      const key = images.get(image) ?? (images.size === 0 ? 'Image' : `Image${images.size + 1}`);
      images.set(image, key);
      return once('XObject', key, () => putImage(update, image));
    },
    opacity: (opacity) =>
      once(
        'ExtGState',
        `Opacity${Math.round(opacity * 100)}`,
        () =>
          new Map([
            ['ca', realNumber(opacity)],
            ['CA', realNumber(opacity)],
          ]),
      ),
    putForm: (operators, { width, height }, entries = {}) => {
      const used = Object.entries(kinds).filter(([, named]) => named.size > 0);
      const all = {
        ...{ Type: name('XObject'), Subtype: name('Form') },
        BBox: [0, 0, realNumber(width), realNumber(height)],
        ...entries,
        Resources: new Map<string, PdfValue>(used.map(([kind, named]) => [kind, new Map(named)])),
      };
      return update.put(update.reserve(), ...streamBody(all, Buffer.from(operators, 'latin1')));
    },
  };
}

function putImage(update: Increment, { width, height, entries, content, mask }: Image): PdfRef {
  const common = { Type: name('XObject'), Subtype: name('Image'), Width: width, Height: height };
  const soft =
    mask && update.put(update.reserve(), ...streamBody({ ...common, ...mask.entries }, mask.content));
  const all = { ...common, ...entries, ...(soft && { SMask: soft }) };
  return update.put(update.reserve(), ...streamBody(all, content));
}

/** How something is in its box. */
export type Layer = {
  readonly horizontal?: Align | undefined;
  readonly vertical?: Align | undefined;
  /** Opaque is 1, the default. */
  readonly opacity?: number | undefined;
};

/** Draws an image as large as its box allows without distortion, centered by default. */
export function drawImage(
  resources: Resources,
  image: Image,
  box: Box,
  { horizontal = 'center', vertical = 'center', opacity = 1 }: Layer = {},
): string {
  const scale = Math.min(box.width / image.width, box.height / image.height);
  const size = { width: image.width * scale, height: image.height * scale };
  const at = alignedIn(box, size, horizontal, vertical);
  const through = opacity < 1 ? `${resources.opacity(opacity)} gs ` : '';
  return `q ${through}${decimal(at.width)} 0 0 ${decimal(at.height)} ${decimal(at.x)} ${decimal(at.y)} cm ${resources.image(image)} Do Q\n`;
}
