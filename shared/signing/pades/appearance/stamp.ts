import { literal } from '../pdf/text.ts';
import type { Size } from './box.ts';
import type { Resources } from './drawing.ts';
import { decimal as at } from './numbers.ts';
import { type Face, toWinAnsi, widthOf } from './text.ts';

/** The stamp of a signature: who signed in bold, a title above and details below. */
export type Stamp = {
  readonly title: string;
  readonly name: string;
  /** In one line where there is room, each in its own where there is not. */
  readonly details: readonly string[];
};

type Line = { readonly text: string; readonly face: Face; readonly share: number; readonly color: string };
type Layout = { readonly lines: readonly Line[]; readonly sealPoints: number; readonly sizePoints: number };

// As in manifests (functions/documents/domain/downloads/drawn/style.ts).
const WAX = '0.541 0.141 0.2';
const INK = '0.106 0.141 0.188';
const MUTED = '0.353 0.396 0.459';
const EDGE = '0.62 0.66 0.71';

const MAX_POINTS = 13;
const READABLE_POINTS = 6;
const SMALL = 0.76; // of the name's size
const LEADING = 1.28;
const MAX_SEAL_POINTS = 30;

/** Draws a stamp over the whole of its place. It is opaque, so that text below it does not show through. */
export function drawStamp(stamp: Stamp, size: Size, { font }: Pick<Resources, 'font'>): string {
  const { width, height } = size;
  const padding = Math.min(7, width / 14, height / 7);
  const room = { width: width - 2 * padding, height: height - 2 * padding };
  const { lines, sealPoints, sizePoints } = layoutOf(stamp, room, padding);
  const x = padding + (sealPoints > 0 ? sealPoints + padding : 0);
  const tall = tallOf(lines) * sizePoints;
  let y = padding + room.height - (room.height - tall) / 2;
  const texts = lines.map(({ text, face, share, color }) => {
    y -= share * sizePoints * LEADING;
    const base = y + share * sizePoints * (LEADING - 1);
    return `BT ${font(face)} ${at(share * sizePoints)} Tf ${color} rg ${at(x)} ${at(base)} Td ${literal(text)} Tj ET\n`;
  });
  return [
    `q 1 g 0 0 ${at(width)} ${at(height)} re f\n`,
    `0.75 w ${EDGE} RG 0.38 0.38 ${at(width - 0.75)} ${at(height - 0.75)} re S\n`,
    sealPoints > 0 ? drawSeal(padding + sealPoints / 2, height / 2, sealPoints / 2) : '',
    ...texts,
    'Q\n',
  ].join('');
}

/** The first arrangement whose text is readable, or the one with the largest text. The seal goes before the title. */
function layoutOf({ title, name, details }: Stamp, room: Size, gap: number): Layout {
  const seal = Math.min(MAX_SEAL_POINTS, room.height, room.width * 0.2);
  const small = (text: string, color: string): Line => ({
    ...{ text: toWinAnsi(text), face: 'Helvetica', share: SMALL, color },
  });
  const bold = (text: string): Line => ({ text, face: 'HelveticaBold', share: 1, color: INK });
  const whole = toWinAnsi(name);
  const names = [[whole], halvesOf(whole)];
  const below = [[details.join(' · ')], details];
  const arrangements = [seal, 0].flatMap((sealPoints) =>
    [[title], []].flatMap((titles) =>
      names.flatMap((named) =>
        below.map((lines) => ({
          sealPoints,
          lines: [
            ...titles.map((text) => small(text, MUTED)),
            ...named.map(bold),
            ...lines.map((text) => small(text, INK)),
          ],
        })),
      ),
    ),
  );
  const layouts = arrangements.map(({ sealPoints, lines }): Layout => {
    const width = room.width - (sealPoints > 0 ? sealPoints + gap : 0);
    const widest = Math.max(...lines.map(({ text, face, share }) => widthOf(text, share, face)));
    const sizePoints = Math.min(MAX_POINTS, width / widest, room.height / tallOf(lines));
    return { lines, sealPoints, sizePoints };
  });
  const largestOf = (some: readonly Layout[]): Layout =>
    some.reduce((best, each) => (each.sizePoints > best.sizePoints ? each : best));
  const perLook = layouts.length / 4; // with or without the seal, with or without the title
  const looks = [0, 1, 2, 3].map((look) => largestOf(layouts.slice(look * perLook, (look + 1) * perLook)));
  return looks.find(({ sizePoints }) => sizePoints >= READABLE_POINTS) ?? largestOf(looks);
}

const tallOf = (lines: readonly Line[]): number => lines.reduce((sum, { share }) => sum + share * LEADING, 0);

/** A name in two lines of about the same length. */
function halvesOf(name: string): string[] {
  const words = name.split(' ');
  const cuts = words.map((_, at) => [words.slice(0, at).join(' '), words.slice(at).join(' ')] as const);
  const longer = ([first, second]: readonly [string, string]): number =>
    Math.max(first.length, second.length);
  return [...cuts.reduce((best, each) => (longer(each) < longer(best) ? each : best))].filter(Boolean);
}

const CURVE = 0.5523; // a quarter of a circle as a Bézier curve

/** Sinete's seal, as on manifests: a ring and a check pressed into wax. */
function drawSeal(x: number, y: number, radius: number): string {
  const point = (dx: number, dy: number): string => `${at(x + dx)} ${at(y + dy)}`;
  const circle = (r: number): string => {
    const c = r * CURVE;
    return (
      `${point(r, 0)} m ${point(r, c)} ${point(c, r)} ${point(0, r)} c ` +
      `${point(-c, r)} ${point(-r, c)} ${point(-r, 0)} c ${point(-r, -c)} ${point(-c, -r)} ${point(0, -r)} c ` +
      `${point(c, -r)} ${point(r, -c)} ${point(r, 0)} c`
    );
  };
  const unit = radius / 11;
  return (
    `${WAX} rg ${circle(radius)} f\n1 G ${at(radius * 0.07)} w ${circle(radius * 0.74)} S\n` +
    `${at(1.7 * unit)} w 1 J ${point(-4.2 * unit, 0.2 * unit)} m ${point(-1.2 * unit, -2.8 * unit)} l ` +
    `${point(4.4 * unit, 3.4 * unit)} l S\n`
  );
}
