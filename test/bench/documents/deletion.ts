import { createOrganization } from '../../../functions/documents/domain/places/organization-roster.ts';
import { ORGANIZATION_ID } from '../../../functions/sandbox/sandbox-data.ts';
import { joinEngine } from '../../infra/local/engine/crowd.ts';
import { cleanUp } from '../../infra/local/engine/engine-process.ts';
import { fill, folderOf } from '../../infra/local/engine/kills/bulk-documents.ts';
import {
  deadTasks,
  documentsLeft,
  type KillableEngine,
  requestDeletion,
  secondsUntil,
  startKillable,
} from '../../infra/local/engine/kills/killed-work.ts';
import type { Figure } from '../measure/figures.ts';

const FOLDER_DOCUMENTS = 5_000;
const ORGANIZATION_DOCUMENTS = 20_000;
const KILLS = 5;
const GIVE_UP_SECONDS = 3_600;

/** Large deletions by an engine that is killed on the way, and that stops functions that are not declared recursive. */
export async function figures(): Promise<Figure[]> {
  process.env.Log__Level = 'ERROR';
  const engine = await startKillable();
  try {
    // All is made before the first kill: this process knows the stores of the first engine.
    joinEngine(engine.dataDir);
    const owner = { id: 'owner', name: 'Owner' };
    const { id } = await createOrganization({ name: 'Large', identifier: null, owner }, Date.now());
    const folderId = await folderOf(ORGANIZATION_ID, FOLDER_DOCUMENTS);
    await fill(id, ORGANIZATION_DOCUMENTS);
    return [
      await deletionFigure(engine, `folders/${folderId}`, { folderId }, FOLDER_DOCUMENTS),
      await deletionFigure(
        engine,
        `admin/organizations/${id}`,
        { organizationId: id },
        ORGANIZATION_DOCUMENTS,
      ),
    ];
  } finally {
    await cleanUp();
  }
}

type Place = Parameters<typeof documentsLeft>[1];

/** Kills the engine each time another part of the documents is deleted. */
async function deletionFigure(
  engine: KillableEngine,
  path: string,
  place: Place,
  documents: number,
): Promise<Figure> {
  const startedAt = performance.now();
  const fewerThan = (count: number) => async () => (await documentsLeft(engine, place)) < count;
  await requestDeletion(engine, path);
  for (let kill = 1; kill <= KILLS; kill++) {
    const left = documents * (1 - kill / (KILLS + 1));
    await secondsUntil(fewerThan(left), GIVE_UP_SECONDS);
    await engine.killAndRestart();
  }
  await secondsUntil(fewerThan(1), GIVE_UP_SECONDS);
  const [left, dead] = [await documentsLeft(engine, place), await deadTasks(engine)];
  const seconds = (performance.now() - startedAt) / 1000;
  const what = 'folderId' in place ? 'a folder' : 'an organization';
  return {
    name: `deleting ${what} of ${documents} documents, the engine killed ${KILLS} times: documents and dead letters left`,
    ratio: left + dead,
    promised: { atMost: 0 },
    detail: `${seconds.toFixed(0)} s with the restarts`,
  };
}
