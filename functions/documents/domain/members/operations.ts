import { routeOperations } from '../../../../shared/members/permissions.ts';
import { type Operation, permissions } from './permissions.ts';

/**
 * What each route of the API does, by the names of permissions.ts. A route that is not here is closed to applications that
 * have a role: a test asks for a row for every route that takes a key.
 */
const OPERATION_OF: Readonly<Record<string, Operation>> = {
  'GET /api/documents': 'documents.read',
  'GET /api/documents/{id}': 'documents.read',
  'GET /api/documents/{id}/attachments/{attachmentId}/content': 'documents.read',
  'GET /api/documents/{id}/content': 'documents.read',
  'GET /api/documents/{id}/content-b64': 'documents.read',
  'GET /api/documents/{id}/signatures-details': 'documents.read',
  'GET /api/documents/{id}/ticket': 'documents.read',
  'GET /api/documents/generation': 'documents.read',
  'GET /api/documents/generation/{id}': 'documents.read',
  'GET /api/documents/generation/{id}/documents': 'documents.read',
  'GET /api/documents/generation/{id}/errors': 'documents.read',
  'GET /api/folders': 'documents.read',
  'GET /api/folders/{id}': 'documents.read',
  'GET /api/folders/{id}/details': 'documents.read',
  'POST /api/documents/validate-signatures': 'documents.read',
  'POST /api/verification': 'documents.read',

  'GET /api/uploads/{id}/content': 'documents.send',
  'POST /api/documents': 'documents.send',
  'POST /api/documents/started': 'documents.send',
  'POST /api/document-templates/{id}/documents': 'documents.send',
  'POST /api/document-templates/{id}/generation': 'documents.send',
  'POST /api/documents/generation': 'documents.send',
  'POST /api/documents/generation/{id}/cancellation': 'documents.send',
  'POST /api/documents/generation/{id}/resumption': 'documents.send',
  'POST /api/documents/{id}/envelope/versions': 'documents.send',
  'POST /api/documents/{id}/versions': 'documents.send',
  'GET /api/marks-sessions/{id}': 'documents.send',
  'POST /api/marks-sessions': 'documents.send',
  'POST /api/marks-sessions/documents': 'documents.send',
  'POST /api/uploads': 'documents.send',
  'POST /api/uploads/bytes': 'documents.send',
  'POST /api/uploads/presigned': 'documents.send',

  'POST /api/documents/batch/folder': 'documents.change',
  'POST /api/documents/{id}/action-url': 'documents.change',
  'POST /api/documents/{id}/action-url/revocation': 'documents.change',
  'POST /api/documents/{id}/approval': 'documents.change',
  'POST /api/documents/{id}/cancellation': 'documents.change',
  'POST /api/documents/sms-authentication-code': 'documents.change',
  'POST /api/documents/{id}/electronic-signature': 'documents.change',
  'POST /api/documents/{id}/flow': 'documents.change',
  'POST /api/documents/{id}/folder': 'documents.change',
  'POST /api/documents/{id}/refusal': 'documents.change',
  'POST /api/documents/{id}/signature': 'documents.change',
  'POST /api/documents/{id}/signature/certificate': 'documents.change',
  'POST /api/notifications/flow-action-reminder': 'documents.change',
  'POST /api/users/notify-pending': 'documents.change',
  'PUT /api/documents/{id}/notified-emails': 'documents.change',

  'DELETE /api/document-flows/{id}': 'templates.change',
  'DELETE /api/document-templates/{id}': 'templates.change',
  'GET /api/document-flows': 'templates.read',
  'GET /api/document-flows/{id}': 'templates.read',
  'GET /api/document-templates': 'templates.read',
  'GET /api/document-templates/{id}': 'templates.read',
  'POST /api/document-flows': 'templates.change',
  'POST /api/document-templates': 'templates.change',
  'PUT /api/document-flows/{id}': 'templates.change',
  'PUT /api/document-templates/{id}': 'templates.change',

  'DELETE /api/documents/{id}': 'documents.delete',
  // With the documents in them.
  'DELETE /api/folders/{id}': 'documents.delete',
  'POST /api/folders/{id}/delete': 'documents.delete',
  'POST /api/folders': 'folders.change',

  // With the webhooks, whose addresses may hold a secret.
  'GET /api/organizations/{orgId}': 'webhooks.read',
  'PUT /api/organizations/{orgId}/branding': 'organization.change',
  'PUT /api/organizations/{orgId}/embedding': 'organization.change',
  'PUT /api/organizations/{orgId}/mail': 'organization.change',
  'PUT /api/organizations/{orgId}/seal': 'seal.change',

  'DELETE /api/organizations/{orgId}/applications/{applicationId}': 'applications.change',
  'DELETE /api/organizations/{orgId}/applications/{applicationId}/keys/{keyId}': 'applications.change',
  'GET /api/organizations/{orgId}/applications': 'applications.read',
  'GET /api/organizations/{orgId}/usage': 'usage.read',
  'POST /api/organizations/{orgId}/applications': 'applications.change',
  'POST /api/organizations/{orgId}/applications/{applicationId}/keys': 'applications.change',

  'DELETE /api/organizations/users/{userId}': 'members.change',
  'DELETE /api/organizations/{orgId}/members/{memberId}': 'members.change',
  'GET /api/organizations/users': 'members.read',
  'GET /api/organizations/{orgId}/members': 'members.read',
  'POST /api/organizations/users': 'members.change',
  'POST /api/organizations/{orgId}/members': 'members.change',
  'PUT /api/organizations/{orgId}/members/{memberId}': 'members.change',

  'DELETE /api/organizations/{orgId}/webhooks/{webhookId}': 'webhooks.change',
  'GET /api/organizations/{orgId}/webhooks/{webhookId}/deliveries': 'webhooks.read',
  'GET /api/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}': 'webhooks.read',
  'POST /api/organizations/{orgId}/webhooks': 'webhooks.change',
  'POST /api/organizations/{orgId}/webhooks/{webhookId}/deliveries/replay': 'webhooks.change',
  'POST /api/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}/replay': 'webhooks.change',
  'POST /api/organizations/{orgId}/webhooks/{webhookId}/test': 'webhooks.change',
  'PUT /api/organizations/{orgId}/webhooks/{webhookId}': 'webhooks.change',
};

export const { operationOf, mayCall } = routeOperations(permissions, OPERATION_OF);
