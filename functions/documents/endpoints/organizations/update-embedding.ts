import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { OrganizationParams } from '../../contract/organization/organizations.ts';
import { EmbeddingModel, EmbeddingRequest } from '../../contract/signing/embedding.ts';
import { updateEmbedding } from '../../domain/places/embedding.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'PUT /api/organizations/{orgId}/embedding',
    can: 'organization.change',
    summary: 'Register the sites that show signing pages in a frame',
    description:
      'Replaces the origins of the organization. They are told what happens in the frame. Origins of `ActionUrls:EmbedOrigins` come in addition.',
    params: OrganizationParams,
    body: jsonBody(EmbeddingRequest),
    answers: { 200: EmbeddingModel },
    refuses: ['OrganizationNotFound'],
  },
  async ({ params, body, caller }) => updateEmbedding(caller, params.orgId, body.origins),
);
