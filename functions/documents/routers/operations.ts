import { routeTo } from '../../../shared/http/router.ts';
import { unknownRoutePage } from '../../../shared/ui/unknown-route-page.ts';
import { documents } from '../service.ts';

/**
 * The operations that are short, or seldom called, in one function. It has every path below `/api` that no other function
 * has (infra/plugins/fold-paths.ts), with what is no operation among them.
 */
export const handler = routeTo(
  documents,
  {
    'GET /api/organizations/{orgId}': () => import('../endpoints/organizations/get-organization.ts'),
    'PUT /api/organizations/{orgId}/branding': () => import('../endpoints/organizations/update-branding.ts'),
    'PUT /api/organizations/{orgId}/embedding': () =>
      import('../endpoints/organizations/update-embedding.ts'),
    'GET /api/organizations/{orgId}/preferences': () =>
      import('../endpoints/organizations/get-preferences.ts'),
    'PUT /api/organizations/{orgId}/preferences': () =>
      import('../endpoints/organizations/update-preferences.ts'),
    'PUT /api/organizations/{orgId}/seal': () => import('../endpoints/organizations/update-seal.ts'),
    'PUT /api/organizations/{orgId}/mail': () =>
      import('../endpoints/organizations/update-organization-mail.ts'),
    'POST /api/organizations/{orgId}/webhooks': () => import('../endpoints/webhooks/create-webhook.ts'),
    'DELETE /api/organizations/{orgId}/webhooks/{webhookId}': () =>
      import('../endpoints/webhooks/delete-webhook.ts'),
    'GET /api/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}': () =>
      import('../endpoints/webhooks/get-webhook-delivery.ts'),
    'GET /api/organizations/{orgId}/webhooks/{webhookId}/deliveries': () =>
      import('../endpoints/webhooks/list-webhook-deliveries.ts'),
    'POST /api/organizations/{orgId}/webhooks/{webhookId}/deliveries/replay': () =>
      import('../endpoints/webhooks/replay-failed-webhook-deliveries.ts'),
    'POST /api/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}/replay': () =>
      import('../endpoints/webhooks/replay-webhook-delivery.ts'),
    'POST /api/organizations/{orgId}/webhooks/{webhookId}/test': () =>
      import('../endpoints/webhooks/send-webhook-test.ts'),
    'PUT /api/organizations/{orgId}/webhooks/{webhookId}': () =>
      import('../endpoints/webhooks/update-webhook.ts'),
    'GET /api/organizations/{orgId}/members': () => import('../endpoints/members/list-members.ts'),
    'POST /api/organizations/{orgId}/members': () => import('../endpoints/members/invite-member.ts'),
    'PUT /api/organizations/{orgId}/members/{memberId}': () =>
      import('../endpoints/members/change-member.ts'),
    'DELETE /api/organizations/{orgId}/members/{memberId}': () =>
      import('../endpoints/members/remove-member.ts'),
    'GET /api/organizations/{orgId}/usage': () => import('../endpoints/organizations/get-usage.ts'),
    'GET /api/organizations/{orgId}/applications': () =>
      import('../endpoints/applications/list-applications.ts'),
    'POST /api/organizations/{orgId}/applications': () =>
      import('../endpoints/applications/create-application.ts'),
    'DELETE /api/organizations/{orgId}/applications/{applicationId}': () =>
      import('../endpoints/applications/remove-application.ts'),
    'POST /api/organizations/{orgId}/applications/{applicationId}/keys': () =>
      import('../endpoints/applications/issue-application-key.ts'),
    'DELETE /api/organizations/{orgId}/applications/{applicationId}/keys/{keyId}': () =>
      import('../endpoints/applications/revoke-application-key.ts'),
    'GET /api/organizations/users': () => import('../endpoints/members/list-users.ts'),
    'POST /api/organizations/users': () => import('../endpoints/members/create-user.ts'),
    'DELETE /api/organizations/users/{userId}': () => import('../endpoints/members/delete-user.ts'),
    'POST /api/admin/organizations': () => import('../endpoints/organizations/create-organization.ts'),
    'DELETE /api/admin/organizations/{orgId}': () =>
      import('../endpoints/organizations/delete-organization.ts'),
    'GET /api/document-flows': () => import('../endpoints/flows/list-flows.ts'),
    'POST /api/document-flows': () => import('../endpoints/flows/create-flow.ts'),
    'GET /api/document-flows/{id}': () => import('../endpoints/flows/get-flow.ts'),
    'PUT /api/document-flows/{id}': () => import('../endpoints/flows/update-flow.ts'),
    'DELETE /api/document-flows/{id}': () => import('../endpoints/flows/delete-flow.ts'),
    'POST /api/documents/{id}/flow': () => import('../endpoints/flows/edit-flow.ts'),
    'POST /api/documents/{id}/cancellation': () => import('../endpoints/documents/cancel-document.ts'),
    'DELETE /api/documents/{id}': () => import('../endpoints/documents/delete-document.ts'),
    'POST /api/documents/{id}/action-url': () => import('../endpoints/signing/create-action-url.ts'),
    'POST /api/documents/{id}/action-url/revocation': () =>
      import('../endpoints/signing/revoke-action-urls.ts'),
    'POST /api/documents/{id}/approval': () => import('../endpoints/signing/approve-document.ts'),
    'POST /api/documents/{id}/refusal': () => import('../endpoints/signing/refuse-document.ts'),
    'POST /api/documents/{id}/electronic-signature': () =>
      import('../endpoints/signing/sign-electronically.ts'),
    'POST /api/documents/sms-authentication-code': () => import('../endpoints/signing/send-signing-code.ts'),
    'POST /api/documents/keys/{key}/electronic-signature': () =>
      import('../endpoints/signing/sign-electronically-by-key.ts'),
    'POST /api/documents/keys/{key}/approval': () =>
      import('../endpoints/signing/approve-document-by-key.ts'),
    'POST /api/documents/keys/{key}/refusal': () => import('../endpoints/signing/refuse-document-by-key.ts'),
    'POST /api/users/notify-pending': () => import('../endpoints/notifications/notify-pending.ts'),
    'POST /api/notifications/flow-action-reminder': () =>
      import('../endpoints/notifications/remind-flow-action.ts'),
    'PUT /api/documents/{id}/notified-emails': () =>
      import('../endpoints/notifications/update-notified-emails.ts'),
    'POST /api/folders': () => import('../endpoints/folders/create-folder.ts'),
    'POST /api/folders/{id}/delete': () => import('../endpoints/folders/delete-folder-with-choice.ts'),
    'DELETE /api/folders/{id}': () => import('../endpoints/folders/delete-folder.ts'),
    'GET /api/folders/{id}/details': () => import('../endpoints/folders/get-folder-details.ts'),
    'GET /api/folders/{id}': () => import('../endpoints/folders/get-folder.ts'),
    'GET /api/folders': () => import('../endpoints/folders/list-folders.ts'),
    'GET /api/documents/{id}/ticket': () => import('../endpoints/downloads/get-content-ticket.ts'),
    'POST /api/uploads/presigned': () => import('../endpoints/uploads/create-presigned-upload.ts'),
    'POST /api/documents/{id}/folder': () => import('../endpoints/documents/move-document.ts'),
    'POST /api/documents/batch/folder': () => import('../endpoints/documents/move-documents.ts'),
    'POST /api/documents/generation': () => import('../endpoints/generation/create-generation.ts'),
    'GET /api/documents/generation': () => import('../endpoints/generation/list-generations.ts'),
    'GET /api/documents/generation/{id}': () => import('../endpoints/generation/get-generation.ts'),
    'GET /api/documents/generation/{id}/errors': () =>
      import('../endpoints/generation/list-generation-errors.ts'),
    'GET /api/documents/generation/{id}/documents': () =>
      import('../endpoints/generation/list-generated-documents.ts'),
    'POST /api/documents/generation/{id}/cancellation': () =>
      import('../endpoints/generation/cancel-generation.ts'),
    'POST /api/documents/generation/{id}/resumption': () =>
      import('../endpoints/generation/resume-generation.ts'),
    'GET /api/document-templates': () => import('../endpoints/templates/list-templates.ts'),
    'POST /api/document-templates': () => import('../endpoints/templates/create-template.ts'),
    'GET /api/document-templates/{id}': () => import('../endpoints/templates/get-template.ts'),
    'PUT /api/document-templates/{id}': () => import('../endpoints/templates/update-template.ts'),
    'DELETE /api/document-templates/{id}': () => import('../endpoints/templates/delete-template.ts'),
    'POST /api/document-templates/{id}/documents': () =>
      import('../endpoints/templates/create-documents-by-template.ts'),
    'POST /api/document-templates/{id}/generation': () =>
      import('../endpoints/templates/generate-by-template.ts'),
    'POST /api/marks-sessions': () => import('../endpoints/marks-sessions/create-marks-session.ts'),
    'POST /api/marks-sessions/documents': () =>
      import('../endpoints/marks-sessions/create-marks-session-of-documents.ts'),
    'GET /api/marks-sessions/{id}': () => import('../endpoints/marks-sessions/get-marks-session.ts'),
    'GET /api/marks-sessions/{id}/embed': () => import('../endpoints/marks-sessions/get-marks-page.ts'),
    'POST /api/marks-sessions/{id}/marks': () => import('../endpoints/marks-sessions/place-marks.ts'),
    'GET /branding/{orgId}/{version}': () => import('../endpoints/organizations/get-logo.ts'),
  },
  documents.refuseUnknownRoute(unknownRoutePage('/documents/console')),
);
