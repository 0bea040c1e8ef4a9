import { ifThrown } from '../../../../shared/errors/expected.ts';
import { files } from '../../../../shared/files/files.ts';
import { recordAndSend } from '../../../../shared/queue/outbox.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { clearPartition } from '../../../../shared/store/partition.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { listDeliveries } from '../../../../shared/webhooks/deliveries/list-deliveries.ts';
import { listWebhooks } from '../../../../shared/webhooks/registrations/lookup.ts';
import { removeAllWebhooks } from '../../../../shared/webhooks/registrations/registrations.ts';
import { authenticatorPartition } from '../document/authenticator.ts';
import type { Document } from '../document/document.ts';
import { webhooks } from '../document/webhook-engine.ts';
import { deleteSomeFlows } from '../flows/stored-flow.ts';
import { forgetMembers } from '../members/members.ts';
import { logoKey } from '../places/branding.ts';
import { folderList, folders, unlistingFolder } from '../places/folder.ts';
import {
  forgetRecentOrganization,
  isActiveOrganization,
  type Organization,
  organizationNotFound,
  organizationStates,
  organizations,
} from '../places/organization.ts';
import { TASKS_QUEUE, taskMessage } from '../tasks.ts';
import { deleteSomeTemplates } from '../templates/template.ts';
import { announceDeletion } from './announce-deletion.ts';
import { deleteListed } from './delete-document.ts';
import { secondsToLastCheck } from './last-check.ts';

/** Deletes an organization with its contents. It stops existing at once; the contents go in the background. */
export const deleteOrganization = (id: string, nowMs: number): Promise<void> =>
  retryOnConflict(async () => {
    const organization = await organizations.get(id);
    if (!organization || !isActiveOrganization(organization)) throw organizationNotFound(id);
    const task = taskMessage({ task: 'deleteOrganization', organizationId: id });
    const patch = { deletedAtMs: nowMs };
    try {
      await transition(organizations, organizationStates, organization, 'deleted', patch, { also: [task] });
    } finally {
      forgetRecentOrganization(id); // Also after a failure: the write may have landed.
    }
  });

const ITEMS_PER_RUN = 100;

// Deliveries to its webhooks end within hours.
const CHECK_AGAIN_SECONDS = 3_600;

/** Empties an organization that is being deleted, a part at a time. Running it twice does no harm. */
export const emptyOrganization = (organizationId: string, nowMs: number): Promise<void> =>
  retryOnConflict(async () => {
    const organization = await organizations.get(organizationId);
    if (!organization || !organizationStates.accepts(organization.state, 'emptied')) return;
    const delaySeconds = await runDeletionStep(organization, nowMs);
    if (delaySeconds !== undefined) {
      const task = { task: 'deleteOrganization', organizationId };
      const id = `deleteOrganization:${organizationId}`;
      return recordAndSend('documents', TASKS_QUEUE, task, { delaySeconds, id });
    }
    await removeAllWebhooks(webhooks, organizationId);
    await clearPartition('documents', authenticatorPartition(organizationId));
    await forgetMembers(organizationId);
    const { logoVersion = null } = organization.branding ?? {};
    if (logoVersion !== null) await files('documents').remove(logoKey(organizationId, logoVersion));
    await transition(organizations, organizationStates, organization, 'emptied', {
      announcedIds: undefined,
      seal: undefined,
    });
  });

/** Does a part of the work. Answers the delay of the next part in seconds; undefined when all is done. */
async function runDeletionStep(
  organization: Stored<Organization>,
  nowMs: number,
): Promise<number | undefined> {
  const { id } = organization;
  const announce = (documents: readonly Document[]) => announceDocuments(organization, documents);
  if ((await deleteListed({ organizationId: id }, ITEMS_PER_RUN, announce)) > 0) return 0;
  if ((await deleteFolders(id)) > 0) return 0;
  if ((await deleteSomeFlows(id, ITEMS_PER_RUN)) > 0) return 0;
  if ((await deleteSomeTemplates(id, ITEMS_PER_RUN)) > 0) return 0;
  const waitSeconds = secondsToLastCheck(organization, nowMs);
  if (waitSeconds > 0) return waitSeconds;
  return (await hasPendingDeliveries(id)) ? CHECK_AGAIN_SECONDS : undefined;
}

const announceDocuments = (
  organization: Stored<Organization>,
  documents: readonly Document[],
): Promise<void> =>
  announceDeletion(
    {
      organizationId: organization.id,
      action: 'DeletedByOrganization',
      announcedIds: organization.announcedIds,
      save: (announcedIds, also) => organizations.change(organization, { announcedIds }, { also }),
    },
    documents,
  );

/** Deletes the folders. Their documents are already deleted, so they need not be emptied one by one. */
async function deleteFolders(organizationId: string): Promise<number> {
  const { ids } = await folderList({ organizationId, only: 'all' }).slice({
    offset: 0,
    limit: ITEMS_PER_RUN,
  });
  for (const folder of await folders.getMany(ids)) {
    // The next run tries again.
    await folders.delete(folder, { also: unlistingFolder(folder) }).catch(ifThrown(RaceLost));
  }
  return ids.length;
}

async function hasPendingDeliveries(organizationId: string): Promise<boolean> {
  for (const { id } of await listWebhooks(webhooks, organizationId)) {
    const page = await listDeliveries(webhooks, id, { state: 'Pending', limit: 1 });
    if ('items' in page && page.items.length > 0) return true;
  }
  return false;
}
