import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import type { NewItem } from '../../flows/domain/change-item.ts';
import { createItem } from '../../flows/domain/create-item.ts';
import type { RegistrationData } from '../../items/domain/data.ts';
import { actorOf } from '../../items/domain/history.ts';
import type { Item } from '../../items/domain/item.ts';
import { newVerificationCode } from '../../items/domain/verification-code.ts';
import { readUploads, type UploadedXml } from '../../items/domain/xml-files.ts';
import { type Institute, requireSigning } from '../../tenants/domain/organization.ts';

type RequestFields = Omit<RegistrationData, 'registeringIes' | 'verificationCode'>;

/** A registration request, whichever way it came: by its registrar, or of an emission that is sent to it. */
export function requestOf(
  registrar: Institute,
  id: string,
  fields: RequestFields,
): Omit<NewItem<RegistrationData>, 'files'> {
  const verificationCode = newVerificationCode(fields.issuingIesCode, registrar.emecCode);
  const { studentName, studentCpf, course } = fields;
  return {
    ...{ kind: 'registration', id, organizationId: registrar.organizationId, instituteId: registrar.id },
    searchable: { text: `${studentName} ${studentCpf} ${verificationCode}`, course },
    data: { ...fields, registeringIes: registrar.name, verificationCode },
  };
}

export type CreateRegistrationRequest = Omit<RequestFields, 'emissionId'> & {
  /** The registrar's institute. */
  readonly instituteId: string;
  /** The client's own file, `diploma`. Without it one comes with `registered`, or is written of the fields then. */
  readonly files?: readonly UploadedXml[] | undefined;
};

/** Creates a request of a registrar for the diploma of an issuer that is not here. Nobody signs before it is registered. */
export async function createRegistration(
  caller: Caller,
  { instituteId, files, ...fields }: CreateRegistrationRequest,
  nowMs: number,
): Promise<Item<RegistrationData>> {
  const registrar = await requireSigning(caller, instituteId, 'Registradora');
  const xml = files ? await readUploads('registration', files) : [];
  const request = requestOf(registrar, randomUUID(), { ...fields, emissionId: null });
  return createItem<RegistrationData>({ ...request, createdBy: actorOf(caller), xml }, nowMs);
}
