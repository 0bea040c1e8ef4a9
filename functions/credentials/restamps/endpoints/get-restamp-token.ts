import { fileOf } from '../../../../shared/http/declaration.ts';
import { CANNOT_RUN, file } from '../../../../shared/http/response/answer.ts';
import type { RestampData } from '../../items/domain/data.ts';
import { requireItem } from '../../items/domain/item.ts';
import { ItemParams } from '../../items/shapes.ts';
import { TOKEN_MEDIA_TYPE } from '../../items/vocabulary.ts';
import { credentials } from '../../service.ts';
import { isInScope } from '../../tenants/domain/organization.ts';
import { openToken } from '../domain/open-token.ts';

export const handler = credentials.endpoint(
  {
    route: 'GET /api/restamps/{id}/token',
    can: 'items.read',
    summary: 'Download the token of a restamp',
    description:
      'An RFC 3161 token in DER. Its imprint is SHA-256 over the signed file, followed by the tokens of `earlierRestampIds` in their order: `cat signed.xml 1.tst 2.tst > stamped`, then `openssl ts -verify -data stamped -in 3.tst -token_in -CAfile root.pem`. It is not XAdES-A: the signed file does not hold it.',
    tag: 'restamps',
    params: ItemParams,
    answers: { 200: fileOf(TOKEN_MEDIA_TYPE) },
    refuses: ['ItemNotFound', 'TokenNotFound'],
  },
  async ({ params: { id }, caller }) => {
    const isVisible = ({ organizationId }: { organizationId: string }) => isInScope(caller, organizationId);
    const { bytes, fileName } = await openToken(await requireItem<RestampData>('restamp', id, isVisible));
    return file(bytes, TOKEN_MEDIA_TYPE, { name: fileName, headers: CANNOT_RUN });
  },
);
