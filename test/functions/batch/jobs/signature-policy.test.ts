import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { policyOf } from '../../../../functions/batch/jobs/domain/job/signature-policy.ts';
import { generalizedTime, octetString, oid, sequence } from '../../../../shared/der/write.ts';
import { digestAlgorithm } from '../../../../shared/signing/digest.ts';
import { folder } from '../../../shared/signing/cms/openssl.ts';

const files = folder();
afterAll(() => files.remove());
afterEach(() => {
  vi.unstubAllEnvs();
});

const ownHash = randomBytes(32);
const info = sequence(oid('2.16.76.1.7.1.11.1'), generalizedTime(Date.UTC(2020, 0, 1)), sequence());
const file = files.file('policy.der', sequence(digestAlgorithm('sha256'), info, octetString(ownHash)));

describe('the signature policy of a format', () => {
  test('is none unless a setting names its file', () => {
    for (const format of ['Pades', 'Cades', 'Xades'] as const) expect(policyOf(format)).toBeUndefined();
    vi.stubEnv('Signing__Policies__Pades', '');
    expect(policyOf('Pades')).toBeUndefined();
  });

  test('is read from that file, and its address from a setting of its own', () => {
    vi.stubEnv('Signing__Policies__Pades', file);
    const policy = { oid: '2.16.76.1.7.1.11.1', digest: 'sha256', hash: ownHash };
    expect(policyOf('Pades')).toEqual(policy);
    expect(policyOf('Cades')).toBeUndefined();
    vi.stubEnv('Signing__PolicyUris__Pades', 'http://policies.example/policy.der');
    expect(policyOf('Pades')).toEqual({ ...policy, uri: 'http://policies.example/policy.der' });
  });

  test('that cannot be used is named with its file', () => {
    vi.stubEnv('Signing__Policies__Xades', files.path('nothing.der'));
    expect(() => policyOf('Xades')).toThrow(/^The signature policy in .*nothing\.der cannot be used: ENOENT/);
    vi.stubEnv('Signing__Policies__Xades', files.file('text.der', 'no policy'));
    expect(() => policyOf('Xades')).toThrow(
      /^The signature policy in .*text\.der cannot be used: The file is no/,
    );
  });
});
