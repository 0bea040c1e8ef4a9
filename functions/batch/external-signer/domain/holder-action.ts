import type { PlatformAction } from '../../../../shared/platform/shapes.ts';

const SIGNING: ReadonlySet<string> = new Set(['Signer', 'SignRule']);

type Flow = { readonly flowActions: readonly PlatformAction[] };

/** The signing actions of a person in a flow. */
export const actionsOf = ({ flowActions }: Flow, cpf: string): readonly PlatformAction[] =>
  flowActions.filter(({ type, cpfs }) => SIGNING.has(type) && cpfs.includes(cpf));

/** Whether an action waits for this person. One of a rule may have signed while it waits for others. */
export const isWaitingFor = ({ status, completedCpfs }: PlatformAction, cpf: string): boolean =>
  status === 'Pending' && !completedCpfs.includes(cpf);

/** Whether this person, or for a rule another in their place, has done the action. */
export const isSignedBy = ({ status, completedCpfs }: PlatformAction, cpf: string): boolean =>
  status === 'Completed' || completedCpfs.includes(cpf);
