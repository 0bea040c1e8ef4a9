import { ifThrown } from '../../../../shared/errors/expected.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import { type Document, documentItems } from '../document/document.ts';
import { locate } from '../document/location.ts';
import { isActiveFolder } from '../places/folder.ts';
import { isActiveOrganization, type Organization } from '../places/organization.ts';
import { taskMessage } from '../tasks.ts';
import {
  creatingDocument,
  documentOf,
  type NewDocument,
  type NewDocuments,
  recordCreated,
} from './creating-document.ts';

/**
 * Documents to be created that do not fit one transaction: written before the first of them, deleted when all exist
 * and their event is recorded.
 */
export type Creation = NewDocuments & { readonly id: string };

export const creations = collection<Creation, string>({
  service: 'documents',
  name: 'creation',
  id: ({ id }) => id,
  key: (id) => ({ pk: `CREATION#${id}`, sk: 'CREATION' }),
});

// One call may create more documents than one transaction holds (saga):
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
// Every document is created only while its creation exists, so a slow runner creates none either. The folder and the
// organization are looked at once a run: documents that are created in a deleted place go with the last check of its
// deletion (removal/last-check.ts).

/** Creates the announced documents. Running it twice does no harm. */
export async function runCreation(creationId: string): Promise<'made' | 'gone'> {
  const creation = await creations.get(creationId);
  if (!creation) return 'gone';
  const { folder, organization } = await locate(creation.common);
  const isPlaceOpen =
    isActiveOrganization(organization) && (creation.common.folderId === null || isActiveFolder(folder));
  const made: Document[] = [];
  const unmade: NewDocument[] = [];
  for (const one of creation.documents) {
    const document = { ...documentOf(creation, one), creationId };
    const outcome = isPlaceOpen
      ? await createOnce(document, organization, creation)
      : await findMade(document);
    if (outcome === 'creation-gone') return 'gone';
    if (outcome === 'there') made.push(document);
    else unmade.push(one);
  }
  await finishCreation(creation, made, unmade);
  return 'made';
}

/** A document created before its place was deleted may have been moved to another folder since. */
const findMade = async ({ id }: Document): Promise<'there' | 'place-gone'> =>
  (await documentItems.get(id)) ? 'there' : 'place-gone';

/** Creates the document unless it exists. */
async function createOnce(
  document: Document,
  organization: Organization | undefined,
  creation: Stored<Creation>,
): Promise<'there' | 'creation-gone'> {
  try {
    await commit([...creatingDocument(document, { organization }), creations.unchanged(creation)]);
    return 'there';
  } catch (error) {
    if (error instanceof AlreadyExists) return 'there';
    if (!(error instanceof RaceLost)) throw error;
    return 'creation-gone';
  }
}

async function finishCreation(
  creation: Stored<Creation>,
  made: readonly Document[],
  unmade: readonly NewDocument[],
) {
  const left = unmade.flatMap(({ original, attachments }) =>
    [original, ...attachments].map(({ key }) => key),
  );
  const recorded = await recordCreated(made, await locate(creation.common));
  const removal = left.length > 0 ? [taskMessage({ task: 'removeFiles', keys: left })] : [];
  // Another runner may have finished it, with the same events.
  await creations.delete(creation, { also: [...recorded.writes, ...removal] }).catch(ifThrown(RaceLost));
}
