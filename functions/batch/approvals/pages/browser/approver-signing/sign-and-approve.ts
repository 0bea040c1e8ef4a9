import type { Bytes } from '../../../../../../shared/der/bytes.ts';
import { apiAt, bytesAt } from '../../../../../../shared/ui/browser/api.ts';
import { sha256, toBase64 } from '../../../../../../shared/ui/browser/bytes.ts';
import type { Identity } from '../../../../../../shared/ui/browser/open-pkcs12.ts';
import {
  requireDocumentBytes,
  type ToBeSigned,
} from '../../../../../../shared/ui/browser/signing/to-be-signed.ts';
import { sign } from '../../../../../../shared/ui/browser/signing-key.ts';

type Prepared = (ToBeSigned & { readonly outcome: 'prepared'; readonly attemptId: string }) | NotTaken;
type Completed = { readonly outcome: 'signed' } | NotTaken;

/** With a code, or an outcome of the second factor, which is its own reason. */
type NotTaken = { readonly outcome: string; readonly code?: string };
const reasonOf = ({ outcome, code }: NotTaken): string => code ?? outcome;

/** The server refused to take the signature, with a code that the page explains. Nothing is left open there. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** The file that the server gave is not the one that the page shows. */
export class OtherContent extends Error {
  override readonly name = 'OtherContent';
}

export type Step = 'preparing' | 'signing' | 'delivering';

type Signing = {
  /** The address of the portal. */
  readonly portal: string;
  readonly jobId: string;
  /** The SHA-256 that the page shows, in hex. */
  readonly shownSha256: string;
  readonly identity: Identity;
  readonly code?: string;
  readonly onStep: (step: Step) => void;
};

/** Signs the file with a key that stays in the browser: the certificate and the signature are sent. */
export async function signAndApprove(signing: Signing): Promise<void> {
  const { portal, jobId, identity, code, onStep } = signing;
  const post = apiAt(portal);
  onStep('preparing');
  const certificate = toBase64(identity.certificate.der);
  const prepared = await post<Prepared>(`jobs/${jobId}/signature`, { certificate, ...(code && { code }) });
  if (!('attemptId' in prepared)) throw new Refused(reasonOf(prepared));
  const attempt = `signatures/${prepared.attemptId}`;
  const signature = await orReport(`${portal}/${attempt}/failure`, () => signFile(signing, prepared));
  onStep('delivering');
  // A request that is lost on its way may have arrived: nobody reports it, and the server counts what becomes of it.
  const completed = await post<Completed>(attempt, { signature });
  if (completed.outcome !== 'signed') throw new Refused(reasonOf(completed));
}

/**
 * Signing oracle: nothing is signed but a CAdES signature, for this certificate, of the file that the server gives, which
 * must be the one that the page shows.
 */
async function signFile(
  { portal, jobId, shownSha256, identity, onStep }: Signing,
  prepared: ToBeSigned,
): Promise<string> {
  onStep('signing');
  const { key, certificate } = identity;
  const file = await bytesAt(`${portal}/jobs/${jobId}/file`);
  if (toHex(await sha256(file)) !== shownSha256) throw new OtherContent('The file is another one.');
  const known = { certificate, readDocument: async () => file, isCadesOnly: true };
  return toBase64(await sign(key, await requireDocumentBytes(prepared, known)));
}

const toHex = (bytes: Bytes): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Tells the server that the attempt ended here. It is told once, even if the person leaves meanwhile. */
async function orReport<T>(address: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await fetch(address, {
      method: 'POST',
      keepalive: true,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: '{}',
    }).catch(() => undefined); // the expiry of the attempt counts it
    throw error;
  }
}
