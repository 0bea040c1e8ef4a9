import type { Caller } from '../../../../shared/access/caller.ts';
import { matchesSecret } from '../../../../shared/access/secrets.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { errors } from '../../errors.ts';
import { type BioKind, type BioSession, bioSessionStates, moveSession, readSession } from './session.ts';
import { readTicket } from './ticket.ts';

// One ticket in two hands:
//
//   call 1  |--reads Ended--- completed: Completed --|--the outcome
//   call 2    |--reads Ended------- refused --|--reads Completed--> TicketAlreadyUsed
//
/** Gives the outcome to the application, once per ticket. */
export const completeSession = (
  { application }: Caller,
  { kind, ticket }: { readonly kind: BioKind; readonly ticket: string },
  nowMs: number,
): Promise<BioSession> =>
  retryOnConflict(async () => {
    const { sessionId, secret } = readTicket(ticket);
    const session = await readSession(sessionId, nowMs);
    const isOwn = session?.application === application && session.kind === kind;
    if (!isOwn || !matchesSecret(session.ticketHash, secret)) throw errors.refuse('InvalidTicket');
    if (!bioSessionStates.accepts(session.state, 'completed')) throw errors.refuse('TicketAlreadyUsed');
    return moveSession(session, 'completed');
  });

/** A session of the application. Reading it uses up no ticket. */
export async function findSession(
  { application }: Caller,
  { kind, sessionId }: { readonly kind: BioKind; readonly sessionId: string },
  nowMs: number,
): Promise<BioSession> {
  const session = await readSession(sessionId, nowMs);
  if (session?.application === application && session.kind === kind) return session;
  throw errors.refuse('BioSessionNotFound');
}
