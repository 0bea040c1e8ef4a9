import type { Sections } from '../../../shared/console/routes.ts';
import type { Operation } from '../domain/members/permissions.ts';
import type { Visit } from './visit.ts';

/** The sections by the first part of their paths. */
export const SECTIONS: Sections<Visit, Operation> = {
  '': async () => (await import('./sections/following/following.ts')).following,
  documents: async () => (await import('./sections/following/following.ts')).following,
  send: async () => (await import('./sections/send/send.ts')).send,
  templates: async () => (await import('./sections/templates/templates.ts')).templates,
  organization: async () => (await import('./sections/organization/organization.ts')).organization,
};
