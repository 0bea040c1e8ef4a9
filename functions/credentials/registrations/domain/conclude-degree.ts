import { type CommitPart, changingItem } from '../../flows/domain/change-item.ts';
import { restampFileMessage } from '../../flows/domain/tasks.ts';
import { copyFile } from '../../items/domain/copy-file.ts';
import type { EmissionData, RegistrationData } from '../../items/domain/data.ts';
import { type Item, items } from '../../items/domain/item.ts';
import { KINDS } from '../../items/domain/kinds.ts';
import { findEmission, followRequest } from './follow-emission.ts';
import { DIPLOMA } from './register-request.ts';

/**
 * What the signature of a request changes besides: the emission has its status, and the issuer's degree has the signed
 * diploma and is concluded.
 */
export async function concludeDegree(signed: Item, nowMs: number): Promise<CommitPart[]> {
  const request = signed as Item<RegistrationData>;
  const emission = await findEmission(request);
  if (!emission) return [];
  const followed = await followRequest(emission, request, 'signed', nowMs);
  return [followed, ...(await concluding(emission, request, nowMs))];
}

/** A degree that the issuer has annulled meanwhile stays as it is. */
async function concluding(
  { data: { degreeId } }: Item<EmissionData>,
  request: Item<RegistrationData>,
  nowMs: number,
): Promise<CommitPart[]> {
  const degree = degreeId === null ? undefined : await items.get({ kind: 'degree', id: degreeId });
  const event = 'concluded';
  if (!degree || !KINDS.degree.states.accepts(degree.state, event)) return [];
  const diploma = await copyFile(request, DIPLOMA, degree);
  const files = degree.files.map((file) => (file.name === DIPLOMA ? diploma : file));
  return [await changingItem(degree, { event, patch: { files } }, nowMs), watchTimestamps(degree, nowMs)];
}

/** Its files came signed, and no look at documents has found when their timestamps expire: a task does. */
const watchTimestamps = (degree: Item, nowMs: number): CommitPart => ({
  writes: degree.files.map(({ name }) => restampFileMessage(degree, name, nowMs)),
});
