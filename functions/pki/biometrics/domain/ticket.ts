/** A ticket names its session, so that no index is needed to find it. @example ticketOf(id, newSecret()) */
export const ticketOf = (sessionId: string, secret: string): string => `${sessionId}.${secret}`;

/** The two parts of a ticket, whatever text came. @example const { sessionId, secret } = readTicket(body.ticket) */
export function readTicket(ticket: string): { readonly sessionId: string; readonly secret: string } {
  const dot = ticket.indexOf('.');
  return { sessionId: ticket.slice(0, Math.max(0, dot)), secret: ticket.slice(dot + 1) };
}
