import { html } from 'hono/html';
import type { Markup } from './page.ts';

type NavigationOptions = {
  /** The name of the navigation, for screen readers. */
  readonly label: string;
  readonly entries: readonly NavigationEntry[];
  /** At the end of the bar: who is logged in, and the way out. */
  readonly aside?: Markup;
};

type NavigationEntry = { readonly href: string; readonly text: string; readonly isCurrent: boolean };

/**
 * Renders the navigation bar of a service, below the frame's masthead. On a phone the entries are one row that scrolls.
 * @example renderNavigation({ label: 'Dashboard', entries: [{ href: '/batch', text: 'Overview', isCurrent: true }] })
 */
export const renderNavigation = ({ label, entries, aside }: NavigationOptions): Markup =>
  html`<nav class="navigation" aria-label="${label}">
<ul>${entries.map(
    ({ href, text, isCurrent }) =>
      html`<li><a href="${href}"${isCurrent ? html` aria-current="page"` : ''}>${text}</a></li>`,
  )}</ul>
${aside ?? ''}</nav>`;
