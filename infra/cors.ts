import { settings } from '../functions/documents/settings.ts';
import type { Resource } from './resources.ts';

/** The bucket whose files browsers put and get by presigned links. */
const BUCKET = 'DocumentsBucket';

/**
 * Lets pages of the origins in Uploads:CorsOrigins use presigned links: without a rule, a browser refuses the answer of
 * the bucket. For deployment and for the local engine.
 * @example allowUploadOrigins(readResources(root, 'documents'))
 */
export function allowUploadOrigins(resources: Readonly<Record<string, Resource>>): void {
  const [bucket, origins] = [resources[BUCKET], settings['Uploads:CorsOrigins']];
  if (!bucket || !origins) return;
  const rule = {
    AllowedOrigins: origins.split(' '),
    AllowedMethods: ['GET', 'PUT'],
    AllowedHeaders: ['*'],
    ExposedHeaders: ['ETag'],
    MaxAge: 3600,
  };
  bucket.Properties = { ...bucket.Properties, CorsConfiguration: { CorsRules: [rule] } };
}
