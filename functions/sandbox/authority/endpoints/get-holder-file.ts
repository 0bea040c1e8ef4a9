import { fileOf } from '../../../../shared/http/declaration.ts';
import { file } from '../../../../shared/http/response/answer.ts';
import { sandbox } from '../../service.ts';
import { PkiFileParams } from '../contract.ts';
import { findAuthority } from '../domain/authority.ts';
import { readHolderFile } from '../domain/holder-file.ts';

const MEDIA_TYPE = 'application/x-pkcs12';

export const handler = sandbox.endpoint(
  {
    route: 'GET /holders/{file}',
    summary: 'The certificate file of a person of the sandbox, such as 52998224725.p12',
    params: PkiFileParams,
    answers: { 200: fileOf(MEDIA_TYPE) },
    access: 'public',
  },
  async ({ params }) =>
    file(await readHolderFile(await findAuthority(), params.file), MEDIA_TYPE, { name: params.file }),
);
