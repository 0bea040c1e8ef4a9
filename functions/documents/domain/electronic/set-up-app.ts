import { otpauthUriOf } from '../../../../shared/access/totp.ts';
import { errors } from '../../errors.ts';
import { authenticators, newPendingSecret, openPendingSecret } from '../document/authenticator.ts';
import { actIdOf, changeAct, electronicActs } from '../document/electronic-act.ts';
import { requireElectronic, viaOf } from '../document/electronic-factors.ts';
import type { ActionLink } from '../signing/awaited.ts';
import { requireUnlocked } from './check-codes.ts';
import type { ElectronicSigner } from './sign.ts';
import { signerOfLink } from './signers.ts';

// Enrolment on first use: whoever comes first by a link, and gives the other codes, sets up an app of theirs. So the first
// signature with an app shows no more than its other factors do; later ones show that the same app signs again.

/** The app of a person as the page of their link shows it. The secret is there only until a code has confirmed it. */
export type AppView =
  | { readonly state: 'none' | 'confirmed' }
  | { readonly state: 'pending'; readonly secret: string; readonly uri: string };

const idsOf = (signer: ElectronicSigner) => ({
  act: actIdOf(signer.document.id, signer),
  app: { organizationId: signer.document.organizationId, personId: signer.person.id },
});

/** Begins to set up the app of the person of a link. A confirmed one stays. */
export async function setUpApp(link: ActionLink, nowMs: number): Promise<void> {
  const signer = await signerOfLink(link, null, nowMs);
  const { act, app } = idsOf(signer);
  if (!signer.action.electronic?.factors.includes('AuthenticatorApp'))
    throw errors.refuse('InvalidFlowAction', { reason: 'The signature asks for no authenticator app.' });
  requireElectronic(signer);
  requireUnlocked(await electronicActs.get(act), nowMs);
  if (await authenticators.get(app)) return;
  const pendingSecret = await newPendingSecret(act, viaOf(signer.way));
  await changeAct(act, () => ({ pendingSecret }), nowMs);
}

export async function readApp(link: ActionLink, nowMs: number): Promise<AppView> {
  const signer = await signerOfLink(link, null, nowMs);
  const { act, app } = idsOf(signer);
  const [confirmed, begun] = await Promise.all([authenticators.get(app), electronicActs.get(act)]);
  if (confirmed) return { state: 'confirmed' };
  if (begun?.pendingSecret === undefined) return { state: 'none' };
  const opened = await openPendingSecret(act, viaOf(signer.way), begun.pendingSecret);
  if ('problem' in opened) return { state: 'none' };
  const secret = opened.plain;
  return {
    state: 'pending',
    secret,
    uri: otpauthUriOf(signer.person.emailAddress ?? signer.person.name, secret),
  };
}
