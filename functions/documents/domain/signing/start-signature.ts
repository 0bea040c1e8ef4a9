import type { Caller } from '../../../../shared/access/caller.ts';
import { FileGone } from '../../../../shared/files/stored-file.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import {
  errorFinding,
  resultsOf,
  type ValidationResults,
} from '../../../../shared/pki/findings/validation-results.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import {
  type PreparedSignature,
  prepareSignature,
  signingProblemOf,
} from '../../../../shared/signing/two-step/two-step.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { errors } from '../../errors.ts';
import { requireTicket } from '../document/action-link.ts';
import { type Document, findDocument } from '../document/document.ts';
import { actionNotAwaited } from '../flow/actions.ts';
import { type Assignment, kindOf, type Mark, openAssignments } from '../flow/flow.ts';
import {
  type CertificateIdentity,
  findSignatureAssignment,
  requireMatchingCertificate,
} from '../flow/matching.ts';
import { requireOpen } from './acting.ts';
import { documentInput } from './signature-input.ts';
import {
  judgeSigner,
  type RenderedResults,
  readOfferedCertificate,
  renderResults,
} from './signer-certificate.ts';
import { invalidToken, storeStarted } from './started-signature.ts';
import { isTimestamping } from './timestamps.ts';

export type SignatureRequest = {
  readonly certificate: string;
  readonly flowActionId: string | null;
  readonly signaturePosition?: Mark | null | undefined;
};

export type StartResult = {
  readonly success: boolean;
  readonly token: string | null;
  readonly toSignHash: string | null;
  readonly toSignData: string | null;
  readonly digestAlgorithm: 'SHA256';
  readonly validationResults: RenderedResults;
};

/** Starts a signature for an application. The certificate decides which action of the flow it is. */
export async function startSignature(
  caller: Caller,
  documentId: string,
  request: SignatureRequest,
  nowMs: number,
): Promise<StartResult> {
  const document = await findDocument(caller, documentId);
  requireOpen(document, 'acted', nowMs);
  const choose = (identity: CertificateIdentity) =>
    findSignatureAssignment(document.flow, identity, request.flowActionId);
  return start(document, request, choose, nowMs);
}

/** Starts a signature for the person of a ticket. */
export async function startSignatureByKey(
  key: string,
  { ticket, ...request }: SignatureRequest & { readonly ticket: string },
  nowMs: number,
): Promise<StartResult> {
  const { document, action, person } = await requireTicket(key, ticket, nowMs);
  requireOpen(document, 'acted', nowMs);
  const { flowActionId } = request;
  const match = openAssignments(document.flow).find(
    (open) => open.action.id === action.id && open.person.id === person.id,
  );
  if (!match || kindOf(action) !== 'signature' || (flowActionId !== null && flowActionId !== action.id))
    throw actionNotAwaited(document.flow, {
      flowActionId: flowActionId ?? action.id,
      isPerson: ({ id }) => id === person.id,
      kind: 'signature',
    });
  return start(document, request, (identity) => requireMatchingCertificate(match, identity), nowMs);
}

// The certificate is judged before its holder is matched: an untrusted certificate learns nothing about who is
// expected to sign.
async function start(
  document: Stored<Document>,
  request: SignatureRequest,
  choose: (identity: CertificateIdentity) => Assignment,
  nowMs: number,
): Promise<StartResult> {
  const certificate = readOfferedCertificate(request.certificate);
  const { status, results, path } = await judgeSigner(certificate, nowMs);
  if (status !== 'ACTIVE') return notStarted(results);
  const { action, person } = choose({ ...icpBrasilIdentity(certificate), sha256: certificate.sha256 });
  const mark = document.format === 'PAdES' ? (request.signaturePosition ?? action.mark) : null;
  const prepared = await prepare(document, { certificate, chain: path.slice(1), mark, nowMs });
  if ('errors' in prepared) return notStarted(prepared);
  const { id: documentId, round, signed } = document;
  const token = await storeStarted(
    {
      ...prepared.record,
      documentId,
      actionId: action.id,
      personId: person.id,
      round,
      revision: signed?.revision ?? 0,
      mark,
    },
    nowMs,
  );
  return {
    success: true,
    token,
    toSignHash: prepared.hash.toString('base64'),
    toSignData: prepared.toSign.toString('base64'),
    digestAlgorithm: 'SHA256',
    validationResults: renderResults(results),
  };
}

const notStarted = (results: ValidationResults): StartResult => ({
  success: false,
  token: null,
  toSignHash: null,
  toSignData: null,
  digestAlgorithm: 'SHA256',
  validationResults: renderResults(results),
});

type Signing = {
  readonly certificate: Certificate;
  readonly chain: readonly Certificate[];
  readonly mark: Mark | null;
  readonly nowMs: number;
};

/** The prepared signature, or the results that say why this key must not sign. */
async function prepare(
  document: Document,
  { certificate, chain, mark, nowMs: signingTimeMs }: Signing,
): Promise<PreparedSignature | ValidationResults> {
  try {
    return await prepareSignature(document.format, {
      ...documentInput(document, { mark, certificate, signingTimeMs }),
      certificate,
      chain,
      signingTimeMs,
      isTimestamped: isTimestamping(),
    });
  } catch (error) {
    if (error instanceof FileGone) throw invalidToken();
    const problem = signingProblemOf(error);
    if (!problem) throw error;
    if (problem.subject === 'key')
      return resultsOf([errorFinding('AlgorithmNotAllowed', problem.explanation)]);
    const { reason, explanation } = problem;
    throw errors.refuse('DocumentNotSignable', { reason, explanation });
  }
}
