import { randomUUID } from 'node:crypto';
import { collection } from '../../../../shared/store/collection.ts';
import { firstItems } from '../../../../shared/store/cursor.ts';
import { faceIn } from './captures.ts';

/** A face that the sandbox keeps: a word that says whose it is, in the place of a picture. */
type Face = {
  readonly gallery: string;
  readonly face: string;
  readonly subjectId: string;
  readonly likeness: string;
};

const partition = (gallery: string): string => `FACES#${gallery}`;

const faces = collection<Face, Pick<Face, 'gallery' | 'face'>>({
  service: 'sandbox',
  name: 'face',
  id: ({ gallery, face }) => ({ gallery, face }),
  key: ({ gallery, face }) => ({ pk: partition(gallery), sk: face }),
});

// More than anybody enrols on one machine.
const MAX_FACES = 1_000;

const listAll = (gallery: string): Promise<readonly Face[]> =>
  firstItems(faces, { pk: partition(gallery) }, MAX_FACES);

export async function searchFace(capture: string, gallery: string) {
  const likeness = await faceIn(capture);
  if (likeness === undefined) return { verdict: 'noFace' };
  const found = (await listAll(gallery)).filter((face) => face.likeness === likeness);
  return { subjects: found.map(({ subjectId }) => subjectId) };
}

export async function enrolFace(capture: string, gallery: string, subjectId: string) {
  const likeness = await faceIn(capture);
  if (likeness === undefined) return { verdict: 'noFace' };
  const { face } = await faces.create({ gallery, face: randomUUID(), subjectId, likeness });
  return { face };
}

export const listFaces = async (gallery: string) => ({
  faces: (await listAll(gallery)).map(({ face, subjectId }) => ({ face, subjectId })),
});

/** Idempotent. */
export async function forgetFace(gallery: string, face: string) {
  const found = await faces.get({ gallery, face });
  if (found) await faces.delete(found);
  return {};
}
