import { Problem } from '../../../../shared/errors/errors.ts';
import { files } from '../../../../shared/files/files.ts';
import { imageTypeOf } from '../../../../shared/files/image-type.ts';
import { fileOf } from '../../../../shared/http/declaration.ts';
import { CANNOT_RUN, file } from '../../../../shared/http/response/answer.ts';
import { LogoParams } from '../../contract/organization/branding.ts';
import { LOGO_BYTES, logoKey } from '../../domain/places/branding.ts';
import { documents } from '../../service.ts';

/** Anyone may see a logo: it is in mail, too. Another logo has another address, so that browsers keep it for ever. */
export const handler = documents.endpoint(
  {
    route: 'GET /branding/{orgId}/{version}',
    summary: 'The logo of an organization',
    params: LogoParams,
    answers: { 200: fileOf('image/png', 'image/jpeg') },
    access: 'public',
    undocumented: true,
  },
  async ({ params: { orgId, version }, method, path }) => {
    const bytes = await files('documents').read(logoKey(orgId, version), LOGO_BYTES);
    const type = bytes && imageTypeOf(bytes);
    if (!type) throw new Problem('noRoute', { method, path });
    return file(bytes, type, {
      inline: true,
      headers: { ...CANNOT_RUN, 'cache-control': 'public, max-age=31536000, immutable' },
    });
  },
);
