import { readFileSync } from 'node:fs';
import { reasonOf } from '../../shared/command-line/reason.ts';
import type { Stamp } from '../../shared/signing/cms/stamp.ts';
import type { SigningDigest } from '../../shared/signing/digest.ts';
import type { SigningKey } from '../../shared/signing/key.ts';
import { policyFromDer, type SignaturePolicy } from '../../shared/signing/policy.ts';
import { stampWith } from '../../shared/signing/timestamp/client.ts';
import { timestampPost } from '../../shared/signing/timestamp/post.ts';
import { needFile } from '../common/named-file.ts';
import type { Options } from './options.ts';

/** The signed bytes, as they come. */
export type Signed = AsyncGenerator<Uint8Array>;

/** What a format needs: the wishes, the key, and what all formats take alike. */
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
      policy: policy === undefined ? undefined : policyIn(policy, options['policy-uri']),
      stamp: timestamp.length > 0 ? stamping(timestamp) : undefined,
    },
  };
}

function policyIn(file: string, uri: string | undefined): SignaturePolicy {
  needFile(file, { option: '--policy' });
  try {
    return policyFromDer(readFileSync(file), uri);
  } catch (error) {
    throw new Error(`--policy ${file} cannot be used: ${reasonOf(error)}`, { cause: error });
  }
}

// Whoever runs this chose the addresses, so that they may be anywhere, this machine included.
const stamping = (urls: readonly string[]): Stamp =>
  stampWith({
    authorities: urls.map((url) => ({ url })),
    post: timestampPost({ allowPrivateAddresses: true }),
  });
