import type * as z from 'zod';
import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { withQuery } from '../../../../shared/net/with-query.ts';
import { registeredAddresses } from '../../domain/registered-addresses.ts';
import type { BioReturn } from '../contract/page.ts';
import { bioSessions } from './session.ts';
import { ticketOf } from './ticket.ts';
import { findVisitedSession, type PageRequest, runStep } from './visit.ts';

/**
 * The way back for the person: with a ticket, once the session has ended. A new ticket voids the earlier one, so that
 * a reopened page works too. Without a registered address there is no ticket.
 */
export async function returnPerson(visit: PageRequest, nowMs: number): Promise<z.input<typeof BioReturn>> {
  const session = await findVisitedSession(visit, nowMs);
  const { state, sessionId, outcome } = session;
  if (state === 'Completed') return { state: 'completed' };
  if (state !== 'Ended') return { state: 'waiting' };
  const { returnUrl, trustedOrigin } = await registeredAddresses(session.application, session);
  const summary = {
    state: 'ended',
    success: outcome?.success ?? false,
    failure: outcome?.failure ?? null,
  } as const;
  if (returnUrl === null && trustedOrigin === null)
    return { ...summary, returnUrl, trustedOrigin, completeTicket: null };
  const secret = newSecret();
  await runStep(session, nowMs, () =>
    bioSessions.change(session, { ticketHash: hashSecret(secret) }, { when: { state } }),
  );
  const completeTicket = ticketOf(sessionId, secret);
  return {
    ...summary,
    returnUrl: returnUrl && withQuery(returnUrl, { completeTicket, sessionId }),
    trustedOrigin,
    completeTicket,
  };
}
