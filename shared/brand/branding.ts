/** How an organization presents itself on pages and in mail. */
export type Branding = {
  readonly displayName: string;
  /** A PNG or JPEG that this installation serves; absolute in mail, relative on a page. */
  readonly logoUrl: string | null;
  /** `#rrggbb`. */
  readonly color: string | null;
};

export const COLOR = /^#[\da-f]{6}$/i;

// WCAG 2.2, relative luminance.
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colors, from 1 to 21. @example contrastOf('#000000', '#ffffff') // 21 */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * The color of text on a color: white or black, whichever is read better. One of them always has a contrast of 4.5 (WCAG
 * 2.2, 1.4.3), so that no color has to be refused.
 * @example inkOn('#ffd400') // '#000000'
 */
export const inkOn = (color: string): '#ffffff' | '#000000' =>
  contrastOf(color, '#ffffff') >= contrastOf(color, '#000000') ? '#ffffff' : '#000000';

/** The head of a page in a color, as a style of its own; empty without one. Anything but a color is none (CSS injection). */
export function headStyle({ color }: Pick<Branding, 'color'>): string {
  if (color === null || !COLOR.test(color)) return '';
  const ink = inkOn(color);
  return (
    `.masthead{background:${color};color:${ink};--focus:${ink}}` +
    '.masthead :is(a,.link,.languages [aria-current]){color:inherit}' +
    `.masthead .seal .wax{fill:${ink}}.masthead .seal .mark{stroke:${color}}`
  );
}
