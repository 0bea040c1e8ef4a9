import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { errors } from '../../errors.ts';
import { commitCreated, preparingItem } from '../../flows/domain/create-item.ts';
import { startingTask } from '../../flows/domain/tasks.ts';
import type { InspectionFileData } from '../../items/domain/data.ts';
import { actorOf } from '../../items/domain/history.ts';
import type { Item } from '../../items/domain/item.ts';
import { requireSigning } from '../../tenants/domain/organization.ts';

const DATE_LENGTH = '2026-03-02'.length;

/**
 * Creates an inspection file of an institute over a period of whole days in UTC. A task writes its XML, because a period
 * may have tens of thousands of degrees.
 */
export async function createInspectionFile(
  caller: Caller,
  instituteId: string,
  {
    type,
    startDate,
    endDate,
    version,
  }: Pick<InspectionFileData, 'type' | 'startDate' | 'endDate' | 'version'>,
  nowMs: number,
): Promise<Item<InspectionFileData>> {
  const institute = await requireSigning(
    caller,
    instituteId,
    type === 'Issuer' ? 'Emissora' : 'Registradora',
  );
  const today = new Date(nowMs).toISOString().slice(0, DATE_LENGTH);
  if (startDate > endDate || endDate > today)
    throw errors.refuse('InvalidPeriod', { startDate, endDate, today });
  const { organizationId, emecCode: iesCode, name } = institute;
  const id = randomUUID();
  const data: InspectionFileData = {
    ...{ type, iesCode, inspectedDegreesNumber: 0, startDate, endDate, version, details: null },
  };
  const created = await preparingItem<InspectionFileData>(
    {
      ...{ kind: 'inspectionFile', id, organizationId, instituteId: institute.id, data },
      searchable: { text: `${name} ${iesCode} ${startDate} ${endDate}`, course: null },
      createdBy: actorOf(caller),
      xml: [],
    },
    nowMs,
  );
  return commitCreated(created, [startingTask('generate', created.after)]);
}
