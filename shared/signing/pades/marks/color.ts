import type { Resources } from '../appearance/drawing.ts';
import { decimal } from '../appearance/numbers.ts';
import type { Color } from './mark.ts';

/** Operators that fill and stroke in a colour. Nothing for one that is not seen. */
export function drawInColor(resources: Resources, { rgb, opacity }: Color, operators: string): string {
  if (opacity <= 0) return '';
  const parts = rgb.map(decimal).join(' ');
  const through = opacity < 1 ? `${resources.opacity(opacity)} gs ` : '';
  return `q ${through}${parts} rg ${parts} RG ${operators}Q\n`;
}
