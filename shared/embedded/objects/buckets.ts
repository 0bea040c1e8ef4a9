import type { Database } from '../database.ts';
import type { Request } from '../request.ts';
import type { Catalog, CorsRule } from './catalog.ts';
import {
  bucketExists,
  bucketNotEmpty,
  invalidArgument,
  invalidBucketName,
  malformed,
  notFound,
  onlyKnown,
} from './errors.ts';
import { notificationsOf } from './notifications.ts';

const NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const CORS_RULE = [
  'ID',
  'AllowedOrigins',
  'AllowedMethods',
  'AllowedHeaders',
  'ExposeHeaders',
  'MaxAgeSeconds',
];

/** The commands of buckets. Their configuration is in the database, so that every process knows it. */
export function createBuckets(database: Database, catalog: Catalog, now: () => number) {
  const commit = (work: () => void) =>
    database.commit(() => {
      work();
      return {};
    });

  return {
    CreateBucket: (request: Request) =>
      commit(() => {
        onlyKnown(request, ['Bucket']);
        const name = String(request.Bucket);
        if (!NAME.test(name)) throw invalidBucketName();
        if (catalog.findBucket(name)) throw bucketExists();
        catalog.createBucket(name, now());
      }),
    HeadBucket: async (request: Request) => {
      onlyKnown(request, ['Bucket']);
      if (!catalog.findBucket(request.Bucket)) throw notFound();
      return {};
    },
    ListBuckets: async (request: Request) => {
      onlyKnown(request, []);
      const Buckets = catalog
        .buckets()
        .map(({ name, createdMs }) => ({ Name: name, CreationDate: new Date(createdMs) }));
      return { Buckets };
    },
    DeleteBucket: (request: Request) =>
      commit(() => {
        onlyKnown(request, ['Bucket']);
        const { name } = catalog.requireBucket(request.Bucket);
        if (!catalog.isEmpty(name)) throw bucketNotEmpty();
        catalog.removeBucket(name);
      }),
    PutBucketCors: (request: Request) =>
      commit(() => {
        onlyKnown(request, ['Bucket', 'CORSConfiguration']);
        const { name } = catalog.requireBucket(request.Bucket);
        const { CORSRules = [] } = (request.CORSConfiguration ?? {}) as { CORSRules?: readonly CorsRule[] };
        if (CORSRules.length === 0) throw malformed();
        for (const rule of CORSRules) onlyKnown(rule, CORS_RULE);
        catalog.setCors(name, CORSRules);
      }),
    DeleteBucketCors: (request: Request) =>
      commit(() => {
        onlyKnown(request, ['Bucket']);
        catalog.setCors(catalog.requireBucket(request.Bucket).name, []);
      }),
    PutBucketNotificationConfiguration: (request: Request) =>
      commit(() => {
        onlyKnown(request, ['Bucket', 'NotificationConfiguration', 'SkipDestinationValidation']);
        const { name } = catalog.requireBucket(request.Bucket);
        try {
          catalog.setNotifications(
            name,
            notificationsOf((request.NotificationConfiguration ?? {}) as Request),
          );
        } catch (error) {
          throw invalidArgument((error as Error).message);
        }
      }),
  };
}
