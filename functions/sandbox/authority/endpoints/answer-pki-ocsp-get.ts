import { fileOf } from '../../../../shared/http/declaration.ts';
import { file } from '../../../../shared/http/response/answer.ts';
import { sandbox } from '../../service.ts';
import { OCSP_RESPONSE, OcspParams } from '../contract.ts';
import { answerOcsp } from '../domain/answer-ocsp.ts';
import { findAuthority } from '../domain/authority.ts';

/** Base64 holds slashes, and not every client encodes them: hence a path of any depth. */
export const handler = sandbox.endpoint(
  {
    route: 'GET /pki/ocsp/{request+}',
    summary: 'The status of certificates, by OCSP with the request in the address',
    params: OcspParams,
    answers: { 200: fileOf(OCSP_RESPONSE) },
    access: 'public',
  },
  async ({ params }) => file(answerOcsp(await findAuthority(), params.request, Date.now()), OCSP_RESPONSE),
);
