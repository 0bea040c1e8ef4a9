import type { SignaturePolicy } from '../cms/policy.ts';
import type { PadesOptions } from '../pades/prepare.ts';
import type { XadesOptions } from '../xades/prepare.ts';

/** A policy as JSON: its hash is base64. */
export type PolicyOption = Omit<SignaturePolicy, 'hash'> & { readonly hash: string };

/** The options of CAdES. */
export type CadesParts = {
  /** The signature is apart from its content. A signature that is added to another one is as that one is. */
  readonly detached?: boolean | undefined;
  /** SHA-256 of the content in base64, where the file is not the content: a signature by hash, or one to add to. */
  readonly contentHash?: string | undefined;
};

/**
 * Options of a signature beyond its defaults, as plain JSON. The options of one format have no effect in another.
 * @example { pades: { reason: 'Contract', certify: 2 } }
 */
export type SignatureOptions = {
  readonly policy?: PolicyOption | undefined;
  readonly pades?:
    | Pick<PadesOptions, 'field' | 'reason' | 'location' | 'contact' | 'certify' | 'contentsBytes'>
    | undefined;
  readonly cades?: CadesParts | undefined;
  readonly xades?:
    | Pick<XadesOptions, 'element' | 'placedIn' | 'insertion' | 'idAttributes' | 'leaveRoom'>
    | undefined;
};

/** @example policyOption(readPolicy(file, uri)) */
export const policyOption = ({ hash, ...policy }: SignaturePolicy): PolicyOption => ({
  ...policy,
  hash: hash.toString('base64'),
});

export const policyIn = ({ policy }: SignatureOptions = {}): SignaturePolicy | undefined =>
  policy && { ...policy, hash: Buffer.from(policy.hash, 'base64') };
