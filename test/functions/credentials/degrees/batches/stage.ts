import { Readable } from 'node:stream';
import {
  type DegreeBatch,
  degreeIdOf,
  requireBatch,
} from '../../../../../functions/credentials/degrees/batches/domain/batch.ts';
import { createBatch } from '../../../../../functions/credentials/degrees/batches/domain/create-batch.ts';
import {
  listErrors,
  listLines,
} from '../../../../../functions/credentials/degrees/batches/domain/read-batch.ts';
import {
  type RunOptions,
  runBatch,
} from '../../../../../functions/credentials/degrees/batches/domain/run-batch.ts';
import { readLine } from '../../../../../functions/credentials/degrees/batches/read-line.ts';
import type { DegreeData } from '../../../../../functions/credentials/items/domain/data.ts';
import { type Item, items } from '../../../../../functions/credentials/items/domain/item.ts';
import { itemList } from '../../../../../functions/credentials/items/domain/item-lists.ts';
import { logger } from '../../../../../shared/log/logger.ts';
import { keyOf, ownTenant } from '../../items/own-tenant.ts';

export type Stage = Awaited<ReturnType<typeof ownStage>>;

/** An organization with an institute, and a caller and a key that are scoped to it alone. */
export async function ownStage() {
  const tenant = await ownTenant();
  const { organizationId, caller } = tenant;
  const { id: instituteId } = tenant.institute;
  const degree = (n: number, fields: object = {}): object => ({
    studentName: `Aluno ${n}`,
    studentCpf: '52998224725',
    course: 'Engenharia Civil',
    instituteId,
    ...fields,
  });
  return { organizationId, instituteId, caller, degree, headers: await keyOf(tenant) };
}

/** Objects as lines of JSON; texts and bytes as they are. */
export const fileOf = (lines: readonly (object | string | Buffer)[]): Buffer =>
  Buffer.concat(
    lines.flatMap((line) => [
      Buffer.isBuffer(line) ? line : Buffer.from(typeof line === 'string' ? line : JSON.stringify(line)),
      Buffer.from('\n'),
    ]),
  );

export const sendBatch = (
  { caller, organizationId }: Pick<Stage, 'caller' | 'organizationId'>,
  lines: readonly (object | string | Buffer)[],
): Promise<DegreeBatch> =>
  createBatch(caller, { organizationId, content: Readable.from([fileOf(lines)]) }, Date.now());

export const run = (batch: { readonly id: string }, options: Partial<RunOptions> = {}) =>
  runBatch(batch.id, { readLine, now: Date.now, logger: logger('credentials'), ...options });

const ALL = { page: 1, pageSize: 200 };

export const errorsOf = async ({ caller }: Pick<Stage, 'caller'>, { id }: { readonly id: string }) =>
  (await listErrors(caller, id, ALL)).items;

export const linesOf = async ({ caller }: Pick<Stage, 'caller'>, { id }: { readonly id: string }) =>
  (await listLines(caller, id, ALL)).items;

/** The state and counts of a batch. */
export async function progressOf({ caller }: Pick<Stage, 'caller'>, { id }: { readonly id: string }) {
  const { state, created, failed, lines, line } = await requireBatch(caller, id);
  return { state, created, failed, lines, line };
}

export const degreeOf = async ({ id }: { readonly id: string }, line: number) =>
  (await items.get({ kind: 'degree', id: degreeIdOf(id, line) })) as Item<DegreeData> | undefined;

/** The ids on the list of an organization's degrees, and their count there. */
export async function listedDegrees({ organizationId }: Pick<Stage, 'organizationId'>) {
  const { ids, total } = await itemList('degree', organizationId).slice({ offset: 0, limit: 1_000 });
  return { ids: ids.toSorted(), total };
}
