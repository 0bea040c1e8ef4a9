import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { changeByClient } from '../../flows/domain/change-by-client.ts';
import { createItem } from '../../flows/domain/create-item.ts';
import { takingCode } from '../../items/domain/codes.ts';
import type { CurriculumData } from '../../items/domain/data.ts';
import { filesOfCurriculum } from '../../items/domain/files-of.ts';
import { actorOf } from '../../items/domain/history.ts';
import type { Item } from '../../items/domain/item.ts';
import { newVerificationCode } from '../../items/domain/verification-code.ts';
import { readUploads, type UploadedXml } from '../../items/domain/xml-files.ts';
import { requireSigning } from '../../tenants/domain/organization.ts';

type CurriculumRequest = Pick<CurriculumData, 'code' | 'course' | 'version'> & {
  readonly instituteId: string;
  /** The client's own file, `curriculum`. Without it one is written of the fields. */
  readonly files?: readonly UploadedXml[] | undefined;
};

/** Creates a curriculum of an institute that issues. */
export async function createCurriculum(
  caller: Caller,
  { instituteId, code, course, version, files }: CurriculumRequest,
  nowMs: number,
): Promise<Item<CurriculumData>> {
  const institute = await requireSigning(caller, instituteId, 'Emissora');
  const id = randomUUID();
  const validationCode = newVerificationCode(institute.emecCode, institute.emecCode);
  const data: CurriculumData = { code, course, iesName: institute.name, version, validationCode };
  return createItem<CurriculumData>(
    {
      kind: 'curriculum',
      id,
      organizationId: institute.organizationId,
      instituteId: institute.id,
      searchable: { text: `${code} ${validationCode}`, course },
      data,
      createdBy: actorOf(caller),
      xml: files ? await readUploads('curriculum', files) : filesOfCurriculum(data),
      also: [takingCode(validationCode, { kind: 'curriculum', id })],
    },
    nowMs,
  );
}

/** Cancels a curriculum. */
export const cancelCurriculum = (
  caller: Caller,
  id: string,
  reason: string,
  nowMs: number,
): Promise<Item<CurriculumData>> =>
  changeByClient(caller, { kind: 'curriculum', id }, { event: 'canceled', reason }, nowMs);
