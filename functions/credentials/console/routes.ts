import type { Sections } from '../../../shared/console/routes.ts';
import { KIND_PATHS } from '../items/domain/kinds.ts';
import type { Operation } from '../tenants/domain/members/permissions.ts';
import type { Visit } from './visit.ts';

/** The sections by the first part of their paths. */
export const SECTIONS: Sections<Visit, Operation> = {
  '': async () => (await import('./sections/start.ts')).start,
  ...Object.fromEntries(
    KIND_PATHS.map((path) => [path, async () => (await import('./sections/items/items.ts')).items]),
  ),
  new: async () => (await import('./sections/items/items.ts')).creation,
  lines: async () => (await import('./sections/lines/lines.ts')).lines,
  organization: async () => (await import('./sections/organization/organization.ts')).organization,
};
