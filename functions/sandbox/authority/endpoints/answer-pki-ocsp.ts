import { anyBody } from '../../../../shared/http/body/reader.ts';
import { fileOf } from '../../../../shared/http/declaration.ts';
import { file } from '../../../../shared/http/response/answer.ts';
import { sandbox } from '../../service.ts';
import { MAX_PKI_REQUEST_BYTES, OCSP_RESPONSE } from '../contract.ts';
import { answerOcsp } from '../domain/answer-ocsp.ts';
import { findAuthority } from '../domain/authority.ts';

export const handler = sandbox.endpoint(
  {
    route: 'POST /pki/ocsp',
    summary: 'The status of certificates, by OCSP',
    body: anyBody(),
    maxBodyBytes: () => MAX_PKI_REQUEST_BYTES,
    answers: { 200: fileOf(OCSP_RESPONSE) },
    access: 'public',
  },
  async ({ body }) => file(answerOcsp(await findAuthority(), await body.bytes(), Date.now()), OCSP_RESPONSE),
);
