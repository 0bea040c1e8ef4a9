import type { BiometricProvider, KeptFace } from './providers/provider.ts';
import { type Subject, subjectById, subjectIds, subjects, subjectsOf } from './subjects.ts';

/** A face at the provider, and whose it is. One that nobody has was left by a try that broke off. */
export type ListedFace = KeptFace & { readonly subject: Subject | undefined };

/** What the provider has of an application, and whose each is; and the subjects whose face it has no more. */
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
 * Forgets a face, and the subject that has it: at the provider first, so that what is still told of can still be
 * deleted. Gives whose it was; nothing where it was nobody's.
 */
export async function forgetFace(
  provider: BiometricProvider,
  application: string,
  { face, subjectId }: KeptFace,
): Promise<Subject | undefined> {
  await provider.forget(application, face);
  const subject = await subjectById(subjectId);
  if (subject?.application !== application || subject.face !== face) return undefined;
  const pointer = await subjectIds.get(subjectId);
  await subjects.delete(subject, { also: pointer ? [subjectIds.deleting(pointer)] : [] });
  return subject;
}
