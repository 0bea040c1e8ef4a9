import type { Section as AnySection, Visit as AnyVisit } from '../../../shared/console/visit.ts';
import type { Operation } from '../tenants/domain/members/permissions.ts';
import type { Organization } from '../tenants/domain/organization.ts';
import type { Role } from '../tenants/roles.ts';

export { type Form, type Params, queryText } from '../../../shared/console/visit.ts';

/** A member's request for a page, or a form that a member sent. */
export type Visit = AnyVisit<Role, Organization>;

/** A part of the console. shared/console/visit.ts says how to add one. */
export type Section = AnySection<Visit, Operation>;
