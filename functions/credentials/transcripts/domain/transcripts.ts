import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { changeByClient } from '../../flows/domain/change-by-client.ts';
import type { Change } from '../../flows/domain/change-item.ts';
import { commitCreated, preparingItem } from '../../flows/domain/create-item.ts';
import { takingCode } from '../../items/domain/codes.ts';
import type { TranscriptData } from '../../items/domain/data.ts';
import { filesOfTranscript, rootsOfTranscript } from '../../items/domain/files-of.ts';
import { actorOf } from '../../items/domain/history.ts';
import type { Item } from '../../items/domain/item.ts';
import { newVerificationCode } from '../../items/domain/verification-code.ts';
import { readUploads, type UploadedXml } from '../../items/domain/xml-files.ts';
import { type Institute, requireSigning } from '../../tenants/domain/organization.ts';

export type TranscriptRequest = Pick<
  TranscriptData,
  'studentName' | 'studentSocialName' | 'studentCpf' | 'course' | 'version' | 'type'
> & {
  /** The client's own file, `transcript`. Without it one is written of the fields. */
  readonly files?: readonly UploadedXml[] | undefined;
};

export type TranscriptOptions = {
  readonly createdBy: string;
  /** When its file goes to the signers, where that is not at once. */
  readonly handOverAtMs?: number | undefined;
};

/** A transcript for a commit: of its own, or with the degree that it belongs to. */
export async function preparingTranscript(
  institute: Institute,
  { files, ...fields }: TranscriptRequest,
  nowMs: number,
  { createdBy, handOverAtMs }: TranscriptOptions,
): Promise<Change<TranscriptData>> {
  const { studentName, studentSocialName, studentCpf, course, version, type } = fields;
  const id = randomUUID();
  const verificationCode = newVerificationCode(institute.emecCode, institute.emecCode);
  const data: TranscriptData = {
    ...{ studentName, studentSocialName, studentCpf, course, version, type, verificationCode },
    issuingIes: institute.name,
  };
  return preparingItem<TranscriptData>(
    {
      kind: 'transcript',
      id,
      organizationId: institute.organizationId,
      instituteId: institute.id,
      searchable: { text: `${studentName} ${studentCpf} ${verificationCode}`, course },
      data,
      xml: files ? await readUploads('transcript', files, rootsOfTranscript(type)) : filesOfTranscript(data),
      also: [takingCode(verificationCode, { kind: 'transcript', id })],
      ...{ createdBy, handOverAtMs },
    },
    nowMs,
  );
}

/** Creates a transcript of an institute that issues. */
export async function createTranscript(
  caller: Caller,
  { instituteId, ...request }: TranscriptRequest & { readonly instituteId: string },
  nowMs: number,
): Promise<Item<TranscriptData>> {
  const institute = await requireSigning(caller, instituteId, 'Emissora');
  return commitCreated(await preparingTranscript(institute, request, nowMs, { createdBy: actorOf(caller) }));
}

type TranscriptChange = {
  readonly event: 'canceled' | 'canceledTemporarily' | 'restored';
  readonly reason: string;
};

/** Cancels, suspends or restores a transcript. */
export const changeTranscript = (
  caller: Caller,
  id: string,
  change: TranscriptChange,
  nowMs: number,
): Promise<Item<TranscriptData>> => changeByClient(caller, { kind: 'transcript', id }, change, nowMs);
