import type { Certificate } from '../../pki/certificate/certificate.ts';
import { onlyOctets, readAttributes } from '../cms/attribute-map.ts';
import { readElement } from '../cms/ber-or-der.ts';
import { ATTRIBUTE, CONTENT } from '../cms/oids.ts';
import type { SignaturePolicy } from '../cms/policy.ts';
import { type Prepared, prepareSignerInfo, type SignerState } from '../cms/signer-info.ts';
import type { SplitSignedData } from '../cms/split.ts';
import type { SigningDigest } from '../digest.ts';
import type { DigestedContent } from './content.ts';
import { checkSameContent } from './existing.ts';

export type CadesOptions = {
  /** The default is SHA-256. */
  readonly digest?: SigningDigest | undefined;
  /** The signer's claim. CAdES always carries it. */
  readonly signingTimeMs: number;
  readonly policy?: SignaturePolicy | undefined;
  /** An existing signature over the same content. This one is added to it. */
  readonly onto?: SplitSignedData | undefined;
};

export type Signer = { readonly certificate: Certificate; readonly chain: readonly Certificate[] };

/** JSON of a few kilobytes, for content of any size. */
export type CadesState = {
  readonly signer: SignerState;
  /** Base64 of DER: the signer's certificate and its chain. */
  readonly certificates: readonly string[];
  readonly content: { readonly hash: string; readonly bytes?: number | undefined };
};

/**
 * The first step: the hash that the signer's key must sign, and the state to keep until then.
 * @example const { hash, digest, state } = prepareCades(await measure(file, 'sha256'), { certificate, chain, signingTimeMs });
 */
export function prepareCades(content: DigestedContent, options: CadesOptions & Signer): Prepared<CadesState> {
  const { certificate, chain, digest = 'sha256', onto } = options;
  if (onto) checkSameContent(onto, digest, content.hash);
  const prepared = prepareSignerInfo({
    certificate,
    digest,
    contentDigest: content.hash,
    contentType: onto?.contentType ?? CONTENT.data,
    signingTimeMs: options.signingTimeMs,
    policy: options.policy,
  });
  const state = {
    signer: prepared.state,
    certificates: [certificate, ...chain].map(({ der }) => der.toString('base64')),
    content: { hash: content.hash.toString('base64'), bytes: content.bytes },
  };
  return { ...prepared, state };
}

/** The message-digest among the attributes that a signer signs. @example signedDigestOf(state)?.equals(hash) */
export const signedDigestOf = ({ signer }: CadesState): Buffer | undefined =>
  readElement(Buffer.from(signer.signedAttributes, 'base64'), (attributes) =>
    onlyOctets(readAttributes(attributes), ATTRIBUTE.messageDigest),
  );
