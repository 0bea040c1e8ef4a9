import type { Return } from './api.ts';
import type { Views } from './views.ts';

type Ended = Extract<Return, { state: 'ended' }>;
type Words = { readonly closeHere: string };

/** Who waits for a message: the page that shows this one, or that opened it and gave it nowhere to go back to. */
const hostOf = ({ trustedOrigin, returnUrl }: Ended): Window | undefined => {
  if (trustedOrigin === null) return undefined;
  if (window.parent !== window) return window.parent;
  return returnUrl === null ? ((window.opener as Window | null) ?? undefined) : undefined;
};

/**
 * Hands the ticket to whoever waits for it: the window that shows the page, if its origin is trusted, or else the
 * address that the person goes back to. A success goes on by itself; a failure is read first.
 */
export function leave(ended: Ended, sessionId: string, views: Views, words: Words): void {
  const { trustedOrigin, returnUrl, completeTicket, success } = ended;
  const host = hostOf(ended);
  // The browser delivers it to this origin and to no other, whoever the window belongs to by now.
  host?.postMessage({ type: 'sinete.bio-session', sessionId, completeTicket }, trustedOrigin ?? '');
  if (host || returnUrl === null) sayWhere(views, success, words.closeHere);
  else if (success) location.replace(returnUrl);
  else offer(views, returnUrl);
}

function offer(views: Views, returnUrl: string): void {
  const link = views.named('failed').querySelector<HTMLAnchorElement>('[data-act=onward]');
  if (!link) return;
  link.href = returnUrl;
  link.hidden = false;
}

/** Says how the person goes on where the page itself leads nowhere. */
export function sayWhere(views: Views, success: boolean, text: string): void {
  const where = views.named(success ? 'passed' : 'failed').querySelector<HTMLElement>('.where');
  if (!where) return;
  where.textContent = text;
  where.hidden = false;
}
