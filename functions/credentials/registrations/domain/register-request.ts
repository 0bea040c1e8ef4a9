import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { changeInScope } from '../../flows/domain/change-by-client.ts';
import { type CommitPart, changingItem, creatingItem, requireStep } from '../../flows/domain/change-item.ts';
import { storeFile } from '../../flows/domain/create-item.ts';
import { handingOver } from '../../flows/domain/tasks.ts';
import { takingCode } from '../../items/domain/codes.ts';
import { copyFile } from '../../items/domain/copy-file.ts';
import type { DegreeData, EmissionData, RegistrationData } from '../../items/domain/data.ts';
import { diplomaOfRegistration } from '../../items/domain/files-of.ts';
import { actorOf } from '../../items/domain/history.ts';
import type { Item, ItemFile } from '../../items/domain/item.ts';
import { readUploads, type UploadedXml } from '../../items/domain/xml-files.ts';
import { requireSigning } from '../../tenants/domain/organization.ts';
import { findEmission, registerEmission } from './follow-emission.ts';

export const DIPLOMA = 'diploma';

// One commit: the request and its event, the hand-over of the diploma to the registrar's signers, the code, and of an
// emission the emission with its two events, and the issuer's degree with its event. Every file is in the bucket before.

/**
 * Registers a request. The issuer of its emission gets a degree, which is concluded when the registrar's signers have
 * signed the diploma.
 */
export function registerRequest(
  caller: Caller,
  id: string,
  files: readonly UploadedXml[] | undefined,
  nowMs: number,
): Promise<Item<RegistrationData>> {
  const degreeId = randomUUID();
  return changeInScope<RegistrationData>(caller, { kind: 'registration', id }, async (request) => {
    const event = 'registered';
    requireStep(request, event);
    await requireSigning(caller, request.instituteId, 'Registradora');
    const others = request.files.filter(({ name }) => name !== DIPLOMA);
    const patch = { files: [await storeDiploma(request, files), ...others] };
    const change = await changingItem(request, { event, patch, by: actorOf(caller) }, nowMs);
    const emission = await findEmission(request);
    const parts = emission
      ? await grantDegree(emission, change.after, degreeId, nowMs)
      : [codeFor(request, { kind: 'registration', id })];
    return [change, handingOver(request), ...parts];
  });
}

/** The diploma of this call, or that of the request's creation, or one that is written of the fields. */
async function storeDiploma(
  request: Item<RegistrationData>,
  uploads: readonly UploadedXml[] | undefined,
): Promise<ItemFile> {
  const earlier = request.files.find(({ name }) => name === DIPLOMA);
  if (earlier && !uploads) return earlier;
  const [xml = diplomaOfRegistration(request.data)] = uploads
    ? await readUploads('registration', uploads)
    : [];
  return storeFile(request, xml);
}

const codeFor = (
  { data: { verificationCode } }: Item<RegistrationData>,
  item: Parameters<typeof takingCode>[1],
): CommitPart => ({ writes: [takingCode(verificationCode, item)] });

/** The degree of the issuer, and the emission that names it. The diploma is not signed twice: it goes to no signers here. */
async function grantDegree(
  emission: Stored<Item<EmissionData>>,
  request: Item<RegistrationData>,
  id: string,
  nowMs: number,
): Promise<CommitPart[]> {
  const registered = await registerEmission(emission, request, id, nowMs);
  const degree = { kind: 'degree', id } as const;
  const files = [
    await copyFile(request, DIPLOMA, degree),
    await copyFile(emission, 'academic-documentation', degree),
  ];
  const { organizationId, instituteId } = emission;
  const data = degreeDataOf(request, emission.id);
  const { searchable } = request;
  const created = await creatingItem<DegreeData>(
    { ...degree, organizationId, instituteId, searchable, files, data },
    nowMs,
  );
  return [registered, created, codeFor(request, degree)];
}

function degreeDataOf({ data, instituteId }: Item<RegistrationData>, emissionId: string): DegreeData {
  const { studentName, studentSocialName, studentCpf, course, version } = data;
  const { issuingIes, registeringIes, verificationCode } = data;
  return {
    ...{ studentName, studentSocialName, studentCpf, course, version },
    ...{ issuingIes, registeringIes, verificationCode, emissionId },
    registeringInstituteId: instituteId,
    academicTranscriptCreationError: null,
    transcriptId: null,
  };
}
