import { html } from 'hono/html';
import { encode } from 'uqr';
import type { Markup } from './page.ts';

// What scanners want around a code, in its own squares.
const QUIET = 4;

/** A text as a code that a phone's camera reads: black on white in any colour scheme. @example qrCode(url, 'Opens the page') */
export function qrCode(text: string, label: string): Markup {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return html`<svg class="code" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path fill="#000" d="${squares.join('')}"/></svg>`;
}
