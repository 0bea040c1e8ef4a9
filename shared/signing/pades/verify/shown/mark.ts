import type { Matrix, Rect } from '../../appearance/display.ts';
import type { PdfDict } from '../../pdf/values.ts';
import type { Font } from './fonts.ts';

/** Something that content draws, and where. */
export type Mark =
  | {
      readonly kind: 'letter';
      /** Its middle: nobody reads a letter whose middle is covered. */
      readonly box: Rect;
      readonly text: string;
      readonly font: Font;
      /** Whether the letter beside it is the same, as in a line of underscores. */
      readonly isRepeated: boolean;
    }
  /** A picture, a shading, and whatever else may look like anything. */
  | { readonly kind: 'picture'; readonly box: Rect }
  | {
      readonly kind: 'shape';
      readonly box: Rect;
      /** Whether its lines are all horizontal or vertical. */
      readonly isStraight: boolean;
      /** Of its line, in the units of the page; undefined where it is filled. */
      readonly strokeWidth: number | undefined;
      /** Its colour and points: equal for equal shapes. */
      readonly outline: string;
    };

export type Content = { readonly bytes: Buffer; readonly resources: PdfDict; readonly matrix: Matrix };
