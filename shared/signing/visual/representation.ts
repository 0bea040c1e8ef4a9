import type { Certificate } from '../../pki/certificate/certificate.ts';
import { momentInBrasilia } from '../../text/moment.ts';
import type { Appearance } from '../pades/appearance/appearance.ts';
import type { Align } from '../pades/appearance/box.ts';
import type { PageChoice, Place } from '../pades/appearance/place.ts';
import { fillTags } from './tags.ts';
import {
  type MeasurementUnits,
  marginsOf,
  type PageOptimization,
  paperOf,
  pointsIn,
  type Rectangle,
  type RectangleSize,
} from './units.ts';

type Position = {
  /** From 1; -1 is the last; 0 a new page, or the last of a signed document. */
  readonly pageNumber: number;
  readonly measurementUnits: MeasurementUnits;
  readonly pageOptimization?: PageOptimization | null | undefined;
  readonly manual?: Rectangle | null | undefined;
  readonly auto?: AutoPositioning | null | undefined;
};

type AutoPositioning = {
  readonly container: Rectangle;
  readonly signatureRectangleSize: RectangleSize;
  readonly horizontalDirection?: 'LeftToRight' | 'RightToLeft' | null | undefined;
  readonly verticalDirection?: 'TopDown' | 'BottomUp' | null | undefined;
  readonly rowSpacing?: number | null | undefined;
};

export type HorizontalAlign = 'Left' | 'Center' | 'Right';
export type VerticalAlign = 'Top' | 'Center' | 'Bottom';

/** The look of a signature as clients of the PKI core describe it, as plain JSON. */
export type VisualRepresentation = {
  readonly position: Position;
  readonly text?:
    | {
        readonly text: string;
        readonly fontSize?: number | null | undefined;
        readonly includeSigningTime?: boolean | null | undefined;
        readonly horizontalAlign?: HorizontalAlign | null | undefined;
        readonly container?: Rectangle | null | undefined;
      }
    | undefined;
  readonly image?:
    | {
        /** A PNG or JPEG in base64. */
        readonly content: string;
        /** From 0 to 100, which is opaque. */
        readonly opacity?: number | null | undefined;
        readonly horizontalAlign?: HorizontalAlign | null | undefined;
        readonly verticalAlign?: VerticalAlign | null | undefined;
      }
    | undefined;
};

export const ALIGNS: Readonly<Record<HorizontalAlign | VerticalAlign, Align>> = {
  ...{ Left: 'start', Top: 'start', Center: 'center', Right: 'end', Bottom: 'end' },
};

/** Whose signature is shown, and when it was made. */
export type Signer = { readonly certificate: Certificate; readonly signingTimeMs: number };

/**
 * The look of one signer's signature. Both steps of a signature make the same of the same.
 * @example prepareSignature('PAdES', { …, visible: visibleOf(representation, { certificate, signingTimeMs }) })
 */
export function visibleOf(
  { position, text, image }: VisualRepresentation,
  { certificate, signingTimeMs }: Signer,
): Appearance & { readonly place: Place } {
  const { measurementUnits: units } = position;
  return {
    ...(text && {
      lines: [
        ...fillTags(text.text, certificate).split(/\r\n|\r|\n/),
        ...(text.includeSigningTime ? [momentInBrasilia(signingTimeMs)] : []),
      ],
      linesAlign: ALIGNS[text.horizontalAlign ?? 'Left'],
      linesWithin: text.container ? marginsOf(units, text.container) : undefined,
      fontSizePoints: text.fontSize ?? undefined,
    }),
    ...(image && {
      image: Buffer.from(image.content, 'base64'),
      background: {
        opacity: (image.opacity ?? 100) / 100,
        horizontal: ALIGNS[image.horizontalAlign ?? 'Center'],
        vertical: ALIGNS[image.verticalAlign ?? 'Center'],
      },
    }),
    place: placeOf(position),
  };
}

function placeOf({ pageNumber, measurementUnits: units, pageOptimization, manual, auto }: Position): Place {
  const page: PageChoice = pageNumber === 0 ? 'new' : pageNumber;
  const paper = paperOf(units, pageOptimization);
  if (!auto) return { page, paper, within: marginsOf(units, manual ?? {}) };
  const points = pointsIn(units);
  const { signatureRectangleSize: size, rowSpacing } = auto;
  return {
    ...{ page, paper },
    grid: {
      container: marginsOf(units, auto.container),
      size: { width: points(size.width), height: points(size.height) },
      rowSpacing: points(rowSpacing ?? 0),
      rightToLeft: auto.horizontalDirection === 'RightToLeft',
      bottomUp: auto.verticalDirection === 'BottomUp',
    },
  };
}
