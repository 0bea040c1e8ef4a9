import type { Certificate } from '../../../shared/pki/certificate/certificate.ts';
import { trustAnchors } from '../../../shared/pki/trust-anchors.ts';
import { createSignerJudge } from '../../../shared/pki/verdict/certificate-judge.ts';
import type { Verdict } from '../../../shared/pki/verdict/judgement.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';

/** By what certificates are judged: whom to trust. */
export type SecurityContext = {
  readonly id: string;
  readonly anchors: readonly Certificate[];
};

export const PKI_BRAZIL = '201856ce-273c-4058-a872-8937bd547d36';

/** Whether a context, by default that of ICP-Brasil, trusts certificates of ICP-Brasil alone. */
export const isOfIcpBrasil = (id: string | null | undefined): boolean =>
  !id || id.toLowerCase() === PKI_BRAZIL;

/** The contexts whose ids every deployment knows. Which roots they have, an operator says. */
const ESTABLISHED = {
  [PKI_BRAZIL]: 'SecurityContexts:PkiBrazil',
  'c438b17e-4862-446b-86ad-6f85734f0bfe': 'SecurityContexts:PkiItaly',
  '3881384c-a54d-45c5-bbe9-976b674f5ec7': 'SecurityContexts:WindowsServer',
} as const;

/**
 * The context by this id. One whose roots nobody named is not known. Throws TrustAnchorsUnusable where what was named
 * cannot be read.
 */
export function securityContext(id: string): SecurityContext {
  const known = id.toLowerCase();
  const roots = rootsOf(known);
  if (!roots) throw errors.refuse('SecurityContextNotFound', { securityContextId: known });
  return { id: known, anchors: trustAnchors(roots) };
}

/** What `trustAnchors` takes: files, or PEM text. */
function rootsOf(id: string): string | undefined {
  const setting = isEstablished(id) ? settings[ESTABLISHED[id]] : undefined;
  const files = settings['SecurityContexts:Others'].filter((other) => other.id === id);
  return setting || files.map(({ file }) => file).join(',') || undefined;
}

const isEstablished = (id: string): id is keyof typeof ESTABLISHED => Object.hasOwn(ESTABLISHED, id);

const judge = createSignerJudge('pki', settings);

/** Judges a certificate by the rules of a context. */
export const judgeInContext = (
  { anchors }: SecurityContext,
  certificate: Certificate,
  nowMs: number,
  options: { readonly ignoreRevocationStatusUnknown?: boolean } = {},
): Promise<Verdict> => judge(certificate, nowMs, { anchors, ...options });
