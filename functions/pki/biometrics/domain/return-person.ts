import type * as z from 'zod';
import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { withQuery } from '../../../../shared/net/with-query.ts';
import { stillRegistered } from '../../domain/registered-addresses.ts';
import type { BioReturn } from '../contract/page.ts';
import { bioSessions } from './session.ts';
import { ticketOf } from './ticket.ts';
import { stepOf, type Visit, visited } from './visit.ts';

/**
 * How the person goes on: with a ticket, once the session has ended. A ticket that was given before is void, so that
 * a page that is opened again leads somewhere too. Where nobody may receive the person any more there is none.
 */
export async function returnPerson(visit: Visit, nowMs = Date.now()): Promise<z.input<typeof BioReturn>> {
  const session = await visited(visit, nowMs);
  const { state, sessionId, outcome } = session;
  if (state === 'Completed') return { state: 'completed' };
  if (state !== 'Ended') return { state: 'waiting' };
  const { returnUrl, trustedOrigin } = await stillRegistered(session.application, session);
  const told = {
    state: 'ended',
    success: outcome?.success ?? false,
    failure: outcome?.failure ?? null,
  } as const;
  if (returnUrl === null && trustedOrigin === null)
    return { ...told, returnUrl, trustedOrigin, completeTicket: null };
  const secret = newSecret();
  await stepOf(session, nowMs, () =>
    bioSessions.change(session, { ticketHash: hashSecret(secret) }, { when: { state } }),
  );
  const completeTicket = ticketOf(sessionId, secret);
  return {
    ...told,
    returnUrl: returnUrl && withQuery(returnUrl, { completeTicket, sessionId }),
    trustedOrigin,
    completeTicket,
  };
}
