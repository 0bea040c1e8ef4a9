import { cookieSessions } from '../../../shared/access/cookie-sessions.ts';
import type { IdentificationMethod } from '../jobs/domain/job/approval.ts';
import { settings } from '../settings.ts';

const DAY_MS = 86_400_000;

/** A session of the portal: its person, and how they are known. */
export type ApproverSession = {
  /** In lower case. */
  readonly address: string;
  readonly method: Exclude<IdentificationMethod, 'SelfDeclaredEmail'>;
  /** When the person last gave a right code. Never moved on by use. */
  readonly verifiedAtMs: number | null;
};

/** The sessions of approvers. They open the portal alone. Another link secret, or another provider, ends them all. */
export const approverSessions = cookieSessions<ApproverSession>({
  service: 'batch',
  kind: 'approver',
  windowMs: () => settings['ApproverPortal:SessionDays'] * DAY_MS,
  boundTo: () => JSON.stringify([settings['ApproverPortal:LinkSecret'], settings['Idp:Authority'] ?? '']),
});
