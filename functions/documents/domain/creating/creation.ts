import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { type Recording, recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { settings } from '../../settings.ts';
import { counting, storing } from '../billing/usage.ts';
import { sendRecorded } from '../document/change-document.ts';
import { type Document, documentItems } from '../document/document.ts';
import { listing } from '../document/document-lists.ts';
import { commonFields } from '../document/notices.ts';
import { surroundingsOf } from '../document/surroundings.ts';
import { webhooks } from '../document/webhook-engine.ts';
import type { Flow } from '../flow/flow.ts';
import { begun } from '../flow/new-flow.ts';
import { type Folder, folders } from '../places/folder.ts';
import { organizations } from '../places/organization.ts';
import { doing } from '../tasks.ts';

/** What one document of a creation has of its own. */
export type NewDocument = Pick<Document, 'id' | 'name' | 'original' | 'format' | 'keySecret' | 'attachments'>;

/** Documents that are to be made: written before the first of them, gone when all are made and told of. */
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

// One call may make more documents than one write holds:
//
//   announce (uploads taken, task recorded)  |-- document 1 -- document 2 -- ... -- told, creation gone
//
// Killed anywhere after the announcement, the recorded task does the rest. Whoever does a step a second time
// finds it done: a document is made once because its id is in the announcement.
//
// A document can be deleted before the others of its call are made. What comes after must not make it again:
//
//   call    |-- document 1 -- killed                                              task |-- the creation is gone
//   delete                       |-- finishes the creation -- document 1 gone --|
//
// Every document is made only while its creation is there, so a runner that lags behind makes none either.

/** Makes what a creation announced. Doing it twice does no harm. */
export async function runCreation(creationId: string): Promise<'made' | 'gone'> {
  const creation = await creations.get(creationId);
  if (!creation) return 'gone';
  const made: Document[] = [];
  const unmade: NewDocument[] = [];
  for (const one of creation.documents) {
    const document = documentOf(creation, one);
    const outcome = await makeOnce(document, creation);
    if (outcome === 'creation-gone') return 'gone';
    if (outcome === 'there') made.push(document);
    else unmade.push(one);
  }
  await finish(creation, made, unmade);
  return 'made';
}

const documentOf = ({ id, common }: Creation, one: NewDocument): Document => ({
  ...common,
  ...one,
  creationId: id,
  state: 'Pending',
  flow: begun(common.flow, one.id, common.round, common.createdAtMs),
});

type Outcome = 'there' | 'place-gone' | 'creation-gone';

/** Makes the document unless it is there. It is not made in a folder or an organization that was deleted meanwhile. */
async function makeOnce(document: Document, creation: Stored<Creation>): Promise<Outcome> {
  const { id, organizationId, expiresAtMs, createdAtMs } = document;
  const [folder, organization] = await Promise.all([folderFor(document), organizations.get(organizationId)]);
  if (folder === 'deleted' || organization?.state !== 'Active') {
    // One that was made before may have been moved to another folder since.
    return (await documentItems.get(id)) ? 'there' : 'place-gone';
  }
  const expiry: Write[] =
    expiresAtMs === null
      ? []
      : [doing({ task: 'expire', documentId: id, expiresAtMs }, { dueAtMs: expiresAtMs })];
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
    return (await creations.get(creation.id)) ? makeOnce(document, creation) : 'creation-gone';
  }
}

/** What a document's own files take, signed versions left out. */
export const storedBytes = ({ original, attachments }: Pick<Document, 'original' | 'attachments'>): number =>
  [original, ...attachments].reduce((sum, { size }) => sum + size, 0);

async function folderFor({
  folderId,
}: Pick<Document, 'folderId'>): Promise<Stored<Folder> | undefined | 'deleted'> {
  if (folderId === null) return undefined;
  const folder = await folders.get(folderId);
  return folder?.state === 'Active' ? folder : 'deleted';
}

async function finish(creation: Stored<Creation>, made: readonly Document[], unmade: readonly NewDocument[]) {
  const left = unmade.flatMap(({ original, attachments }) =>
    [original, ...attachments].map(({ key }) => key),
  );
  const told = await tellingCreated(creation.common.organizationId, made);
  const removal = left.length > 0 ? [doing({ task: 'removeFiles', keys: left })] : [];
  try {
    await creations.delete(creation, { also: [...told.writes, ...removal] });
  } catch (error) {
    if (error instanceof RaceLost) return; // Another runner finished it, with the same events.
    throw error;
  }
  await Promise.all([told.wake(), sendRecorded(removal)]);
}

/** One event for so many documents at most; they are all in one place. */
async function tellingCreated(organizationId: string, made: readonly Document[]): Promise<Recording> {
  const [first] = made;
  if (!first) return recording(webhooks, organizationId, []);
  const surroundings = await surroundingsOf(first);
  const size = settings.NumberDocumentsPerDocumentsCreatedWebhookRound;
  const rounds = Array.from({ length: Math.ceil(made.length / size) }, (_, n) =>
    made.slice(n * size, (n + 1) * size),
  );
  const notices = rounds.map((round) => ({
    type: 'DocumentsCreated',
    data: { documents: round.map((document) => commonFields(document, surroundings)) },
  }));
  return recording(webhooks, organizationId, notices);
}
