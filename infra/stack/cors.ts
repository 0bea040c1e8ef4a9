import { settings as batch } from '../../functions/batch/settings.ts';
import { settings as documents } from '../../functions/documents/settings.ts';
import { settings as session } from '../../functions/session/settings.ts';
import type { Resource } from '../resources.ts';

/** The buckets whose files browsers put and get by presigned links, and the origins of those pages. */
const ORIGINS = {
  BatchBucket: () => batch['Upload:CorsOrigins'],
  DocumentsBucket: () => documents['Uploads:CorsOrigins'],
  SessionBucket: () => session['Uploads:CorsOrigins'],
};

/**
 * Lets pages of the origins in Uploads:CorsOrigins and Upload:CorsOrigins use presigned links: without a rule, a browser
 * refuses the answer of the bucket. For deployment and for the local engine.
 * @example allowUploadOrigins(readResources(root, 'documents'))
 */
export function allowUploadOrigins(resources: Readonly<Record<string, Resource>>): void {
  for (const [name, originsOf] of Object.entries(ORIGINS)) {
    const [bucket, origins] = [resources[name], originsOf()];
    if (!bucket || !origins) continue;
    const rule = {
      AllowedOrigins: origins.split(' '),
      AllowedMethods: ['GET', 'PUT'],
      AllowedHeaders: ['*'],
      ExposedHeaders: ['ETag'],
      MaxAge: 3600,
    };
    bucket.Properties = { ...bucket.Properties, CorsConfiguration: { CorsRules: [rule] } };
  }
}
