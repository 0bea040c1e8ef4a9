import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { createItem } from '../../flows/domain/create-item.ts';
import type { CancellationListData } from '../../items/domain/data.ts';
import { filesOfCancellationList } from '../../items/domain/files-of.ts';
import { actorOf } from '../../items/domain/history.ts';
import type { Item } from '../../items/domain/item.ts';
import { settings } from '../../settings.ts';
import { requireSigning } from '../../tenants/domain/organization.ts';
import { readNextList } from './annulments.ts';

// A degree takes at most some 270 bytes of the XML: its code has 38 at most, the longest reason 45.
const BYTES_PER_DEGREE = 300;

/** More degrees than one file may have go on to the next list. */
const maxDegrees = (): number => Math.max(1, Math.floor(settings['Xml:MaxBytes'] / BYTES_PER_DEGREE));

/**
 * Creates the next list of an institute: the degrees that it registered and that were annulled since the list before. A
 * list without any is a list as well, because the next update has a date.
 */
export async function createCancellationList(
  caller: Caller,
  instituteId: string,
  { version }: Pick<CancellationListData, 'version'>,
  nowMs: number,
): Promise<Item<CancellationListData>> {
  const institute = await requireSigning(caller, instituteId, 'Registradora');
  const { emecCode: iesCode, name: iesName, organizationId } = institute;
  const maximumNextUpdateDate = new Date(
    nowMs + settings['CancellationLists:NextUpdate'] * 1000,
  ).toISOString();
  // Nobody else writes files under this id: an attempt that lost the race is overwritten by the next.
  const id = randomUUID();
  return retryOnConflict(async () => {
    const { sequenceNumber, annulled, closing } = await readNextList(institute.id, maxDegrees());
    const data: CancellationListData = {
      ...{ iesCode, iesName, sequenceNumber, version, maximumNextUpdateDate },
      annulledDegreesNumber: annulled.length,
    };
    return createItem<CancellationListData>(
      {
        ...{ kind: 'cancellationList', id, organizationId, instituteId: institute.id, data },
        searchable: { text: `${iesName} ${iesCode} ${sequenceNumber}`, course: null },
        createdBy: actorOf(caller),
        xml: filesOfCancellationList(data, annulled),
        also: [closing],
      },
      nowMs,
    );
  });
}
