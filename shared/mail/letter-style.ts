import { html, raw } from 'hono/html';

export type LetterColors = { readonly background: string; readonly text: string };

const COLOR = /^#[0-9a-f]{6}$/i;
const DEFAULT_COLOR = '#1f4f82';

/** The colors of the button. Its text is dark on a light color. @example letterColors('#ffcc00').text // '#1c2330' */
export function letterColors(color: string | undefined): LetterColors {
  const background = color !== undefined && COLOR.test(color) ? color : DEFAULT_COLOR;
  return { background, text: contrastWithWhite(background) >= MIN_CONTRAST ? '#ffffff' : '#1c2330' };
}

// WCAG 2.2, 1.4.3.
const MIN_CONTRAST = 4.5;

function contrastWithWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  );
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

const linear = (value: number): number =>
  value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

/** What readers that know style sheets do better: the dark scheme. */
export const LETTER_STYLE = html`<style>${raw(`
@media (prefers-color-scheme: dark) {
  .paper { background: #14171c !important; color: #e9eaee !important; }
  .sheet { background: #1d2129 !important; border-color: #343a46 !important; }
  .line { border-color: #343a46 !important; }
  .faint { color: #a5adba !important; }
}
`)}</style>`;
