import type * as z from 'zod';
import type { Caller } from '../../../../../shared/access/caller.ts';
import { CreateCancellationList } from '../../../cancellation-lists/contract.ts';
import { createCancellationList } from '../../../cancellation-lists/domain/create-cancellation-list.ts';
import { CreateCurriculum } from '../../../curriculums/contract.ts';
import { createCurriculum } from '../../../curriculums/domain/curriculums.ts';
import { CreateDegree } from '../../../degrees/contract.ts';
import { createDegree } from '../../../degrees/domain/degrees.ts';
import { CreateEmission } from '../../../emissions/contract.ts';
import { createEmission } from '../../../emissions/domain/emissions.ts';
import { CreateInspectionFile } from '../../../inspection-files/contract.ts';
import { createInspectionFile } from '../../../inspection-files/domain/create-inspection-file.ts';
import type { Item } from '../../../items/domain/item.ts';
import type { KindName } from '../../../items/domain/kinds.ts';
import { Id } from '../../../items/shapes.ts';
import { INSPECTION_TYPES, TRANSCRIPT_TYPES } from '../../../items/vocabulary.ts';
import { CreateRegistration } from '../../../registrations/contract.ts';
import { createRegistration } from '../../../registrations/domain/registrations.ts';
import { CreateTranscript } from '../../../transcripts/contract.ts';
import { createTranscript } from '../../../transcripts/domain/transcripts.ts';

/** A field of a form, by its name in the contract. */
export type FormField = {
  readonly name: string;
  readonly kind: 'line' | 'cpf' | 'date' | 'note' | 'institute' | 'choice';
  readonly isOptional?: boolean;
  /** Of a choice. */
  readonly values?: readonly string[];
};

/** How a kind is created: the fields of its form, and the operation that the API has for it. */
type Creation = {
  readonly fields: readonly FormField[];
  /** Whether the institution may send its own XML files. */
  readonly takesFiles: boolean;
  /** Runs the operation with the body, which is read by the contract of the API. */
  readonly run: (caller: Caller, body: object, nowMs: number) => Promise<Item>;
  readonly schema: z.ZodType;
};

const creation = <Body>(
  schema: z.ZodType<Body>,
  run: (caller: Caller, body: Body, nowMs: number) => Promise<Item>,
  fields: readonly FormField[],
  takesFiles = true,
): Creation => ({ schema, run: run as Creation['run'], fields, takesFiles });

const INSTITUTE: FormField = { name: 'instituteId', kind: 'institute' };
const COURSE: FormField = { name: 'course', kind: 'line' };
const STUDIES: readonly FormField[] = [
  { name: 'studentName', kind: 'line' },
  { name: 'studentSocialName', kind: 'line', isOptional: true },
  { name: 'studentCpf', kind: 'cpf' },
  COURSE,
];

/** The kinds that a form creates. A restamp is asked for at each signed file. */
export type CreatedKind = Exclude<KindName, 'restamp'>;

export const CREATIONS: Readonly<Record<CreatedKind, Creation>> = {
  degree: creation(CreateDegree, createDegree, [
    ...STUDIES,
    INSTITUTE,
    { name: 'registeringInstituteId', kind: 'institute', isOptional: true },
    { name: 'academicTranscript', kind: 'choice', isOptional: true, values: TRANSCRIPT_TYPES },
  ]),
  emission: creation(CreateEmission, createEmission, [...STUDIES, INSTITUTE]),
  registration: creation(CreateRegistration, createRegistration, [
    ...STUDIES,
    INSTITUTE,
    { name: 'issuingIes', kind: 'line' },
    { name: 'issuingIesCode', kind: 'line' },
    { name: 'description', kind: 'note', isOptional: true },
  ]),
  transcript: creation(CreateTranscript, createTranscript, [
    ...STUDIES,
    INSTITUTE,
    { name: 'type', kind: 'choice', values: TRANSCRIPT_TYPES },
  ]),
  curriculum: creation(CreateCurriculum, createCurriculum, [
    { name: 'code', kind: 'line' },
    COURSE,
    INSTITUTE,
  ]),
  // The path of the API names the institute of these two; a form has it as a field.
  cancellationList: creation(
    CreateCancellationList.extend({ instituteId: Id }),
    (caller, { instituteId, ...body }, nowMs) => createCancellationList(caller, instituteId, body, nowMs),
    [INSTITUTE],
    false,
  ),
  inspectionFile: creation(
    CreateInspectionFile.extend({ instituteId: Id }),
    (caller, { instituteId, ...body }, nowMs) => createInspectionFile(caller, instituteId, body, nowMs),
    [
      INSTITUTE,
      { name: 'type', kind: 'choice', values: INSPECTION_TYPES },
      { name: 'startDate', kind: 'date' },
      { name: 'endDate', kind: 'date' },
    ],
    false,
  ),
};
