import type * as z from 'zod';
import { hashOfSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { withQuery } from '../../../../shared/net/with-query.ts';
import type { BioReturn } from '../../contract/bio-page.ts';
import { bioSessions } from './session.ts';
import { ticketOf } from './ticket.ts';
import { stepOf, type Visit, visited } from './visit.ts';

/**
 * How the person goes on: with a ticket, once the session has ended. A ticket that was given before is void, so that
 * a page that is opened again leads somewhere too.
 */
export async function returnPerson(visit: Visit, nowMs = Date.now()): Promise<z.input<typeof BioReturn>> {
  const session = await visited(visit, nowMs);
  const { state, sessionId, returnUrl, trustedOrigin, outcome } = session;
  if (state === 'Completed') return { state: 'completed' };
  if (state !== 'Ended') return { state: 'waiting' };
  const secret = newSecret();
  await stepOf(session, nowMs, () =>
    bioSessions.change(session, { ticketHash: hashOfSecret(secret) }, { when: { state } }),
  );
  const completeTicket = ticketOf(sessionId, secret);
  return {
    state: 'ended',
    success: outcome?.success ?? false,
    failure: outcome?.failure ?? null,
    returnUrl: returnUrl && withQuery(returnUrl, { completeTicket, sessionId }),
    trustedOrigin,
    completeTicket,
  };
}
