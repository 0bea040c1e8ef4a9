import type { Caller } from '../../../../shared/access/caller.ts';
import { matchesSecret } from '../../../../shared/access/secrets.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { errors } from '../../errors.ts';
import { type BioKind, type BioSession, move, readSession } from './session.ts';
import { bioSessionStates } from './session-states.ts';
import { readTicket } from './ticket.ts';

// One ticket in two hands:
//
//   call 1  |--reads Ended--- completed: Completed --|--the outcome
//   call 2    |--reads Ended------- refused --|--reads Completed--> TicketAlreadyUsed
//
/** The application takes the outcome by its ticket, once. */
export const completeSession = (
  kind: BioKind,
  ticket: string,
  { application }: Caller,
  nowMs = Date.now(),
): Promise<BioSession> =>
  retryOnConflict(async () => {
    const { sessionId, secret } = readTicket(ticket);
    const session = await readSession(sessionId, nowMs);
    const isOurs = session?.application === application && session.kind === kind;
    if (!isOurs || !matchesSecret(session.ticketHash, secret)) throw errors.refuse('InvalidTicket');
    if (!bioSessionStates.allows(session.state, 'completed')) throw errors.refuse('TicketAlreadyUsed');
    return move(session, 'completed');
  });

/** A session of the application's own, by its id. Asking spends nothing. */
export async function findSession(
  kind: BioKind,
  sessionId: string,
  { application }: Caller,
  nowMs = Date.now(),
): Promise<BioSession> {
  const session = await readSession(sessionId, nowMs);
  if (session?.application === application && session.kind === kind) return session;
  throw errors.refuse('BioSessionNotFound');
}
