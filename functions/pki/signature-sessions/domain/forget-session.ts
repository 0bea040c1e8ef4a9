import { documents } from '../../documents/domain/document.ts';
import { removeFiles } from '../../domain/remove-files.ts';
import { sessionFolder, signatureSessions } from './session.ts';

/**
 * Removes a session with its files, but those of its signed documents, which are removed in their own time. Files first:
 * the session is what leads to them.
 */
export async function forgetSession(sessionId: string): Promise<void> {
  const folder = sessionFolder(sessionId);
  const idOf = (key: string): string => key.slice(folder.length).split('/', 1)[0] ?? '';
  await removeFiles(folder, async (keys) => {
    const kept = new Set((await documents.getMany([...new Set(keys.map(idOf))])).map(({ id }) => id));
    return keys.filter((key) => !kept.has(idOf(key)));
  });
  const session = await signatureSessions.get(sessionId);
  // A session that changes meanwhile fails here, and the redelivered message removes it.
  if (session) await signatureSessions.delete(session);
}
