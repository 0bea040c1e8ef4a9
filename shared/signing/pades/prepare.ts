import type { Certificate } from '../../pki/certificate/certificate.ts';
import { CONTENT } from '../cms/oids.ts';
import type { SignaturePolicy } from '../cms/policy.ts';
import { type Prepared, prepareSignerInfo, type SignerState } from '../cms/signer-info.ts';
import type { SigningDigest } from '../digest.ts';
import { type ContentsPlaceholder, hashAround } from './contents-placeholder.ts';
import { SUB_FILTER } from './fields.ts';
import { openForSigning } from './open-for-signing.ts';
import { append, type Source, sourceOf } from './pdf/source.ts';
import { dateString, textString } from './pdf/text.ts';
import type { ChangeLevel } from './permissions.ts';
import { appendSignedField, type Visible } from './signed-field.ts';

export type PadesOptions = {
  /** SHA-256 by default. */
  readonly digest?: SigningDigest | undefined;
  /** The signer's claim, written to /M in the PDF and not to the signature (ETSI EN 319 142-1, 6.3). */
  readonly signingTimeMs: number;
  /** An empty signature field of the form, or the name of a new one. */
  readonly field?: string | undefined;
  readonly visible?: Visible | undefined;
  readonly name?: string | undefined;
  readonly reason?: string | undefined;
  readonly location?: string | undefined;
  readonly contact?: string | undefined;
  /** An ICP-Brasil policy. The signature gets ICP-Brasil's own /SubFilter. */
  readonly policy?: SignaturePolicy | undefined;
  /** Certifies the document: 1 allows no change afterwards, 2 forms and signatures, 3 annotations too. */
  readonly certify?: ChangeLevel | undefined;
  /** Whether the placeholder has room for a timestamp. */
  readonly timestamped?: boolean | undefined;
  /** The size of the placeholder, where the usual one is too small. */
  readonly contentsBytes?: number | undefined;
};

export type Signer = { readonly certificate: Certificate; readonly chain: readonly Certificate[] };

/** The state between both steps: JSON of a few kilobytes for a file of any size. */
export type PadesState = Omit<ContentsPlaceholder, 'byteRangeAt'> & {
  readonly fileBytes: number;
  readonly signer: SignerState;
  /** Base64 of DER: the signer's certificate and its chain. */
  readonly certificates: readonly string[];
};

export type PreparedPades = Prepared<PadesState> & {
  /** The bytes to append, without the signature: keep them beside the original until completing. */
  readonly increment: Buffer;
};

/**
 * The first step: returns the bytes to append, the hash that the signer's key must sign, and the state to keep until then.
 * @example const { hash, digest, state, increment } = preparePades(bytes, { certificate, chain, signingTimeMs: now() });
 */
export function preparePades(file: Uint8Array | Source, options: PadesOptions & Signer): PreparedPades {
  const source = file instanceof Uint8Array ? sourceOf(file) : file;
  const { certificate, chain, digest = 'sha256', policy } = options;
  const { increment, placeholder } = appendSignedField(openForSigning(source), {
    ...options,
    ...signatureEntries(options),
    kind: 'signature',
    contentsBytes: options.contentsBytes ?? contentsBytesFor(options),
  });
  const contentDigest = hashAround(append(source, increment), placeholder, digest);
  const prepared = prepareSignerInfo({
    certificate,
    digest,
    contentDigest,
    contentType: CONTENT.data,
    policy,
  });
  const { contentsAt, contentsBytes } = placeholder;
  const state: PadesState = {
    fileBytes: source.length,
    contentsAt,
    contentsBytes,
    signer: prepared.state,
    certificates: [certificate, ...chain].map(({ der }) => der.toString('base64')),
  };
  return { ...prepared, state, increment };
}

function signatureEntries({ policy, signingTimeMs, name, reason, location, contact }: PadesOptions) {
  const subFilter = policy ? SUB_FILTER.icpBrasil : SUB_FILTER.pades;
  const texts = { Name: name, Reason: reason, Location: location, ContactInfo: contact };
  const written = Object.entries(texts).map(([key, text]) =>
    text === undefined ? '' : `/${key}${textString(text)}`,
  );
  return {
    head: `/Type/Sig/Filter/Adobe.PPKLite/SubFilter/${subFilter}`,
    tail: `/M${dateString(signingTimeMs)}${written.join('')}`,
  };
}

const SIGNATURE_BYTES = 2048; // attributes, a signature of 4096 bits, algorithms and names
export const TIMESTAMP_BYTES = 12 * 1024; // a token with its authority's chain; real ones take 3 to 8 KB

function contentsBytesFor({ certificate, chain, policy, timestamped }: PadesOptions & Signer): number {
  const certificates = [certificate, ...chain].reduce((sum, { der }) => sum + der.length, 0);
  const policyBytes = policy ? 256 + (policy.uri?.length ?? 0) : 0;
  return certificates + SIGNATURE_BYTES + policyBytes + (timestamped ? TIMESTAMP_BYTES : 0);
}
