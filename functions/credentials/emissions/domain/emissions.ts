import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { createItem } from '../../flows/domain/create-item.ts';
import type { EmissionData } from '../../items/domain/data.ts';
import { filesOfEmission } from '../../items/domain/files-of.ts';
import { actorOf } from '../../items/domain/history.ts';
import type { Item } from '../../items/domain/item.ts';
import { readUploads, type UploadedXml } from '../../items/domain/xml-files.ts';
import { requireSigning } from '../../tenants/domain/organization.ts';

export type CreateEmissionRequest = Pick<
  EmissionData,
  'studentName' | 'studentSocialName' | 'studentCpf' | 'course' | 'version'
> & {
  readonly instituteId: string;
  /** The client's own file, `academic-documentation`. Without it one is written of the fields. */
  readonly files?: readonly UploadedXml[] | undefined;
};

/** Creates an emission of an institute that issues, and hands its file to the signers. */
export async function createEmission(
  caller: Caller,
  { instituteId, files, ...fields }: CreateEmissionRequest,
  nowMs: number,
): Promise<Item<EmissionData>> {
  const issuer = await requireSigning(caller, instituteId, 'Emissora');
  const xml = files && (await readUploads('emission', files));
  const { studentName, studentSocialName, studentCpf, course, version } = fields;
  const data: EmissionData = {
    ...{ studentName, studentSocialName, studentCpf, course, version },
    issuingIes: issuer.name,
    ...{ registrarInstituteId: null, registrationId: null, registrationStatus: null },
    ...{ registrationCancellationReason: null, degreeId: null },
  };
  return createItem<EmissionData>(
    {
      ...{ kind: 'emission', id: randomUUID(), data },
      ...{ organizationId: issuer.organizationId, instituteId: issuer.id },
      searchable: { text: `${studentName} ${studentCpf}`, course },
      createdBy: actorOf(caller),
      xml: xml ?? filesOfEmission(data),
    },
    nowMs,
  );
}
