import { encode } from 'uqr';
import { alignedIn, type Box, boxIn, type Size } from '../appearance/box.ts';
import { drawImage, type Resources } from '../appearance/drawing.ts';
import type { Image } from '../appearance/image.ts';
import { decimal } from '../appearance/numbers.ts';
import { drawInColor } from './color.ts';
import type { Mark, MarkElement } from './mark.ts';
import { drawSections } from './text.ts';

/** The images of a mark, which are read once for all pages. */
export type MarkImages = ReadonlyMap<MarkElement, Image>;

/** Draws a mark on a page of this size. */
export function drawMark(resources: Resources, mark: Mark, page: Size, images: MarkImages): string {
  const box = boxIn(page, mark.within ?? {});
  const width = mark.borderPoints;
  return [
    drawInColor(resources, mark.background, `${rectangle(box)} f\n`),
    ...mark.elements.map((element) => drawElement(resources, element, box, images)),
    width > 0 ? drawInColor(resources, mark.borderColor, `${decimal(width)} w ${rectangle(box)} S\n`) : '',
  ].join('');
}

const rectangle = ({ x, y, width, height }: Box): string =>
  `${[x, y, width, height].map(decimal).join(' ')} re`;

function drawElement(resources: Resources, element: MarkElement, outer: Box, images: MarkImages): string {
  const inner = boxIn(outer, element.within ?? {});
  const box = { ...inner, x: outer.x + inner.x, y: outer.y + inner.y };
  if (element.rotation % 360 === 0) return drawContent(resources, element, box, images);
  const angle = (element.rotation * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)].map((part) => Number(part.toFixed(5)));
  const { width, height } =
    element.rotation % 180 !== 0 && element.rotation % 90 === 0
      ? { width: box.height, height: box.width }
      : box;
  const turned = { x: -width / 2, y: -height / 2, width, height };
  const middle = [box.x + box.width / 2, box.y + box.height / 2].map(decimal).join(' ');
  return `q ${cos} ${sin} ${-(sin ?? 0)} ${cos} ${middle} cm\n${drawContent(resources, element, turned, images)}Q\n`;
}

function drawContent(resources: Resources, element: MarkElement, box: Box, images: MarkImages): string {
  const image = images.get(element);
  if (image) return drawImage(resources, image, box, element);
  if (element.kind === 'qr-code') return drawQrCode(resources, element, box);
  return element.kind === 'text' ? drawSections(resources, element.sections, box, element) : '';
}

const QUIET_SQUARES = 4; // ISO/IEC 18004, 9.1

type QrCode = Extract<MarkElement, { kind: 'qr-code' }>;

/** Black squares on white, so that the code is read on any ground. */
function drawQrCode(resources: Resources, element: QrCode, outer: Box): string {
  const { data, size } = encode(element.data, { ecc: 'M', border: element.quietZones ? QUIET_SQUARES : 0 });
  const side = Math.min(outer.width, outer.height);
  const box = alignedIn(outer, { width: side, height: side }, element.horizontal, element.vertical);
  const each = side / size;
  const rows = data.flatMap((row, y) =>
    runsOf(row).map(([x, length]) => `${x} ${size - 1 - y} ${length} 1 re`),
  );
  const scale = `${each.toFixed(4)} 0 0 ${each.toFixed(4)} ${decimal(box.x)} ${decimal(box.y)} cm`;
  const { opacity } = element;
  return [
    drawInColor(resources, { rgb: [1, 1, 1], opacity }, `${rectangle(box)} f\n`),
    drawInColor(resources, { rgb: [0, 0, 0], opacity }, `${scale}\n${rows.join('\n')} f\n`),
  ].join('');
}

/** The dark squares of a row: where each run begins, and its length. */
function runsOf(row: readonly boolean[]): (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (isDark && last && last[0] + last[1] === x) last[1]++;
    else if (isDark) runs.push([x, 1]);
  }
  return runs;
}
