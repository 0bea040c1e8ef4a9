import { causeOf } from '../../shared/command-line/reason.ts';
import type { SignaturePolicy } from '../../shared/signing/cms/policy.ts';
import type { Stamp } from '../../shared/signing/cms/stamp.ts';
import type { SigningDigest } from '../../shared/signing/digest.ts';
import type { SigningKey } from '../../shared/signing/key.ts';
import { readPolicy } from '../../shared/signing/policy-file.ts';
import { stampWith } from '../../shared/signing/timestamp/client.ts';
import { timestampPost } from '../../shared/signing/timestamp/post.ts';
import { requireFile } from '../arguments/named-file.ts';
import type { Options } from './options.ts';

/** Input of every format: the options, the key, and the parts common to all. */
export type Job = {
  readonly options: Options;
  readonly key: SigningKey;
  readonly common: {
    readonly digest: SigningDigest;
    readonly signingTimeMs: number;
    readonly policy: SignaturePolicy | undefined;
    readonly stamp: Stamp | undefined;
  };
};

/** @example const job = jobOf(options, key, Date.now()) */
export function jobOf(options: Options, key: SigningKey, nowMs: number): Job {
  const { digest, policy, timestamp } = options;
  return {
    options,
    key,
    common: {
      digest,
      signingTimeMs: nowMs,
      policy: policy === undefined ? undefined : policyOf(policy, options['policy-uri']),
      stamp: timestamp.length > 0 ? timestampBy(timestamp) : undefined,
    },
  };
}

function policyOf(file: string, uri: string | undefined): SignaturePolicy {
  requireFile(file, { option: '--policy' });
  try {
    return readPolicy(file, uri);
  } catch (error) {
    throw new Error(`--policy ${file} cannot be used: ${causeOf(error)}`, { cause: error });
  }
}

// The person who runs this chose the addresses, so private ones are allowed.
const timestampBy = (urls: readonly string[]): Stamp =>
  stampWith({
    authorities: urls.map((url) => ({ url })),
    post: timestampPost({ allowPrivateAddresses: true }),
  });
