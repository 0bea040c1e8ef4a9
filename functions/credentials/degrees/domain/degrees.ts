import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { Refusal } from '../../../../shared/errors/errors.ts';
import type { Change } from '../../flows/domain/change-item.ts';
import { commitCreated, preparingItem } from '../../flows/domain/create-item.ts';
import { registeredElsewhere } from '../../inspection-files/domain/registered-elsewhere.ts';
import { takingCode } from '../../items/domain/codes.ts';
import type { DegreeData, TranscriptData } from '../../items/domain/data.ts';
import { filesOfDegree } from '../../items/domain/files-of.ts';
import { actorOf } from '../../items/domain/history.ts';
import type { Item } from '../../items/domain/item.ts';
import { newVerificationCode } from '../../items/domain/verification-code.ts';
import { readUploads, type UploadedXml } from '../../items/domain/xml-files.ts';
import {
  type Institute,
  requireInstitute,
  requireKind,
  requireSigning,
} from '../../tenants/domain/organization.ts';
import { preparingTranscript, type TranscriptOptions } from '../../transcripts/domain/transcripts.ts';

export type CreateDegreeRequest = Pick<
  DegreeData,
  'studentName' | 'studentSocialName' | 'studentCpf' | 'course' | 'version'
> & {
  readonly instituteId: string;
  /** The registering institution, where it is another one than the issuer. */
  readonly registeringInstituteId?: string | undefined;
  /** The client's own files, `diploma` and `academic-documentation`. Without them they are written of the fields. */
  readonly files?: readonly UploadedXml[] | undefined;
  /** The transcript to create with it. */
  readonly academicTranscript?:
    | { readonly type: TranscriptData['type']; readonly files?: readonly UploadedXml[] | undefined }
    | undefined;
};

type Created = { readonly degree: Change<DegreeData>; readonly others: readonly Change<object>[] };

type Preparation = {
  /** A line of a batch chooses the id, so that it is created once: AlreadyExists where it is taken. */
  readonly id?: string;
  /** When the files go to their signers, where that is not at once. */
  readonly handOverAtMs?: number | undefined;
};

/**
 * A degree of an organization that issues and registers, with its files in the bucket and the transcript that it asks
 * for, for a commit.
 */
export async function preparingDegree(
  caller: Caller,
  request: CreateDegreeRequest,
  nowMs: number,
  { id = randomUUID(), handOverAtMs }: Preparation = {},
): Promise<Created> {
  const issuer = await requireSigning(caller, request.instituteId, 'Emissora');
  const registrar = request.registeringInstituteId
    ? await requireInstitute(caller, request.registeringInstituteId)
    : issuer;
  await requireKind(registrar.organizationId, 'Registradora');
  const xml = request.files && (await readUploads('degree', request.files));
  const transcript = await prepareTranscript(issuer, request, nowMs, {
    ...{ handOverAtMs, createdBy: actorOf(caller) },
  });
  const data = dataOf(request, { issuer, registrar, transcript });
  const { studentName, studentCpf, course, verificationCode } = data;
  const degree = await preparingItem<DegreeData>(
    {
      ...{ kind: 'degree', id, organizationId: issuer.organizationId, instituteId: issuer.id, data },
      searchable: { text: `${studentName} ${studentCpf} ${verificationCode}`, course },
      createdBy: actorOf(caller),
      xml: xml ?? filesOfDegree(data),
      handOverAtMs,
      also: [
        takingCode(verificationCode, { kind: 'degree', id }),
        ...(registrar.organizationId === issuer.organizationId
          ? []
          : registeredElsewhere(registrar.id).changing(undefined, { id, atMs: nowMs })),
      ],
    },
    nowMs,
  );
  return { degree, others: transcript.change ? [transcript.change] : [] };
}

/** Creates a degree, and hands both of its files to the signers. */
export async function createDegree(
  caller: Caller,
  request: CreateDegreeRequest,
  nowMs: number,
): Promise<Item<DegreeData>> {
  const { degree, others } = await preparingDegree(caller, request, nowMs);
  return commitCreated(degree, others);
}

type Transcript = { readonly change?: Change<TranscriptData>; readonly error: string | null };

/** A degree is created although its transcript cannot be. */
async function prepareTranscript(
  issuer: Institute,
  { academicTranscript, ...fields }: CreateDegreeRequest,
  nowMs: number,
  options: TranscriptOptions,
): Promise<Transcript> {
  if (!academicTranscript) return { error: null };
  try {
    const change = await preparingTranscript(
      issuer,
      { ...fields, files: undefined, ...academicTranscript },
      nowMs,
      options,
    );
    return { change, error: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { file, reason } = error.details ?? {};
    return { error: reason === undefined ? error.message : `${error.message} ${file} ${reason}.` };
  }
}

function dataOf(
  { studentName, studentSocialName, studentCpf, course, version }: CreateDegreeRequest,
  {
    issuer,
    registrar,
    transcript,
  }: { readonly issuer: Institute; readonly registrar: Institute; readonly transcript: Transcript },
): DegreeData {
  return {
    ...{ studentName, studentSocialName, studentCpf, course, version },
    issuingIes: issuer.name,
    registeringIes: registrar.name,
    registeringInstituteId: registrar.id,
    verificationCode: newVerificationCode(issuer.emecCode, registrar.emecCode),
    academicTranscriptCreationError: transcript.error,
    transcriptId: transcript.change?.after.id ?? null,
    emissionId: null,
  };
}
