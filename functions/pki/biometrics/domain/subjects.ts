import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { eachItem } from '../../../../shared/store/cursor.ts';

/** An enrolled person. `face` is the provider's id of the face; the face itself is not stored. */
export type Subject = {
  readonly application: string;
  readonly identifier: string;
  readonly subjectId: string;
  readonly face: string;
  readonly enrolledAt: string;
};

type SubjectKey = Pick<Subject, 'application' | 'identifier'>;

const partition = (application: string): string => `SUBJECTS#${application}`;

export const subjects = collection<Subject, SubjectKey>({
  service: 'pki',
  name: 'subject',
  id: ({ application, identifier }) => ({ application, identifier }),
  key: ({ application, identifier }) => ({ pk: partition(application), sk: identifier }),
});

/** Subjects by id: the only name by which providers know them. */
export const subjectIds = collection<SubjectKey & Pick<Subject, 'subjectId'>, string>({
  service: 'pki',
  name: 'subject id',
  id: ({ subjectId }) => subjectId,
  key: (subjectId) => ({ pk: `SUBJECT#${subjectId}`, sk: 'SUBJECT' }),
});

/** The subject of an id, if it is still enrolled. */
export async function subjectById(subjectId: string): Promise<Stored<Subject> | undefined> {
  const pointer = await subjectIds.get(subjectId);
  const subject = pointer && (await subjects.get(pointer));
  return subject?.subjectId === subjectId ? subject : undefined;
}

/** All subjects of an application, by identifier. @example for await (const { face } of subjectsOf('acme')) … */
export const subjectsOf = (application: string): AsyncGenerator<Stored<Subject>> =>
  eachItem(subjects, { pk: partition(application) });
