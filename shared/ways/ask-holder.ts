import type { Deadline } from '../async/deadline.ts';
import type { Certificate } from '../pki/certificate/certificate.ts';
import type { workstationsOf } from '../workstation/client.ts';
import { codeOf } from './code.ts';
import type { TokenAsked } from './contract.ts';

/** A document of a question: what the holder is shown of it, and what completes its signature. */
export type StartedDocument = {
  readonly name: string;
  /** In base64. */
  readonly hash: string;
  readonly handle: string;
};

type HolderRequest = {
  readonly subject: string;
  readonly cpf: string;
  /** Of the certificate. */
  readonly sha256: string;
  readonly requester: string;
  /** Starts the signatures with the certificate, or says why there are none. */
  readonly start: (
    certificate: Certificate,
  ) => Promise<readonly StartedDocument[] | { readonly errors: TokenAsked['errors'] }>;
};

/**
 * Starts signatures with a certificate at a workstation, and puts the question for them to its holder. The page keeps the
 * handles, as it does where it signs itself.
 * @example return askHolder(workstations, { subject, cpf, sha256, requester, start }, deadline);
 */
export async function askHolder(
  workstations: ReturnType<typeof workstationsOf>,
  { start, ...request }: HolderRequest,
  deadline: Deadline,
): Promise<TokenAsked> {
  const none = { question: '', documents: [], endsAt: new Date(deadline.now()).toISOString(), errors: [] };
  const found = await workstations.find(request.cpf, deadline);
  const certificate = found.certificates.find(({ sha256 }) => sha256 === request.sha256);
  if (!certificate) return { ...none, state: found.state === 'failed' ? 'failed' : 'offline' };
  const started = await start(certificate);
  if ('errors' in started) return { ...none, state: 'refused', errors: started.errors };
  const documents = started.map(({ name, hash }) => ({ name, hash }));
  const asked = await workstations.ask({ ...request, documents }, deadline);
  if (asked.state !== 'asked') return { ...none, state: asked.state };
  return {
    state: 'asked',
    question: [asked.questionId, ...started.map(({ handle }) => handle)].join('.'),
    documents: documents.map(({ name, hash }) => ({ name, code: codeOf(Buffer.from(hash, 'base64')) })),
    endsAt: new Date(asked.endsAtMs).toISOString(),
    errors: [],
  };
}
