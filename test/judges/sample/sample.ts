import type { SignaturePolicy } from '../../../shared/signing/cms/policy.ts';
import { hashOf } from '../../../shared/signing/digest.ts';

/** A file to be judged. The content of a detached signature stands beside it. */
export type SampleFile = {
  /** With the ending by which its format is known; that of a detached signature is the name of its content and `.p7s`. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly content?: Buffer | undefined;
};

/** @example named('pades', 'rsa2048', 'B-B', 'pdf') // 'pades-rsa2048-B-B.pdf' */
export const named = (...parts: readonly string[]): string =>
  `${parts.slice(0, -1).join('-')}.${parts.at(-1)}`;

/** A policy of ICP-Brasil by its number, which no judge has a file of. */
export const POLICY: SignaturePolicy = {
  oid: '2.16.76.1.7.1.1.2.4',
  digest: 'sha256',
  hash: hashOf('sha256', Buffer.from('a policy')),
};
