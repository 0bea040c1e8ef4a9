import type { Caller } from '../../../../shared/access/caller.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { issueTicket } from '../document/action-link.ts';
import { findDocument } from '../document/document.ts';
import { documentKey } from '../document/document-key.ts';
import { awaitedFrom, type Who } from '../flow/matching.ts';
import { refuseUnlessOpen } from './acting.ts';

/** Where a person does the first action that waits for them. Every call gives a ticket of its own. */
export async function actionUrl(
  id: string,
  caller: Caller,
  who: Who,
  nowMs: number,
): Promise<{ readonly url: string; readonly embedUrl: string }> {
  const document = await findDocument(id, caller);
  refuseUnlessOpen(document, 'acted', nowMs);
  const ticket = await issueTicket(document, awaitedFrom(document.flow, who), nowMs);
  const page = `${commonSettings['Http:PublicUrl']}/documents/document/key/${documentKey(document)}`;
  return { url: `${page}/action?ticket=${ticket}`, embedUrl: `${page}/embed?ticket=${ticket}` };
}
