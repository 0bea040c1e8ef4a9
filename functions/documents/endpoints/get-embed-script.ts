import { REDIRECT } from '../../../shared/http/declaration.ts';
import { redirect } from '../../../shared/http/response/answer.ts';
import { assetUrl } from '../../../shared/ui/assets.ts';
import { documents } from '../service.ts';

/** The script for pages of other sites. Its address stays, and leads to the one of the build. */
export const handler = documents.endpoint(
  {
    route: 'GET /embed.js',
    summary: 'The script that shows a signing page in a frame of another site',
    answers: { 302: REDIRECT },
    access: 'public',
    undocumented: true,
  },
  async () =>
    redirect(assetUrl('.', 'documents-embed.js'), {
      headers: { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' },
    }),
);
