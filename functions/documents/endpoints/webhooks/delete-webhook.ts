import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { WebhookParams } from '../../contract/organization/webhooks.ts';
import { deleteWebhook } from '../../domain/webhooks/registrations.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'DELETE /api/organizations/{orgId}/webhooks/{webhookId}',
    can: 'webhooks.change',
    summary: 'Delete a webhook',
    description: 'Deliveries that still wait are not sent any more.',
    params: WebhookParams,
    answers: { 204: EMPTY },
    refuses: ['OrganizationNotFound', 'OperationNotSupportedInPersonalOrganizations', 'WebhookNotFound'],
  },
  async ({ params: { orgId, webhookId }, caller }) => {
    await deleteWebhook(caller, orgId, webhookId);
    return empty(204);
  },
);
