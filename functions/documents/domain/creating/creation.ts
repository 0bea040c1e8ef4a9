import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { type Recording, recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { settings } from '../../settings.ts';
import { counting, storing } from '../billing/usage.ts';
import { sendRecordedTasks } from '../document/change-document.ts';
import { type Document, documentItems } from '../document/document.ts';
import { listing } from '../document/document-lists.ts';
import { locate } from '../document/location.ts';
import { commonFields } from '../document/notifications.ts';
import { webhooks } from '../document/webhook-engine.ts';
import type { Flow } from '../flow/flow.ts';
import { startFlow } from '../flow/new-flow.ts';
import { type Folder, folders, isActiveFolder } from '../places/folder.ts';
import { isActiveOrganization, organizations } from '../places/organization.ts';
import { taskMessage } from '../tasks.ts';

/** The fields that differ between the documents of a creation. */
export type NewDocument = Pick<Document, 'id' | 'name' | 'original' | 'format' | 'keySecret' | 'attachments'>;

/** Documents to be created: written before the first of them, deleted when all exist and their event is recorded. */
export type Creation = {
  readonly id: string;
  readonly common: Omit<Document, keyof NewDocument | 'creationId' | 'flow' | 'state'> & {
    readonly flow: Flow;
  };
  readonly documents: readonly NewDocument[];
};

export const creations = collection<Creation, string>({
  service: 'documents',
  name: 'creation',
  id: ({ id }) => id,
  key: (id) => ({ pk: `CREATION#${id}`, sk: 'CREATION' }),
});

// One call may create more documents than one write holds:
//
//   announce (uploads taken, task recorded)  |-- document 1 -- document 2 -- ... -- event, creation deleted
//
// After a kill anywhere past the announcement, the recorded task does the rest. A repeated step finds its work done:
// a document is created once because its id is in the announcement.
//
// A document can be deleted before the others of its call are created. The task must not create it again:
//
//   call    |-- document 1 -- killed                                              task |-- the creation is gone
//   delete                       |-- finishes the creation -- document 1 gone --|
//
// Every document is created only while its creation exists, so a slow runner creates none either.

/** Creates the announced documents. Running it twice does no harm. */
export async function runCreation(creationId: string): Promise<'made' | 'gone'> {
  const creation = await creations.get(creationId);
  if (!creation) return 'gone';
  const made: Document[] = [];
  const unmade: NewDocument[] = [];
  for (const one of creation.documents) {
    const document = documentOf(creation, one);
    const outcome = await createOnce(document, creation);
    if (outcome === 'creation-gone') return 'gone';
    if (outcome === 'there') made.push(document);
    else unmade.push(one);
  }
  await finishCreation(creation, made, unmade);
  return 'made';
}

const documentOf = ({ id, common }: Creation, one: NewDocument): Document => ({
  ...common,
  ...one,
  creationId: id,
  state: 'Pending',
  flow: startFlow(common.flow, one.id, common.round, common.createdAtMs),
});

type Outcome = 'there' | 'place-gone' | 'creation-gone';

/** Creates the document unless it exists, or its folder or organization was deleted meanwhile. */
async function createOnce(document: Document, creation: Stored<Creation>): Promise<Outcome> {
  const { id, organizationId, expiresAtMs, createdAtMs } = document;
  const [folder, organization] = await Promise.all([
    findOpenFolder(document),
    organizations.get(organizationId),
  ]);
  if (folder === 'deleted' || !isActiveOrganization(organization)) {
    // A document created before may have been moved to another folder since.
    return (await documentItems.get(id)) ? 'there' : 'place-gone';
  }
  const expiry: Write[] =
    expiresAtMs === null
      ? []
      : [taskMessage({ task: 'expire', documentId: id, expiresAtMs }, { dueAtMs: expiresAtMs })];
  const also: Write[] = [
    creations.unchanged(creation),
    ...listing(undefined, document),
    ...(folder ? [folders.unchanged(folder)] : []),
    ...expiry,
    counting(organizationId, 'Document', createdAtMs),
    storing(organizationId, storedBytes(document)),
  ];
  try {
    await documentItems.create(document, { also });
    return 'there';
  } catch (error) {
    if (error instanceof AlreadyExists) return 'there';
    if (!(error instanceof RaceLost)) throw error;
    return (await creations.get(creation.id)) ? createOnce(document, creation) : 'creation-gone';
  }
}

/** The size of a document's own files, without signed versions. */
export const storedBytes = ({ original, attachments }: Pick<Document, 'original' | 'attachments'>): number =>
  [original, ...attachments].reduce((sum, { size }) => sum + size, 0);

async function findOpenFolder({
  folderId,
}: Pick<Document, 'folderId'>): Promise<Stored<Folder> | undefined | 'deleted'> {
  if (folderId === null) return undefined;
  const folder = await folders.get(folderId);
  return folder && isActiveFolder(folder) ? folder : 'deleted';
}

async function finishCreation(
  creation: Stored<Creation>,
  made: readonly Document[],
  unmade: readonly NewDocument[],
) {
  const left = unmade.flatMap(({ original, attachments }) =>
    [original, ...attachments].map(({ key }) => key),
  );
  const recorded = await recordCreatedNotifications(creation.common.organizationId, made);
  const removal = left.length > 0 ? [taskMessage({ task: 'removeFiles', keys: left })] : [];
  try {
    await creations.delete(creation, { also: [...recorded.writes, ...removal] });
  } catch (error) {
    if (error instanceof RaceLost) return; // Another runner finished it, with the same events.
    throw error;
  }
  await Promise.all([recorded.wake(), sendRecordedTasks(removal)]);
}

/** Events of a bounded number of documents each. All documents of a creation have the same location. */
async function recordCreatedNotifications(
  organizationId: string,
  made: readonly Document[],
): Promise<Recording> {
  const [first] = made;
  if (!first) return recording(webhooks, organizationId, []);
  const location = await locate(first);
  const size = settings.NumberDocumentsPerDocumentsCreatedWebhookRound;
  const rounds = Array.from({ length: Math.ceil(made.length / size) }, (_, n) =>
    made.slice(n * size, (n + 1) * size),
  );
  const events = rounds.map((round) => ({
    type: 'DocumentsCreated',
    data: { documents: round.map((document) => commonFields(document, location)) },
  }));
  return recording(webhooks, organizationId, events);
}
