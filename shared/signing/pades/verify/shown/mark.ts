import type { Matrix, Rect } from '../../appearance/display.ts';
import type { PdfDict } from '../../pdf/values.ts';
import type { Font } from './fonts.ts';

/** Something that content draws, and where. */
export type Mark =
  | {
      readonly kind: 'letter';
      /** Its middle part: nobody reads a letter of which that is covered. */
      readonly box: Rect;
      readonly text: string;
      /** In the units of the page. */
      readonly size: number;
      /** Its colour, as the operator that sets it has it. */
      readonly fill: string;
      readonly font: Font;
      /** Whether the letter beside it is the same, as in a line of underscores. */
      readonly isRepeated: boolean;
    }
  /** A picture, a shading, a surface in a pattern or through a mask, and whatever else may look like anything. */
  | { readonly kind: 'picture'; readonly box: Rect }
  | {
      readonly kind: 'shape';
      readonly box: Rect;
      /** Whether its lines are all horizontal or vertical. */
      readonly isStraight: boolean;
      readonly points: number;
      /** Of its line, in the units of the page; undefined where it is filled. */
      readonly strokeWidth: number | undefined;
      /** Its colour, points and clip: equal for equal shapes. */
      readonly outline: string;
      /** Whether everybody saw it: in a colour of its own, and in no layer. */
      readonly isOpaque: boolean;
    };

export type Content = { readonly bytes: Buffer; readonly resources: PdfDict; readonly matrix: Matrix };
