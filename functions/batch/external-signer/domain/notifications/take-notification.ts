import { hashSecret, matchesSecret } from '../../../../../shared/access/secrets.ts';
import { recordedTrace } from '../../../../../shared/trace/trace.ts';
import { hasExternalService } from '../../../config/external-service.ts';
import { errors } from '../../../errors.ts';
import { boundFolders, folderKeyOf } from '../../../profiles/domain/bound-folders.ts';
import { settings } from '../../../settings.ts';
import { wakeChecks } from '../signer-message.ts';
import { queueChecks } from '../sweep/checks.ts';
import { noteAuthenticated } from './notification-counts.ts';

/** A document as a notification cites it. One at the root of the service has no folder. */
type CitedDocument = { readonly id: string; readonly folder?: { readonly id: string } | null | undefined };

/** Refuses whoever does not send the secret of notifications. Compared in constant time. */
export function requireSender(authorization: string | undefined, nowMs: number): void {
  const secret = settings['Signer:WebhookSecret'];
  if (secret === '') throw errors.refuse('signer-notification.not-configured');
  // RFC 9110 11.1: the name of a scheme is in any case.
  const [, offered = ''] = /^bearer +(.*)$/i.exec(authorization ?? '') ?? [];
  if (!matchesSecret(hashSecret(secret), offered)) throw errors.refuse('signer-notification.unauthorized');
  noteAuthenticated(nowMs);
}

/**
 * Has the cited documents of bound folders read again. Nothing else of a notification is believed or kept: repeated,
 * late and out of order, it leads to the same reads.
 */
export async function takeNotification(
  cited: readonly CitedDocument[],
  deadlineAtMs: number,
  nowMs: number,
): Promise<'accepted' | 'ignored'> {
  const inFolders = cited.flatMap(({ id, folder }) =>
    folder ? [{ documentId: id, folderId: folderKeyOf(folder.id), atMs: nowMs, ...recordedTrace() }] : [],
  );
  if (inFolders.length === 0 || !hasExternalService()) return 'ignored';
  const bound = await boundFolders();
  const checks = inFolders.filter(({ folderId }) => bound.has(folderId));
  if (checks.length === 0) return 'ignored';
  try {
    await queueChecks(checks, deadlineAtMs);
  } finally {
    // Also where too many wait: whoever makes them makes room for the next notification.
    await wakeChecks();
  }
  return 'accepted';
}
