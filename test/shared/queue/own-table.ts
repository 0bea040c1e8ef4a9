import { vi } from 'vitest';
import { createDeclared } from '../../../infra/runtime/resources/create.ts';
import { readDeclared } from '../../../infra/runtime/resources/read.ts';
import type { ServiceName } from '../../../shared/settings/names.ts';
import { tableName } from '../../../shared/settings/names.ts';
import { newStage } from '../../stores/own-stage.ts';

/** A stage, and so a table, of a test's own: a sweep takes whatever is due in its table. */
export async function useOwnTable(service: ServiceName): Promise<void> {
  const stage = newStage();
  vi.stubEnv('STAGE', stage);
  const { tables } = readDeclared(process.cwd(), stage, true);
  const ours = tables.filter(({ name }) => name === tableName(service));
  await createDeclared({ tables: ours, buckets: [], queues: [] });
}
