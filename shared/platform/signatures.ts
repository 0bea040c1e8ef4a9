import * as z from 'zod';
import type { Deadline } from '../async/deadline.ts';
import { call, json, type Platform, pathOf, requireShape } from './call.ts';
import { cutText, Text } from './text.ts';

/** A document that is signed: by the API key, or by the key and the ticket of an action URL. */
export type SignatureTarget = (
  | { readonly documentId: string }
  | { readonly documentKey: string; readonly ticket: string }
) & { readonly flowActionId?: string | undefined };

export type ToSign = {
  readonly isAccepted: true;
  readonly token: string;
  readonly hash: Buffer;
  /** Of which it is the hash, where the platform says. */
  readonly data?: Buffer | undefined;
  /** In the platform's words; SHA256 where it names none. */
  readonly digestAlgorithm: string;
};

/** What the platform says where it does not accept a certificate or a signature. */
export type NotAccepted = { readonly isAccepted: false; readonly reason: string | undefined };

const ActionUrl = z.object({ url: z.string() });
const Results = z.object({ errors: z.array(z.object({ message: z.string() })).nullish() }).nullish();
export const Started = z.object({
  validationResults: Results.catch(undefined),
  success: z.boolean(),
  token: z.string().nullish(),
  toSignHash: z.base64().nullish(),
  // Another platform may have something else by this name.
  toSignData: z.base64().nullish().catch(undefined),
  digestAlgorithm: Text.nullish(),
});
const Completed = z.object({ validationResults: Results.catch(undefined), success: z.boolean() });

/** The calls by which a certificate signs a document. */
export const signatureCalls = (platform: Platform) => ({
  /** The link to the first action that waits for a person. */
  async actionUrl(
    documentId: string,
    { cpf, email }: { readonly cpf: string; readonly email?: string | undefined },
    deadline: Deadline,
  ): Promise<string> {
    const body = json({ identifier: cpf, ...(email && { emailAddress: email }) });
    const path = pathOf('/api/documents', documentId, '/action-url');
    const answer = await call(platform, { method: 'POST', path, body, deadline });
    return requireShape(ActionUrl, answer).url;
  },

  /** Announces the certificate. Returns the hash to sign, or why the platform does not accept the certificate. */
  async startSignature(
    target: SignatureTarget,
    certificateDer: Uint8Array,
    deadline: Deadline,
  ): Promise<ToSign | NotAccepted> {
    const { flowActionId } = target;
    const body = json({
      ...('ticket' in target && { ticket: target.ticket }),
      certificate: Buffer.from(certificateDer).toString('base64'),
      ...(flowActionId && { flowActionId }),
    });
    const path = signaturePath(target, '/certificate');
    const answer = await call(platform, { method: 'POST', path, body, deadline });
    return toSignOf(requireShape(Started, answer));
  },

  /** Delivers the signature. Returns whether the platform accepted it, and if not, why. */
  async completeSignature(
    target: SignatureTarget,
    { token, signature }: { readonly token: string; readonly signature: Uint8Array },
    deadline: Deadline,
  ): Promise<{ readonly isAccepted: true } | NotAccepted> {
    const body = json({ token, signature: Buffer.from(signature).toString('base64') });
    const answer = await call(platform, { method: 'POST', path: signaturePath(target), body, deadline });
    const { success, validationResults } = requireShape(Completed, answer);
    return success ? { isAccepted: true } : notAccepted(validationResults);
  },
});

/** The hash to sign of an answer to a start. */
export function toSignOf(started: z.output<typeof Started>): ToSign | NotAccepted {
  const { success, token, toSignHash, toSignData, digestAlgorithm, validationResults } = started;
  if (!success || !token || !toSignHash) return notAccepted(validationResults);
  return {
    isAccepted: true,
    token,
    hash: Buffer.from(toSignHash, 'base64'),
    data: toSignData ? Buffer.from(toSignData, 'base64') : undefined,
    digestAlgorithm: digestAlgorithm || 'SHA256',
  };
}

const notAccepted = (results: z.output<typeof Results>): NotAccepted => ({
  isAccepted: false,
  reason: cutText(results?.errors?.map(({ message }) => message).join(' ') ?? '') || undefined,
});

const signaturePath = (target: SignatureTarget, after = ''): string =>
  'documentId' in target
    ? pathOf('/api/documents', target.documentId, `/signature${after}`)
    : pathOf('/api/documents/keys', target.documentKey, `/signature${after}`);

/** Whether a hash to sign is one of SHA-256, by the platform's word for it. */
export const isSha256 = ({ digestAlgorithm }: Pick<ToSign, 'digestAlgorithm'>): boolean =>
  /^sha-?256$/i.test(digestAlgorithm);

const MAX_URL_CHARACTERS = 8_192;
const ACTION_URL = /\/key\/([^/?#]+)\/[^?#]*\?(?:[^#]*&)?ticket=([^&#]+)/;

/**
 * The key and the ticket of an action URL; undefined where either is missing.
 * @example parseActionUrl('https://platform.example/document/key/K1/action?ticket=T1') // { documentKey: 'K1', ticket: 'T1' }
 */
export function parseActionUrl(
  url: string,
): { readonly documentKey: string; readonly ticket: string } | undefined {
  const [, key, ticket] = (url.length <= MAX_URL_CHARACTERS && ACTION_URL.exec(url)) || [];
  if (!key || !ticket) return undefined;
  try {
    return { documentKey: decodeURIComponent(key), ticket: decodeURIComponent(ticket) };
  } catch {
    return undefined;
  }
}
