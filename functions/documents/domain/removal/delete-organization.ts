import { recordAndSend } from '../../../../shared/queue/outbox.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { listDeliveries } from '../../../../shared/webhooks/deliveries/list-deliveries.ts';
import { listWebhooks, removeAllWebhooks } from '../../../../shared/webhooks/registrations/registrations.ts';
import { sendRecorded } from '../document/change-document.ts';
import type { Document } from '../document/document.ts';
import { webhooks } from '../document/webhook-engine.ts';
import { folders } from '../places/folder.ts';
import { folderList, unlistingFolder } from '../places/folder-lists.ts';
import { activeOrganization, type Organization, organizations } from '../places/organization.ts';
import { organizationStates } from '../places/organization-states.ts';
import { doing, TASKS_QUEUE } from '../tasks.ts';
import { deleteListed } from './delete-document.ts';
import { MAX_DOCUMENTS_PER_EVENT, tellingDeleted } from './deleted-notice.ts';

/** Deletes an organization with all it holds. From here on it does not exist; what it holds goes in the background. */
export const deleteOrganization = (id: string, nowMs: number): Promise<void> =>
  retryOnConflict(async () => {
    const organization = await activeOrganization(id);
    const task = doing({ task: 'deleteOrganization', organizationId: id });
    const patch = { deletedAtMs: nowMs };
    await transition(organizations, organizationStates, organization, 'deleted', patch, { also: [task] });
    await sendRecorded([task]);
  });

const A_RUN = 100;

// Whoever makes a document or a folder looks first whether the organization is there:
//
//   create  |--looks: Active------------------ makes a document --|
//   delete       |--Deleting--|--empties it--|                      |--last look: empties it again--|--Deleted
//
// Each look tells of what it found before it deletes that, so a document that came late is told of as well.
// A function lives 15 minutes at most, so nothing is made after the last look. One item that every creation of an
// organization had to check would make them wait for each other.
const LAST_LOOK_AFTER_SECONDS = 16 * 60;

// What was recorded for its webhooks is delivered or given up within hours.
const LOOK_AGAIN_SECONDS = 3_600;

/** Empties an organization that is being deleted, a part at a time. Doing it twice does no harm. */
export const emptyOrganization = (organizationId: string, nowMs = Date.now()): Promise<void> =>
  retryOnConflict(async () => {
    const organization = await organizations.get(organizationId);
    if (!organization || !organizationStates.allows(organization.state, 'emptied')) return;
    const delaySeconds = await untilNext(organization, nowMs);
    if (delaySeconds !== undefined) {
      const task = { task: 'deleteOrganization', organizationId };
      const id = `deleteOrganization:${organizationId}`;
      return recordAndSend('documents', TASKS_QUEUE, task, { delaySeconds, id });
    }
    await removeAllWebhooks(webhooks, organizationId);
    await transition(organizations, organizationStates, organization, 'emptied', { told: undefined });
  });

/** Does a part of the work, and tells when the next is due. Nothing when all is done. */
async function untilNext(organization: Stored<Organization>, nowMs: number): Promise<number | undefined> {
  const { id, deletedAtMs = 0 } = organization;
  const tell = (doomed: readonly Document[]) => tellOf(organization, doomed);
  if ((await deleteListed({ organizationId: id }, A_RUN, tell)) > 0) return 0;
  if ((await deleteFolders(id)) > 0) return 0;
  const lastLookInSeconds = LAST_LOOK_AFTER_SECONDS - (nowMs - deletedAtMs) / 1000;
  if (lastLookInSeconds > 0) return lastLookInSeconds;
  return (await hasDeliveries(id)) ? LOOK_AGAIN_SECONDS : undefined;
}

/** Tells of documents that are about to go: of each once, and of no more in all than one event lists. */
async function tellOf(organization: Stored<Organization>, doomed: readonly Document[]): Promise<void> {
  const { id, told = [] } = organization;
  const untold = doomed
    .filter((document) => !told.includes(document.id))
    .slice(0, MAX_DOCUMENTS_PER_EVENT - told.length);
  if (untold.length === 0) return;
  const event = await tellingDeleted(id, untold, 'DeletedByOrganization');
  const patch = { told: [...told, ...untold.map((document) => document.id)] };
  await organizations.change(organization, patch, { also: event.writes });
  await event.wake();
}

/** Its documents are gone, so its folders need not be emptied one by one. */
async function deleteFolders(organizationId: string): Promise<number> {
  const { ids } = await folderList({ organizationId, only: 'all' }).slice({ offset: 0, limit: A_RUN });
  for (const folder of await folders.getMany(ids)) {
    await folders.delete(folder, { also: unlistingFolder(folder) }).catch((error) => {
      if (!(error instanceof RaceLost)) throw error; // The next run looks at it again.
    });
  }
  return ids.length;
}

async function hasDeliveries(organizationId: string): Promise<boolean> {
  for (const { id } of await listWebhooks(webhooks, organizationId)) {
    const page = await listDeliveries(webhooks, id, { state: 'Pending', limit: 1 });
    if ('items' in page && page.items.length > 0) return true;
  }
  return false;
}
