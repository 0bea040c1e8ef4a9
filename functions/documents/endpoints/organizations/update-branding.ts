import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { BrandingModel, BrandingRequest } from '../../contract/organization/branding.ts';
import { OrganizationParams } from '../../contract/organization/organizations.ts';
import { updateBranding } from '../../domain/places/branding.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'PUT /api/organizations/{orgId}/branding',
    can: 'organization.change',
    summary: 'Change the name, the color and the logo of an organization',
    description:
      'They are shown to signers and to whoever verifies a document. A name or a color that is left out is none; a logo that is left out stays.',
    params: OrganizationParams,
    body: jsonBody(BrandingRequest),
    answers: { 200: BrandingModel },
    refuses: ['OrganizationNotFound'],
  },
  async ({ params, body, caller }) => updateBranding(caller, params.orgId, body, Date.now()),
);
