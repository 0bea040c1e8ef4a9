import { sendAll } from '../../../../shared/queue/send.ts';
import { documentOwners } from './platform-documents.ts';
import { TASKS_QUEUE, type Task } from './tasks.ts';

/**
 * Has the platform asked about the documents that an event cites. Nothing else of the event is believed or kept:
 * repeated, late, out of order or forged, it leads to the same look. A lost message only means that the sweep looks.
 */
export async function takeEvent(documentIds: readonly string[]): Promise<'accepted' | 'ignored'> {
  const owners = await documentOwners.getMany([...new Set(documentIds)]);
  // A degree has two documents, and one look is for both.
  const tasks = new Map(
    owners.map(({ kind, id }) => [`${kind}:${id}`, { task: 'event', kind, id } satisfies Task]),
  );
  if (tasks.size === 0) return 'ignored';
  await sendAll(
    'credentials',
    TASKS_QUEUE,
    [...tasks.values()].map((body) => ({ body })),
  );
  return 'accepted';
}
