import type { Caller } from '../../../../shared/access/caller.ts';
import { errors } from '../../errors.ts';
import { findDocumentOfAction } from '../document/action-pointers.ts';
import { findLocatedDocument } from '../document/document.ts';
import { actIdOf, electronicActs, MAX_WRONG_CODES } from '../document/electronic-act.ts';
import { factorsOf, isSent, viaOf } from '../document/electronic-factors.ts';
import type { CodeFactor } from '../flow/flow.ts';
import { type ActionSelector, findAssignment } from '../flow/matching.ts';
import { requireOpen } from '../signing/acting.ts';
import { type ActionLink, requireAwaited } from '../signing/awaited.ts';
import { requestCodes } from './request-codes.ts';
import { type ElectronicSignature, type ElectronicSigner, signElectronically } from './sign.ts';

/** The person of a link, whose signature the document waits for. */
export async function signerOfLink(
  link: ActionLink,
  flowActionId: string | null,
  nowMs: number,
): Promise<ElectronicSigner> {
  const holder = await requireAwaited(link, flowActionId, nowMs);
  return { ...holder, way: { link: holder.link } };
}

/** The person for whom an application acts. */
async function signerOfApplication(
  caller: Caller,
  documentId: string,
  selector: ActionSelector,
  nowMs: number,
): Promise<ElectronicSigner> {
  const found = await findLocatedDocument(caller, documentId);
  requireOpen(found.document, 'acted', nowMs);
  const assignment = findAssignment(found.document.flow, selector, 'signature');
  return { ...found, ...assignment, way: { application: caller.application } };
}

/** Signs for the person of a link. A request may name the action once more. */
export const signByLink = (
  link: ActionLink,
  flowActionId: string | null,
  signature: ElectronicSignature,
  nowMs: number,
): Promise<void> => signElectronically(() => signerOfLink(link, flowActionId, nowMs), signature, nowMs);

/** Signs for a person that an application has identified. */
export const signForPerson = (
  caller: Caller,
  documentId: string,
  selector: ActionSelector,
  signature: ElectronicSignature,
  nowMs: number,
): Promise<void> =>
  signElectronically(() => signerOfApplication(caller, documentId, selector, nowMs), signature, nowMs);

/** Sends the person of a link the codes that their signature asks for. */
export async function requestCodesByLink(link: ActionLink, now: () => number): Promise<void> {
  const signer = await signerOfLink(link, null, now());
  await requestCodes({ ...signer, documentId: signer.document.id }, now);
}

/** The same for an application, which names the action alone. */
export async function requestCodesForAction(
  caller: Caller,
  selector: ActionSelector & { readonly flowActionId: string },
  now: () => number,
): Promise<void> {
  const documentId = await findDocumentOfAction(selector.flowActionId);
  const refusal = {
    flowActionId: selector.flowActionId,
    reason: 'No action by this id asks for a code by SMS.',
  };
  if (documentId === undefined) throw errors.refuse('InvalidFlowAction', refusal);
  const signer = await signerOfApplication(caller, documentId, selector, now());
  await requestCodes({ ...signer, documentId }, now);
}

/** How far the signature of a link's person has come: whether every code is sent that it asks for, and the tries left. */
export async function readProgress(link: ActionLink, nowMs: number) {
  const signer = await signerOfLink(link, null, nowMs);
  const act = await electronicActs.get(actIdOf(signer.document.id, signer));
  const sent = factorsOf(signer.action, signer.way).asked.filter(isSent);
  const isGood = (factor: CodeFactor): boolean => {
    const code = act?.codes[factor];
    return code !== undefined && code.via === viaOf(signer.way) && code.expiresAtMs > nowMs;
  };
  return {
    isSent: sent.length > 0 && sent.every(isGood),
    isLocked: (act?.lockedUntilMs ?? 0) > nowMs,
    attemptsLeft: MAX_WRONG_CODES - (act?.wrongCodes ?? 0),
  };
}

/** The name of the document at a link, as its page shows it. */
export const readDocumentName = async (link: ActionLink, nowMs: number): Promise<string> =>
  (await signerOfLink(link, null, nowMs)).document.name;
