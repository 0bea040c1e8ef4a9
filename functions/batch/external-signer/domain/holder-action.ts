import type { PlatformAction } from '../../../../shared/platform/shapes.ts';

const SIGNING: ReadonlySet<string> = new Set(['Signer', 'SignRule']);

type Flow = { readonly flowActions: readonly PlatformAction[] };

/** The signing actions of a person in a flow. */
export const actionsOf = ({ flowActions }: Flow, cpf: string): readonly PlatformAction[] =>
  flowActions.filter(({ type, cpfs }) => SIGNING.has(type) && cpfs.includes(cpf));

// One of a rule may have signed while it waits for others, and others may have completed it in their place. Where
// the CPF is not known, the status alone tells.

/** Whether an action waits for this person. */
export const isWaitingFor = ({ status, completedCpfs }: PlatformAction, cpf: string | undefined): boolean =>
  status === 'Pending' && (cpf === undefined || !completedCpfs.includes(cpf));

/** Whether this person has done an action. A platform that does not say who did means its people. */
export const isSignedBy = ({ status, completedCpfs }: PlatformAction, cpf: string | undefined): boolean =>
  cpf !== undefined && completedCpfs.length > 0 ? completedCpfs.includes(cpf) : status === 'Completed';
