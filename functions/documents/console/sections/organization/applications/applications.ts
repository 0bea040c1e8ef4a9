import { Refusal } from '../../../../../../shared/errors/errors.ts';
import { ApplicationRequest } from '../../../../contract/organization/applications.ts';
import {
  createOwnApplication,
  issueOwnKey,
  removeOwnApplication,
  revokeOwnKey,
} from '../../../../domain/members/applications.ts';
import { leadTo } from '../../../pages/member-page.ts';
import { refusalText } from '../../../pages/refusals.ts';
import type { Section } from '../../../visit.ts';
import { applicationsPage } from './applications-page.ts';

const APPLICATIONS = 'organization/applications';

/** Applications of the organization, and their keys. */
export const applicationPages: Section = {
  pages: { [APPLICATIONS]: { operation: 'applications.read', show: (visit) => applicationsPage(visit) } },
  forms: {
    [`${APPLICATIONS}/create`]: {
      operation: 'applications.change',
      async submit(visit, _params, form) {
        const fields = { name: form.text('name'), role: form.text('role') };
        const read = ApplicationRequest.safeParse(fields);
        if (!read.success) return applicationsPage(visit, { fields, isWrong: true });
        try {
          // The key is on this page alone: not in an address, and not when it is loaded again.
          return await applicationsPage(visit, {
            issued: await createOwnApplication(visit.caller, visit.organization.id, read.data),
          });
        } catch (error) {
          if (!(error instanceof Refusal) || error.status === 404) throw error;
          return applicationsPage(visit, { fields, refusal: refusalText(error, visit.language) });
        }
      },
    },
    [`${APPLICATIONS}/{id}/issue`]: {
      operation: 'applications.change',
      submit: async (visit, { id = '' }) =>
        applicationsPage(visit, { issued: await issueOwnKey(visit.caller, visit.organization.id, id) }),
    },
    [`${APPLICATIONS}/{id}/remove`]: {
      operation: 'applications.change',
      async submit({ caller, organization }, { id = '' }) {
        await removeOwnApplication(caller, organization.id, id);
        return leadTo(APPLICATIONS, 'removed');
      },
    },
    [`${APPLICATIONS}/{id}/revoke/{keyId}`]: {
      operation: 'applications.change',
      async submit({ caller, organization, nowMs }, { id = '', keyId = '' }) {
        await revokeOwnKey(caller, organization.id, { id, keyId }, nowMs);
        return leadTo(APPLICATIONS, 'revoked');
      },
    },
  },
};
