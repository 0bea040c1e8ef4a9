import { stateMachine } from '../../../../shared/store/state-machine.ts';

export const tokenStates = stateMachine({
  Live: { used: 'Spent', revoked: 'Revoked' },
  Spent: {},
  Revoked: {},
});
