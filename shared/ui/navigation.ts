import { html } from 'hono/html';
import type { Markup } from './page.ts';

type NavigationOptions = {
  /** The name of the navigation, for screen readers. */
  readonly label: string;
  readonly entries: readonly NavigationEntry[];
  /** Where it is given, the entries are a menu by this name where they do not fit one row. */
  readonly menu?: string;
  /** At the end of the bar: who is logged in, and the way out. */
  readonly aside?: Markup;
};

type NavigationEntry = { readonly href: string; readonly text: string; readonly isCurrent: boolean };

/**
 * Renders the navigation bar of a service, below the frame's masthead. On a phone the entries are a menu, or one row that
 * scrolls. The menu needs no script: it is the same list, and the stylesheet shows one of the two.
 * @example renderNavigation({ label: 'Dashboard', entries: [{ href: '/batch', text: 'Overview', isCurrent: true }] })
 */
export function renderNavigation({ label, entries, menu, aside }: NavigationOptions): Markup {
  const list = html`<ul>${entries.map(
    ({ href, text, isCurrent }) =>
      html`<li><a href="${href}"${isCurrent ? html` aria-current="page"` : ''}>${text}</a></li>`,
  )}</ul>`;
  const current = entries.find(({ isCurrent }) => isCurrent);
  return html`<nav class="navigation" aria-label="${label}">
${menu === undefined ? '' : html`<details class="menu"><summary>${menu}${current ? html`: <strong>${current.text}</strong>` : ''}</summary>${list}</details>`}
${list}
${aside ?? ''}</nav>`;
}
