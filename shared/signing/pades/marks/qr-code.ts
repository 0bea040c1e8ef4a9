import { encode } from 'uqr';
import { alignedIn, type Box } from '../appearance/box.ts';
import type { Resources } from '../appearance/drawing.ts';
import { decimal, rectangle } from '../appearance/numbers.ts';
import { drawInColor } from './color.ts';
import type { MarkElement } from './mark.ts';

const QUIET_SQUARES = 4; // ISO/IEC 18004, 9.1

/** A code as the operators that fill its dark squares, each of the side 1. */
export type QrCode = { readonly size: number; readonly operators: string };

type QrCodeElement = Extract<MarkElement, { kind: 'qr-code' }>;

export const isQrCode = (element: MarkElement): element is QrCodeElement => element.kind === 'qr-code';

export function encodeQrCode({ data: text, quietZones }: QrCodeElement): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: quietZones ? QUIET_SQUARES : 0 });
  const rows = data.flatMap((row, y) =>
    runsOf(row).map(([x, length]) => `${x} ${size - 1 - y} ${length} 1 re`),
  );
  return { size, operators: `${rows.join('\n')} f\n` };
}

/** Black squares on white, so that the code is read on any ground. */
export function drawQrCode(
  resources: Resources,
  { size, operators }: QrCode,
  outer: Box,
  { horizontal, vertical, opacity }: Pick<MarkElement, 'horizontal' | 'vertical' | 'opacity'>,
): string {
  const side = Math.min(outer.width, outer.height);
  const box = alignedIn(outer, { width: side, height: side }, horizontal, vertical);
  const each = side / size;
  const scale = `${each.toFixed(4)} 0 0 ${each.toFixed(4)} ${decimal(box.x)} ${decimal(box.y)} cm`;
  return [
    drawInColor(resources, { rgb: [1, 1, 1], opacity }, `${rectangle(box)} f\n`),
    drawInColor(resources, { rgb: [0, 0, 0], opacity }, `${scale}\n${operators}`),
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
