import { announcing } from '../../callouts/domain/announce.ts';
import { signatureSessions } from './session.ts';

// The documents of a session are made in one commit, which has no room for their events:
//
//   makeFiles   |--documents + announce--|
//   announce                               |--events + isAnnounced--|  killed, or delivered twice: once all the same

/** Tells the application of the signed documents of a session, once. */
export async function announceSession(sessionId: string): Promise<'announced' | 'nothing to do'> {
  const session = await signatureSessions.get(sessionId);
  if (!session || session.isAnnounced) return 'nothing to do';
  const { application, documents } = session;
  const events = await announcing(application, documents);
  // A session that changes meanwhile fails here, and the redelivered message finds out why.
  await signatureSessions.change(session, { isAnnounced: true }, { also: events });
  return 'announced';
}
