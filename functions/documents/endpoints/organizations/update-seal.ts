import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { OrganizationParams } from '../../contract/organization/organizations.ts';
import { SealModel, SealRequest } from '../../contract/signing/seal.ts';
import { setSeal } from '../../domain/electronic/set-seal.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'PUT /api/organizations/{orgId}/seal',
    can: 'seal.change',
    summary: 'Set the certificate that seals electronically signed documents',
    description:
      'Documents that people sign electronically are sealed with it when their flow ends. The key is kept encrypted; a certificate in the cloud seals until its session ends.',
    params: OrganizationParams,
    body: jsonBody(SealRequest),
    answers: { 200: SealModel },
    refuses: ['OrganizationNotFound', 'SealNotUsable', 'SigningUnavailable', 'WayNotOffered'],
  },
  async ({ params, body, caller, deadlineAtMs }) => {
    const request =
      'session' in body
        ? { session: body.session, lifetimeSeconds: body.lifetimeInSeconds }
        : { file: Buffer.from(body.pkcs12, 'base64'), password: body.password };
    return setSeal(caller, params.orgId, request, { atMs: deadlineAtMs, now: Date.now });
  },
);
