import {
  type CreateDegreeRequest,
  createDegree,
} from '../../../../functions/credentials/degrees/domain/degrees.ts';
import { changingItem, commitChanges } from '../../../../functions/credentials/flows/domain/change-item.ts';
import type { DegreeData } from '../../../../functions/credentials/items/domain/data.ts';
import { type Item, items } from '../../../../functions/credentials/items/domain/item.ts';
import { KINDS } from '../../../../functions/credentials/items/domain/kinds.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import type { Tenant } from './own-tenant.ts';

export const STUDIES = {
  studentName: 'Maria da Silva',
  studentSocialName: null,
  studentCpf: '52998224725',
  course: 'Engenharia Civil',
  version: '1.05',
} as const;

/** A degree in Created. */
export const aDegree = (
  { caller, institute }: Pick<Tenant, 'caller' | 'institute'>,
  request: Partial<CreateDegreeRequest> = {},
  nowMs = Date.now(),
): Promise<Item<DegreeData>> =>
  createDegree(caller, { ...STUDIES, instituteId: institute.id, ...request }, nowMs);

/** The item as it is in the store. */
export async function stored<Data extends object>({
  kind,
  id,
}: Pick<Item, 'kind' | 'id'>): Promise<Stored<Item<Data>>> {
  const found = await items.get({ kind, id });
  if (!found) throw new Error(`There is no ${kind} ${id}.`);
  return found as Stored<Item<Data>>;
}

/** Moves an item as its last signature does, all files signed. */
export async function signed<Data extends object>(item: Item<Data>, atMs = Date.now()): Promise<Item<Data>> {
  const files = item.files.map((file) => ({
    ...file,
    signed: { sha256: file.sha256, length: file.length, atMs },
  }));
  const event = KINDS[item.kind].signedEvent ?? '';
  const change = await changingItem(await stored<Data>(item), { event, patch: { files } }, atMs);
  await commitChanges([change]);
  return change.after;
}
