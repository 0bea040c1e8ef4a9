import type { Align, Margins } from '../appearance/box.ts';
import type { PageChoice } from '../appearance/place.ts';
import type { Face } from '../appearance/text.ts';

/** Each part from 0 to 1. An opacity of 0 is not seen. */
export type Color = { readonly rgb: readonly [number, number, number]; readonly opacity: number };

/** Text in one style. Sections follow each other in a line. */
export type TextSection = {
  readonly text: string;
  readonly face: Face;
  readonly color: Color;
  readonly sizePoints: number;
};

export type MarkContent =
  | { readonly kind: 'text'; readonly sections: readonly TextSection[] }
  /** A PNG or JPEG. */
  | { readonly kind: 'image'; readonly image: Uint8Array }
  | { readonly kind: 'qr-code'; readonly data: string; readonly quietZones: boolean };

export type MarkElement = MarkContent & {
  /** In the mark. By default all of it. */
  readonly within?: Margins | undefined;
  /** In degrees, against the clock, around the middle of the element. */
  readonly rotation: number;
  readonly horizontal: Align;
  readonly vertical: Align;
  readonly opacity: number;
};

/** Content that is drawn into pages, in points from the edges of the page as displayed. */
export type Mark = {
  readonly pages: PageChoice | 'all';
  /** By default the whole page. */
  readonly within?: Margins | undefined;
  readonly borderPoints: number;
  readonly borderColor: Color;
  readonly background: Color;
  readonly elements: readonly MarkElement[];
};
