import { fileOf } from '../../../../shared/http/declaration.ts';
import { file } from '../../../../shared/http/response/answer.ts';
import { sandbox } from '../../service.ts';
import { PkiFileParams } from '../contract.ts';
import { findAuthority } from '../domain/authority.ts';
import { readPublishedFile } from '../domain/published.ts';

export const handler = sandbox.endpoint(
  {
    route: 'GET /pki/{file}',
    summary: "A certificate of the sandbox's authority, or a list of what it has revoked",
    params: PkiFileParams,
    answers: { 200: fileOf('application/pkix-cert', 'application/x-pem-file', 'application/pkix-crl') },
    access: 'public',
  },
  async ({ params }) => {
    const { bytes, mediaType } = readPublishedFile(await findAuthority(), params.file, Date.now());
    return file(bytes, mediaType);
  },
);
