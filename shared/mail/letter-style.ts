import { html, raw } from 'hono/html';
import { COLOR, inkOn } from '../brand/branding.ts';

export type LetterColors = { readonly background: string; readonly text: string };

const DEFAULT_COLOR = '#1f4f82';

/** The colors of the button. Anything but a color is none. @example letterColors('#ffcc00').text // '#000000' */
export function letterColors(color: string | null): LetterColors {
  const background = color !== null && COLOR.test(color) ? color : DEFAULT_COLOR;
  return { background, text: inkOn(background) };
}

/** What readers that know style sheets do better: the dark scheme. */
export const LETTER_STYLE = html`<style>${raw(`
@media (prefers-color-scheme: dark) {
  .paper { background: #14171c !important; color: #e9eaee !important; }
  .sheet { background: #1d2129 !important; border-color: #343a46 !important; }
  .line { border-color: #343a46 !important; }
  .faint { color: #a5adba !important; }
}
`)}</style>`;
