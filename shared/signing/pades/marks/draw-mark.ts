import { type Box, boxIn, type Size } from '../appearance/box.ts';
import { drawImage, type Resources } from '../appearance/drawing.ts';
import type { Image } from '../appearance/image.ts';
import { decimal, rectangle } from '../appearance/numbers.ts';
import { drawInColor } from './color.ts';
import type { Mark, MarkElement } from './mark.ts';
import { drawQrCode, type QrCode } from './qr-code.ts';
import { drawSections } from './text.ts';

/** What is read or made once for all pages. */
export type MarkContents = {
  readonly images: ReadonlyMap<MarkElement, Image>;
  readonly codes: ReadonlyMap<MarkElement, QrCode>;
};

/** Draws a mark on a page of this size. */
export function drawMark(resources: Resources, mark: Mark, page: Size, contents: MarkContents): string {
  const box = boxIn(page, mark.within ?? {});
  const width = mark.borderPoints;
  return [
    drawInColor(resources, mark.background, `${rectangle(box)} f\n`),
    ...mark.elements.map((element) => drawElement(resources, element, box, contents)),
    width > 0 ? drawInColor(resources, mark.borderColor, `${decimal(width)} w ${rectangle(box)} S\n`) : '',
  ].join('');
}

function drawElement(resources: Resources, element: MarkElement, outer: Box, contents: MarkContents): string {
  const inner = boxIn(outer, element.within ?? {});
  const box = { ...inner, x: outer.x + inner.x, y: outer.y + inner.y };
  if (element.rotation % 360 === 0) return drawContent(resources, element, box, contents);
  const angle = (element.rotation * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)].map((part) => Number(part.toFixed(5)));
  const { width, height } =
    element.rotation % 180 !== 0 && element.rotation % 90 === 0
      ? { width: box.height, height: box.width }
      : box;
  const turned = { x: -width / 2, y: -height / 2, width, height };
  const middle = [box.x + box.width / 2, box.y + box.height / 2].map(decimal).join(' ');
  return `q ${cos} ${sin} ${-(sin ?? 0)} ${cos} ${middle} cm\n${drawContent(resources, element, turned, contents)}Q\n`;
}

function drawContent(resources: Resources, element: MarkElement, box: Box, contents: MarkContents): string {
  const [image, code] = [contents.images.get(element), contents.codes.get(element)];
  if (image) return drawImage(resources, image, box, element);
  if (code) return drawQrCode(resources, code, box, element);
  return element.kind === 'text' ? drawSections(resources, element.sections, box, element) : '';
}
