import { servicePath } from '../../../../shared/hub/visit.ts';
import { errors } from '../../errors.ts';
import { actIdOf, changeAct, electronicActs } from '../document/electronic-act.ts';
import { requireElectronic, viaOf } from '../document/electronic-factors.ts';
import { type ActionLink, pagePathOf } from '../signing/awaited.ts';
import { requireUnlocked } from './check-codes.ts';
import { readLiveness, startLiveness } from './liveness.ts';
import { countRequest } from './request-codes.ts';
import { signerOfLink } from './signers.ts';

// The person leaves for the page of a biometric session, and comes back to one address for all documents:
//
//   page of the link  |--session begun, cookie: this page--|          |--from the cookie--|  page of the link
//   PKI core                                               |-- face --|
//
// The return proves nothing. The session is a part of the act, and its outcome is asked for by the server.

/** How the person of a link stands with their liveness. */
export type FaceView = 'none' | 'inProgress' | 'passed' | 'failed';

const COOKIE = 'sinete-liveness';
const COOKIE_SECONDS = 1_800;

/** Begins a biometric session for the person of a link: its page, and the cookie by which they come back. */
export async function beginLiveness(link: ActionLink, now: () => number) {
  const signer = await signerOfLink(link, null, now());
  const { action, way } = signer;
  const act = actIdOf(signer.document.id, signer);
  if (!action.electronic?.factors.includes('Liveness'))
    throw errors.refuse('InvalidFlowAction', { reason: 'The signature asks for no liveness.' });
  requireElectronic(signer);
  requireUnlocked(await electronicActs.get(act), now());
  await countRequest(act, 'liveness', now);
  const { sessionId, sessionUrl } = await startLiveness();
  await changeAct(act, () => ({ liveness: { sessionId, via: viaOf(way) } }), now());
  const cookie = {
    name: COOKIE,
    value: `${link.key}.${link.ticket}`,
    path: servicePath('documents'),
    maxAge: COOKIE_SECONDS,
  };
  return { sessionUrl, cookie };
}

const VALUE = /^([\w-]{1,200})\.([\w-]{1,200})$/;

/** The page that somebody left, by their cookie. Open redirect: it is always one of this service. */
export function pageToReturnTo(cookies: Readonly<Record<string, string | undefined>>): string | undefined {
  const [, key, ticket] = VALUE.exec(cookies[COOKIE] ?? '') ?? [];
  return key && ticket ? pagePathOf({ key, ticket }) : undefined;
}

export async function readFace(link: ActionLink, nowMs: number): Promise<FaceView> {
  const signer = await signerOfLink(link, null, nowMs);
  const act = await electronicActs.get(actIdOf(signer.document.id, signer));
  if (act?.liveness?.via !== viaOf(signer.way)) return 'none';
  const success = await readLiveness(act.liveness.sessionId);
  return success === null ? 'inProgress' : success ? 'passed' : 'failed';
}
