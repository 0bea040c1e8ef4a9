import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { ADMINISTRATOR, credentials } from '../../service.ts';
import { InstituteModel, SignersParams, SignersRequest } from '../../tenants/contract.ts';
import { changeSigners, renderInstitute } from '../../tenants/domain/institutes.ts';

export const handler = credentials.endpoint(
  {
    route: 'PUT /api/institutes/{id}/signers',
    can: 'institutes.change',
    summary: 'Set who signs for an institute',
    description:
      'Replaces all of them. Files that are handed over from now on go to these people; files that wait for others still do.',
    tag: 'institutes',
    permission: ADMINISTRATOR,
    params: SignersParams,
    body: jsonBody(SignersRequest),
    answers: { 200: InstituteModel },
    refuses: ['InstituteNotFound'],
  },
  async ({ params, body, caller }) => renderInstitute(await changeSigners(caller, params.id, body.signers)),
);
