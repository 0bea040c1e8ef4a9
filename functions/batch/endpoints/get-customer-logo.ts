import { IMAGE_TYPES } from '../../../shared/files/image-type.ts';
import { EMPTY, fileOf } from '../../../shared/http/declaration.ts';
import { empty, file } from '../../../shared/http/response/answer.ts';
import { readCustomerLogo } from '../domain/customer-logo.ts';
import { errors } from '../errors.ts';
import { batch } from '../service.ts';

// Stored XSS: an SVG that is opened alone is a document of this site. It may style itself, and neither run nor load.
const CANNOT_RUN = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** On the login page and the dashboard. */
export const handler = batch.endpoint(
  {
    route: 'GET /branding/customer-logo',
    summary: 'The logo of the customer',
    description: 'The image that `Branding:CustomerLogo` names: PNG, JPEG or SVG, by its content.',
    tag: 'dashboard',
    answers: { 200: fileOf(...IMAGE_TYPES), 304: EMPTY },
    refuses: ['branding.customer-logo-not-available'],
    access: 'public',
  },
  async ({ headers }) => {
    const logo = await readCustomerLogo();
    if (!logo) throw errors.refuse('branding.customer-logo-not-available');
    const caching = { 'cache-control': 'public, max-age=300', etag: logo.entityTag };
    if (headers['if-none-match'] === logo.entityTag) return empty(304, { headers: caching });
    return file(logo.bytes, logo.mediaType, {
      headers: { ...caching, 'content-security-policy': CANNOT_RUN },
    });
  },
);
