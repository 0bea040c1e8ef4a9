import { anyBody } from '../../../../shared/http/body/reader.ts';
import { fileOf } from '../../../../shared/http/declaration.ts';
import { file } from '../../../../shared/http/response/answer.ts';
import { sandbox } from '../../service.ts';
import { MAX_PKI_REQUEST_BYTES, TIMESTAMP_REPLY } from '../contract.ts';
import { findAuthority } from '../domain/authority.ts';
import { stampTime } from '../domain/stamp-time.ts';

export const handler = sandbox.endpoint(
  {
    route: 'POST /pki/timestamp',
    summary: 'A timestamp, by RFC 3161',
    body: anyBody(),
    maxBodyBytes: () => MAX_PKI_REQUEST_BYTES,
    answers: { 200: fileOf(TIMESTAMP_REPLY) },
    access: 'public',
  },
  async ({ body }) =>
    file(await stampTime(await findAuthority(), await body.bytes(), Date.now()), TIMESTAMP_REPLY),
);
