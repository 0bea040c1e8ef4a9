import type { Caller } from '../../../../shared/access/caller.ts';
import { FileGone } from '../../../../shared/files/stored-file.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import {
  errorFinding,
  resultsOf,
  type ValidationResults,
} from '../../../../shared/pki/findings/validation-results.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import type { SignatureOptions } from '../../../../shared/signing/two-step/options.ts';
import {
  type PreparedSignature,
  prepareSignature,
  signingProblemOf,
} from '../../../../shared/signing/two-step/two-step.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { tickets } from '../document/action-link.ts';
import { type Document, findDocument } from '../document/document.ts';
import {
  type Assignment,
  type FlowAction,
  isSignatureMark,
  type Mark,
  marksIn,
  partIdOf,
  requiredSignatures,
} from '../flow/flow.ts';
import {
  type CertificateIdentity,
  findSignatureAssignment,
  requireMatchingCertificate,
} from '../flow/matching.ts';
import { signatureOptionsOf } from '../flow/xml-options.ts';
import { requireOpen } from './acting.ts';
import { requireAwaited } from './awaited.ts';
import { documentInput } from './signature-input.ts';
import {
  judgeSigner,
  type RenderedResults,
  readOfferedCertificate,
  renderResults,
} from './signer-certificate.ts';
import { invalidToken, storingStarted } from './started-signature.ts';
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

/** A decided start: its answer, and the writes that make it so. There are none where the certificate may not sign. */
export type PlannedStart = { readonly result: StartResult; readonly writes: readonly Write[] };

const commitStart = async ({ result, writes }: PlannedStart): Promise<StartResult> => {
  await commit(writes);
  return result;
};

/** Starts a signature for an application. The certificate decides which action of the flow it is. */
export const startSignature = async (
  caller: Caller,
  documentId: string,
  request: SignatureRequest,
  nowMs: number,
): Promise<StartResult> =>
  commitStart(await planStart(await findDocument(caller, documentId), request, nowMs));

/** The same start, not written yet. `held` is the file of a document that is still to be created. */
export async function planStart(
  document: Document,
  request: SignatureRequest,
  nowMs: number,
  held?: Buffer,
): Promise<PlannedStart> {
  requireOpen(document, 'acted', nowMs);
  const choose = (identity: CertificateIdentity) =>
    findSignatureAssignment(document.flow, identity, request.flowActionId);
  return plan(document, { ...request, held }, choose, nowMs);
}

// A link that is revoked while its certificate is judged, which may take seconds:
//
//   start    |--reads the link-------------------- writes: the link is gone, refused --|
//   revoke        |--ends the link and what was started by it--|
//
/** Starts a signature for the person of a ticket. */
export const startSignatureByKey = (
  key: string,
  { ticket, ...request }: SignatureRequest & { readonly ticket: string },
  nowMs: number,
): Promise<StartResult> =>
  retryOnConflict(async () => {
    const match = await requireAwaited({ key, ticket }, request.flowActionId, nowMs);
    const { document, link } = match;
    const choose = (identity: CertificateIdentity) => requireMatchingCertificate(match, identity);
    const { result, writes } = await plan(document, request, choose, nowMs);
    const guarded = writes.length > 0 ? [...writes, tickets.unchanged(link)] : [];
    return commitStart({ result, writes: guarded });
  });

// The certificate is judged before its holder is matched: an untrusted certificate learns nothing about who is
// expected to sign.
async function plan(
  document: Document,
  { held, ...request }: SignatureRequest & { readonly held?: Buffer | undefined },
  choose: (identity: CertificateIdentity) => Assignment,
  nowMs: number,
): Promise<PlannedStart> {
  const certificate = readOfferedCertificate(request.certificate);
  const { status, results, path } = await judgeSigner(certificate, nowMs);
  if (status !== 'ACTIVE') return notStarted(results);
  const { action, person } = choose({ ...icpBrasilIdentity(certificate), sha256: certificate.sha256 });
  const marks = document.format === 'PAdES' ? shownMarks(action, request.signaturePosition) : [];
  const options = signatureOptionsOf(action, document.xmlNamespaces);
  const signing = { certificate, chain: path.slice(1), marks, nowMs, held, options };
  const prepared = await prepare(document, signing);
  if ('errors' in prepared) return notStarted(prepared);
  const { id: documentId, round, signed } = document;
  const { token, writes } = await storingStarted(
    {
      documentId,
      actionId: action.id,
      personId: partIdOf(person),
      round,
      revision: signed?.revision ?? 0,
      othersFollow: requiredSignatures(document.flow) > 1,
      marks,
    },
    prepared.record,
    nowMs,
  );
  return {
    result: {
      success: true,
      token,
      toSignHash: prepared.hash.toString('base64'),
      toSignData: prepared.toSign.toString('base64'),
      digestAlgorithm: 'SHA256',
      validationResults: renderResults(results),
    },
    writes,
  };
}

/** The marks of an action. A place that the signer chooses takes that of the signature, and of nothing else. */
const shownMarks = (action: FlowAction, chosen: Mark | null | undefined): readonly Mark[] =>
  chosen ? [chosen, ...marksIn(action).filter((mark) => !isSignatureMark(mark))] : marksIn(action);

const notStarted = (results: ValidationResults): PlannedStart => ({
  result: {
    success: false,
    token: null,
    toSignHash: null,
    toSignData: null,
    digestAlgorithm: 'SHA256',
    validationResults: renderResults(results),
  },
  writes: [],
});

type Signing = {
  readonly certificate: Certificate;
  readonly chain: readonly Certificate[];
  readonly marks: readonly Mark[];
  readonly nowMs: number;
  readonly held: Buffer | undefined;
  readonly options: SignatureOptions | undefined;
};

/** The prepared signature, or the results that say why this key must not sign. */
async function prepare(
  document: Document,
  { certificate, chain, marks, nowMs: signingTimeMs, held, options }: Signing,
): Promise<PreparedSignature | ValidationResults> {
  try {
    return await prepareSignature(document.format, {
      ...documentInput(document, { marks, certificate, signingTimeMs, held }),
      certificate,
      chain,
      signingTimeMs,
      isTimestamped: isTimestamping(),
      options,
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
