import type { Caller } from '../../../../shared/access/caller.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import type { ValidationResults } from '../../../../shared/pki/verdict/validation-results.ts';
import type { Verdict } from '../../../../shared/pki/verdict/verdict.ts';
import { loadFormat, type Prepared } from '../../../../shared/signing/two-step/format.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { requireTicket as admitted } from '../document/action-link.ts';
import { type Document, findDocument } from '../document/document.ts';
import { FileGone } from '../document/newest-file.ts';
import { actionNotAwaited as notAwaited } from '../flow/actions.ts';
import { openAssignments as awaited, kindOf, type Mark, type Assignment as Matched } from '../flow/flow.ts';
import {
  requireMatchingCertificate as checked,
  type CertificateIdentity as Identity,
  findSignatureAssignment as signatureOf,
} from '../flow/matching.ts';
import { requireOpen as refuseUnlessOpen } from './acting.ts';
import { asKeyProblem, asRefusal } from './not-signable.ts';
import { keepStarted, startAgain } from './signature-tokens.ts';
import {
  judgeSigner,
  readOfferedCertificate as offeredCertificate,
  type RenderedResults as ShownResults,
  renderResults as shownResults,
} from './signer-certificate.ts';
import { type Subject, signableOf } from './subject.ts';
import { isTimestamping } from './timestamps.ts';

/** A signature as a caller asks for it. */
export type Wish = {
  readonly certificate: string;
  readonly flowActionId: string | null;
  readonly signaturePosition?: Mark | null | undefined;
};

export type Started = {
  readonly success: boolean;
  readonly token: string | null;
  readonly toSignHash: string | null;
  readonly toSignData: string | null;
  readonly digestAlgorithm: 'SHA256';
  readonly validationResults: ShownResults;
};

/** For an application: whose part it is, the certificate says. */
export async function startSignature(
  id: string,
  caller: Caller,
  wish: Wish,
  nowMs: number,
): Promise<Started> {
  const document = await findDocument(caller, id);
  refuseUnlessOpen(document, 'acted', nowMs);
  return start(document, wish, (identity) => signatureOf(document.flow, identity, wish.flowActionId), nowMs);
}

/** For the person that a ticket was made for. */
export async function startSignatureByKey(
  key: string,
  { ticket, ...wish }: Wish & { readonly ticket: string },
  nowMs: number,
): Promise<Started> {
  const { document, action, person } = await admitted(key, ticket, nowMs);
  refuseUnlessOpen(document, 'acted', nowMs);
  const { flowActionId } = wish;
  const match = awaited(document.flow).find(
    (open) => open.action.id === action.id && open.person.id === person.id,
  );
  if (!match || kindOf(action) !== 'signature' || (flowActionId !== null && flowActionId !== action.id))
    throw notAwaited(document.flow, {
      flowActionId: flowActionId ?? action.id,
      isPerson: ({ id }) => id === person.id,
      kind: 'signature',
    });
  return start(document, wish, (identity) => checked(match, identity), nowMs);
}

// The certificate is judged before it is asked whose it is: a claim that nobody vouches for learns nothing of who is
// expected to sign.
async function start(
  document: Stored<Document>,
  wish: Wish,
  choose: (identity: Identity) => Matched,
  nowMs: number,
): Promise<Started> {
  const certificate = offeredCertificate(wish.certificate);
  const verdict = await judgeSigner(certificate, nowMs);
  if (verdict.status !== 'ACTIVE') return notStarted(verdict.results);
  const match = choose({ ...icpBrasilIdentity(certificate), sha256: certificate.sha256 });
  const subject = subjectOf(
    document,
    certificate,
    verdict,
    wish.signaturePosition ?? match.action.mark,
    nowMs,
  );
  const prepared = await prepare(document, subject);
  if ('errors' in prepared) return notStarted(prepared);
  return {
    success: true,
    token: await kept(document, match, subject, prepared, nowMs),
    toSignHash: prepared.hash.toString('base64'),
    toSignData: prepared.toSign.toString('base64'),
    digestAlgorithm: 'SHA256',
    validationResults: shownResults(verdict.results),
  };
}

const notStarted = (results: ValidationResults): Started => ({
  success: false,
  token: null,
  toSignHash: null,
  toSignData: null,
  digestAlgorithm: 'SHA256',
  validationResults: shownResults(results),
});

const subjectOf = (
  document: Document,
  certificate: Certificate,
  { path }: Verdict,
  mark: Mark | null,
  signingTimeMs: number,
): Subject => ({
  document,
  certificate,
  chain: path.slice(1),
  signingTimeMs,
  mark: document.format === 'PAdES' ? mark : null,
  isTimestamped: isTimestamping(),
});

async function prepare(
  { format }: Document,
  subject: Subject,
): Promise<Prepared<unknown> | ValidationResults> {
  try {
    return await (await loadFormat(format)).prepare(signableOf(subject));
  } catch (error) {
    const problem = asKeyProblem(error);
    if (problem) return problem;
    throw error instanceof FileGone ? startAgain() : asRefusal(error);
  }
}

const kept = (
  { id, round, signed, format }: Document,
  { action, person }: Matched,
  { certificate, chain, signingTimeMs, mark, isTimestamped }: Subject,
  { hash, state }: Prepared<unknown>,
  nowMs: number,
): Promise<string> =>
  keepStarted(
    {
      documentId: id,
      actionId: action.id,
      personId: person.id,
      round,
      revision: signed?.revision ?? 0,
      format,
      certificate: certificate.der.toString('base64'),
      chain: chain.map(({ der }) => der.toString('base64')),
      signingTimeMs,
      mark,
      isTimestamped,
      toSignHash: hash.toString('base64'),
      prepared: JSON.stringify(state),
    },
    nowMs,
  );
