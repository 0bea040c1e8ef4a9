import { OrganizationParams } from '../../contract/organization/organizations.ts';
import { PreferencesModel } from '../../contract/organization/preferences.ts';
import { readPreferences } from '../../domain/places/preferences.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/organizations/{orgId}/preferences',
    can: 'organization.read',
    summary: 'Read the preferences of an organization',
    description: 'Answers what the organization has chosen for the people of its documents.',
    params: OrganizationParams,
    answers: { 200: PreferencesModel },
    refuses: ['OrganizationNotFound'],
  },
  async ({ params, caller }) => readPreferences(caller, params.orgId),
);
