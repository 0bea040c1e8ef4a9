import { type Align, alignedIn, type Box } from '../appearance/box.ts';
import type { Resources } from '../appearance/drawing.ts';
import { decimal } from '../appearance/numbers.ts';
import { LINE_HEIGHT, toWinAnsi, widthOf } from '../appearance/text.ts';
import { literal } from '../pdf/text.ts';
import { drawInColor } from './color.ts';
import type { TextSection } from './mark.ts';

type Run = Omit<TextSection, 'text'> & { readonly winAnsi: string; readonly width: number };
type Line = { readonly runs: readonly Run[]; readonly width: number; readonly sizePoints: number };

const SHRINK = 0.95;
const MIN_SCALE = 0.2;
const DESCENT = 0.22; // of the font size, below the base line

type TextOptions = { readonly horizontal: Align; readonly vertical: Align; readonly opacity: number };

/** Draws text in several styles. It shrinks until all of it fits the box. */
export function drawSections(
  resources: Resources,
  sections: readonly TextSection[],
  box: Box,
  { horizontal, vertical, opacity }: TextOptions,
): string {
  const lines = fitSections(sections, box);
  const block = alignedIn(box, { width: box.width, height: heightOf(lines) }, 'start', vertical);
  let y = block.y + block.height;
  return lines
    .flatMap(({ runs, width, sizePoints }) => {
      y -= sizePoints * LINE_HEIGHT;
      let { x } = alignedIn(box, { width, height: 0 }, horizontal, 'start');
      return runs.map((run) => {
        const at = `${decimal(x)} ${decimal(y + sizePoints * DESCENT)} Td`;
        x += run.width;
        const shown = `BT ${resources.font(run.face)} ${decimal(run.sizePoints)} Tf ${at} ${literal(run.winAnsi)} Tj ET\n`;
        return drawInColor(resources, { ...run.color, opacity: run.color.opacity * opacity }, shown);
      });
    })
    .join('');
}

const heightOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, { sizePoints }) => sum + sizePoints * LINE_HEIGHT, 0);

function fitSections(sections: readonly TextSection[], box: Box): readonly Line[] {
  const encoded = sections.map(({ text, ...style }) => ({
    ...style,
    paragraphs: text.split(/\r\n|\r|\n/).map(toWinAnsi),
  }));
  for (let scale = 1; ; scale *= SHRINK) {
    const lines = breakSections(encoded, box.width, scale);
    const fits = heightOf(lines) <= box.height && lines.every(({ width }) => width <= box.width);
    if (fits || scale < MIN_SCALE) return lines;
  }
}

type Encoded = Omit<TextSection, 'text'> & { readonly paragraphs: readonly string[] };

function breakSections(sections: readonly Encoded[], width: number, scale: number): readonly Line[] {
  const lines: Line[] = [];
  let runs: Run[] = [];
  const endLine = (sizePoints: number): void => {
    while (runs.at(-1)?.winAnsi.trim() === '') runs.pop();
    const sizes = runs.map((run) => run.sizePoints);
    lines.push({
      runs,
      width: widthOfRuns(runs),
      sizePoints: sizes.length ? Math.max(...sizes) : sizePoints,
    });
    runs = [];
  };
  for (const { paragraphs, face, color, ...section } of sections) {
    const sizePoints = section.sizePoints * scale;
    for (const [at, paragraph] of paragraphs.entries()) {
      if (at > 0) endLine(sizePoints);
      for (const winAnsi of paragraph.split(/( +)/).filter(Boolean)) {
        const run = { winAnsi, face, color, sizePoints, width: widthOf(winAnsi, sizePoints, face) };
        const isBlank = winAnsi.trim() === '';
        if (!isBlank && runs.length > 0 && widthOfRuns(runs) + run.width > width) endLine(sizePoints);
        if (!isBlank || runs.length > 0) runs.push(run);
      }
    }
  }
  endLine(sections.at(-1)?.sizePoints ?? 0);
  return lines;
}

const widthOfRuns = (runs: readonly Run[]): number => runs.reduce((sum, { width }) => sum + width, 0);
