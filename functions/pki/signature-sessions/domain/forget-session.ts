import { files } from '../../../../shared/files/files.ts';
import { sessionFolder, signatureSessions } from './session.ts';

/** Removes a session with its files. Files first: the session is what leads to them. */
export async function forgetSession(sessionId: string): Promise<void> {
  for (;;) {
    const { files: found } = await files('pki').list(sessionFolder(sessionId));
    if (found.length === 0) break;
    for (const { key } of found) await files('pki').remove(key);
  }
  const session = await signatureSessions.get(sessionId);
  // A session that changes meanwhile fails here, and the redelivered message removes it.
  if (session) await signatureSessions.delete(session);
}
