import type { BiometricProvider, StoredFace } from './providers/provider.ts';
import { type Subject, subjectById, subjectIds, subjects, subjectsOf } from './subjects.ts';

/** A face at the provider, and its subject. A face without a subject is left over from an aborted try. */
export type ListedFace = StoredFace & { readonly subject: Subject | undefined };

/** The faces of an application at the provider, and the subjects whose face is missing there. */
export async function listFaces(
  provider: BiometricProvider,
  application: string,
): Promise<{ readonly faces: readonly ListedFace[]; readonly faceless: readonly Subject[] }> {
  const bySubject = new Map<string, Subject>();
  for await (const subject of subjectsOf(application)) bySubject.set(subject.face, subject);
  const kept = await provider.list(application);
  const faces = kept.map((each) => ({ ...each, subject: bySubject.get(each.face) }));
  const known = new Set(kept.map(({ face }) => face));
  return { faces, faceless: [...bySubject.values()].filter(({ face }) => !known.has(face)) };
}

/**
 * Deletes a face and its subject: at the provider first, so that a face that remains can still be listed and deleted.
 * Returns its subject, if any.
 */
export async function forgetFace(
  provider: BiometricProvider,
  application: string,
  { face, subjectId }: StoredFace,
): Promise<Subject | undefined> {
  await provider.forget(application, face);
  const subject = await subjectById(subjectId);
  if (subject?.application !== application || subject.face !== face) return undefined;
  const pointer = await subjectIds.get(subjectId);
  await subjects.delete(subject, { also: pointer ? [subjectIds.deleting(pointer)] : [] });
  return subject;
}
