import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { OrganizationParams } from '../../contract/organization/organizations.ts';
import { PreferencesModel, PreferencesRequest } from '../../contract/organization/preferences.ts';
import { updatePreferences } from '../../domain/places/preferences.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'PUT /api/organizations/{orgId}/preferences',
    can: 'organization.change',
    summary: 'Choose the language, the ways to sign and the sentence of mail',
    description:
      'Replaces what the organization has chosen. Mail that is sent, and pages that are opened, from now on have it.',
    params: OrganizationParams,
    body: jsonBody(PreferencesRequest),
    answers: { 200: PreferencesModel },
    refuses: ['OrganizationNotFound'],
  },
  async ({ params, body, caller }) => updatePreferences(caller, params.orgId, body),
);
