import type { Sections } from '../../../shared/console/routes.ts';
import type { Operation } from '../tenants/domain/members/permissions.ts';
import type { Visit } from './visit.ts';

/** The sections by the first part of their paths. */
export const SECTIONS: Sections<Visit, Operation> = {
  '': async () => (await import('./sections/start.ts')).start,
  organization: async () => (await import('./sections/organization/organization.ts')).organization,
};
