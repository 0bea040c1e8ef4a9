// Made of functions/credentials/openapi.json by npm run openapi.

export const operations = {
  createTranscript: { method: 'POST', path: '/api/academic-transcripts', body: 'json', answer: 'json', once: true },
  listTranscripts: { method: 'GET', path: '/api/academic-transcripts', answer: 'json', pages: 'page' },
  getTranscript: { method: 'GET', path: '/api/academic-transcripts/{id}', answer: 'json' },
  resendTranscript: { method: 'POST', path: '/api/academic-transcripts/{id}/webhook', answer: 'json' },
  getTranscriptXml: { method: 'GET', path: '/api/academic-transcripts/{id}/xml/{name}', answer: 'file' },
  changeTranscript: { method: 'POST', path: '/api/academic-transcripts/{id}/{event}', body: 'json', answer: 'json' },
  createCurriculum: { method: 'POST', path: '/api/curriculums', body: 'json', answer: 'json', once: true },
  listCurriculums: { method: 'GET', path: '/api/curriculums', answer: 'json', pages: 'page' },
  getCurriculum: { method: 'GET', path: '/api/curriculums/{id}', answer: 'json' },
  resendCurriculum: { method: 'POST', path: '/api/curriculums/{id}/webhook', answer: 'json' },
  getCurriculumXml: { method: 'GET', path: '/api/curriculums/{id}/xml/{name}', answer: 'file' },
  changeCurriculum: { method: 'POST', path: '/api/curriculums/{id}/{event}', body: 'json', answer: 'json' },
  createDegree: { method: 'POST', path: '/api/degrees', body: 'json', answer: 'json', once: true },
  listDegrees: { method: 'GET', path: '/api/degrees', answer: 'json', pages: 'page' },
  createDegreeBatch: { method: 'POST', path: '/api/degrees/batches', body: 'json', answer: 'json' },
  listDegreeBatches: { method: 'GET', path: '/api/degrees/batches', answer: 'json', pages: 'page' },
  presignDegreeBatch: { method: 'POST', path: '/api/degrees/batches/uploads', body: 'json', answer: 'json' },
  getDegreeBatch: { method: 'GET', path: '/api/degrees/batches/{id}', answer: 'json' },
  listDegreeBatchErrors: { method: 'GET', path: '/api/degrees/batches/{id}/errors', answer: 'json', pages: 'page' },
  listDegreeBatchLines: { method: 'GET', path: '/api/degrees/batches/{id}/lines', answer: 'json', pages: 'page' },
  receiveSignerEvent: { method: 'POST', path: '/api/degrees/webhook', body: 'json', answer: 'json' },
  getDegree: { method: 'GET', path: '/api/degrees/{id}', answer: 'json' },
  resendDegree: { method: 'POST', path: '/api/degrees/{id}/webhook', answer: 'json' },
  getDegreeXml: { method: 'GET', path: '/api/degrees/{id}/xml/{name}', answer: 'file' },
  changeDegree: { method: 'POST', path: '/api/degrees/{id}/{event}', body: 'json', answer: 'json' },
  createEmission: { method: 'POST', path: '/api/emissions', body: 'json', answer: 'json', once: true },
  listEmissions: { method: 'GET', path: '/api/emissions', answer: 'json', pages: 'page' },
  getEmission: { method: 'GET', path: '/api/emissions/{id}', answer: 'json' },
  resendEmission: { method: 'POST', path: '/api/emissions/{id}/webhook', answer: 'json' },
  getEmissionXml: { method: 'GET', path: '/api/emissions/{id}/xml/{name}', answer: 'file' },
  changeEmission: { method: 'POST', path: '/api/emissions/{id}/{event}', body: 'json', answer: 'json' },
  getHistory: { method: 'GET', path: '/api/history/{items}/{id}', answer: 'json' },
  createCancellationList: { method: 'POST', path: '/api/institutes/{id}/cancellation-lists', body: 'json', answer: 'json', once: true },
  listCancellationLists: { method: 'GET', path: '/api/institutes/{id}/cancellation-lists', answer: 'json', pages: 'page' },
  getCancellationList: { method: 'GET', path: '/api/institutes/{id}/cancellation-lists/{itemId}', answer: 'json' },
  handOverCancellationList: { method: 'POST', path: '/api/institutes/{id}/cancellation-lists/{itemId}/hand-over', answer: 'json' },
  resendCancellationList: { method: 'POST', path: '/api/institutes/{id}/cancellation-lists/{itemId}/webhook', answer: 'json' },
  getCancellationListXml: { method: 'GET', path: '/api/institutes/{id}/cancellation-lists/{itemId}/xml/{name}', answer: 'file' },
  createInspectionFile: { method: 'POST', path: '/api/institutes/{id}/inspection-files', body: 'json', answer: 'json', once: true },
  listInspectionFiles: { method: 'GET', path: '/api/institutes/{id}/inspection-files', answer: 'json', pages: 'page' },
  getInspectionFile: { method: 'GET', path: '/api/institutes/{id}/inspection-files/{itemId}', answer: 'json' },
  resendInspectionFile: { method: 'POST', path: '/api/institutes/{id}/inspection-files/{itemId}/webhook', answer: 'json' },
  getInspectionFileXml: { method: 'GET', path: '/api/institutes/{id}/inspection-files/{itemId}/xml/{name}', answer: 'file' },
  getInstituteIntegration: { method: 'GET', path: '/api/institutes/{id}/integrations', answer: 'json' },
  setInstituteIntegration: { method: 'POST', path: '/api/institutes/{id}/integrations', body: 'json', answer: 'json' },
  setSigners: { method: 'PUT', path: '/api/institutes/{id}/signers', body: 'json', answer: 'json' },
  listRegistrars: { method: 'GET', path: '/api/registrars', answer: 'json' },
  createRegistration: { method: 'POST', path: '/api/registrations', body: 'json', answer: 'json', once: true },
  listRegistrations: { method: 'GET', path: '/api/registrations', answer: 'json', pages: 'page' },
  getRegistration: { method: 'GET', path: '/api/registrations/{id}', answer: 'json' },
  resendRegistration: { method: 'POST', path: '/api/registrations/{id}/webhook', answer: 'json' },
  getRegistrationXml: { method: 'GET', path: '/api/registrations/{id}/xml/{name}', answer: 'file' },
  changeRegistration: { method: 'POST', path: '/api/registrations/{id}/{event}', body: 'json', answer: 'json' },
  createRestamp: { method: 'POST', path: '/api/restamps', body: 'json', answer: 'json', once: true },
  listRestamps: { method: 'GET', path: '/api/restamps', answer: 'json', pages: 'page' },
  getRestamp: { method: 'GET', path: '/api/restamps/{id}', answer: 'json' },
  getRestampToken: { method: 'GET', path: '/api/restamps/{id}/token', answer: 'file' },
  resendRestamp: { method: 'POST', path: '/api/restamps/{id}/webhook', answer: 'json' },
  changeRestamp: { method: 'POST', path: '/api/restamps/{id}/{event}', body: 'json', answer: 'json' },
  listInstitutes: { method: 'GET', path: '/api/subscriptions/{id}/institutes', answer: 'json' },
  getSubscriptionIntegration: { method: 'GET', path: '/api/subscriptions/{id}/integrations', answer: 'json' },
  setSubscriptionIntegration: { method: 'POST', path: '/api/subscriptions/{id}/integrations', body: 'json', answer: 'json' },
  inviteMember: { method: 'POST', path: '/api/subscriptions/{id}/members', body: 'json', answer: 'json' },
  listMembers: { method: 'GET', path: '/api/subscriptions/{id}/members', answer: 'json' },
  changeMember: { method: 'PUT', path: '/api/subscriptions/{id}/members/{memberId}', body: 'json', answer: 'json' },
  removeMember: { method: 'DELETE', path: '/api/subscriptions/{id}/members/{memberId}', answer: 'nothing' },
  getHealth: { method: 'GET', path: '/healthz', answer: 'json' },
  getOpenapi: { method: 'GET', path: '/openapi/v1.json', answer: 'json' },
} as const;

/** What the service refuses with. */
export type Code =
  | 'BatchNotFound'
  | 'CancellationReasonMismatch'
  | 'EndpointNotFound'
  | 'FileChanged'
  | 'FileNotFound'
  | 'FileNotSigned'
  | 'Forbidden'
  | 'InstituteNotFound'
  | 'InvalidFields'
  | 'InvalidPeriod'
  | 'InvalidRequest'
  | 'InvalidStatus'
  | 'InvalidWebhookUrl'
  | 'InvalidXml'
  | 'ItemNotFound'
  | 'LastAdministrator'
  | 'MaxMembersLimitReached'
  | 'MemberAlreadyExists'
  | 'MemberNotFound'
  | 'OrganizationKindMismatch'
  | 'OrganizationRequired'
  | 'RegistrarNotFound'
  | 'RestampPending'
  | 'SearchTooWide'
  | 'ServiceUnavailable'
  | 'SignersPending'
  | 'SignersRequired'
  | 'SubscriptionNotFound'
  | 'TimestampAuthorityRequired'
  | 'TokenNotFound'
  | 'TooManyFiles'
  | 'TooManyLines'
  | 'TooManyRequests'
  | 'TooManyRestamps'
  | 'Unauthorized'
  | 'UnexpectedError'
  | 'UploadNotFound'
  | 'WebhookNotConfigured';
