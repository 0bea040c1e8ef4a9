import { afterEach, expect, test, vi } from 'vitest';
import { readResources } from '../../infra/resources.ts';
import { readDeclared } from '../../infra/runtime/resources/read.ts';
import { allowUploadOrigins } from '../../infra/stack/cors.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const bucketOf = (service: 'batch' | 'documents' = 'documents') => {
  const resources = readResources('.', service);
  allowUploadOrigins(resources);
  return resources[service === 'batch' ? 'BatchBucket' : 'DocumentsBucket']?.Properties;
};

test('no page may use presigned links unless the settings name its origin', () => {
  expect(bucketOf()).not.toHaveProperty('CorsConfiguration');
  vi.stubEnv('Uploads__CorsOrigins', 'https://app.example, https://other.example:8443');
  expect(bucketOf()?.CorsConfiguration).toMatchObject({
    CorsRules: [{ AllowedOrigins: ['https://app.example', 'https://other.example:8443'] }],
  });
});

test('the bucket of the batch service has a setting of its own', () => {
  vi.stubEnv('Uploads__CorsOrigins', 'https://app.example');
  expect(bucketOf('batch')).not.toHaveProperty('CorsConfiguration');
  vi.stubEnv('Upload__CorsOrigins', 'https://operator.example');
  expect(bucketOf('batch')?.CorsConfiguration).toMatchObject({
    CorsRules: [{ AllowedOrigins: ['https://operator.example'] }],
  });
});

test('the local engine has the same rule, for the buckets that the setting is about', () => {
  vi.stubEnv('Uploads__CorsOrigins', 'http://localhost:9999');
  const withRules = readDeclared('.', 'local').buckets.filter(({ cors }) => cors.length > 0);
  const rule = {
    AllowedOrigins: ['http://localhost:9999'],
    AllowedMethods: ['GET', 'PUT'],
    ExposeHeaders: ['ETag'],
    MaxAgeSeconds: 3600,
  };
  expect(withRules.map(({ logicalId }) => logicalId).toSorted()).toEqual([
    'DocumentsBucket',
    'SessionBucket',
  ]);
  for (const { cors } of withRules) expect(cors).toMatchObject([rule]);
});

test.each(['*', 'app.example', 'https://app.example/path'])('%s is no origin', (text) => {
  vi.stubEnv('Uploads__CorsOrigins', text);
  expect(bucketOf).toThrow(
    'Setting Uploads:CorsOrigins (Uploads__CorsOrigins) must be http or https origins',
  );
});
