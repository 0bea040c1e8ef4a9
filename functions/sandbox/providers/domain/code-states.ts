import { stateMachine } from '../../../../shared/store/state-machine.ts';

export const codeStates = stateMachine({
  Issued: { redeemed: 'Redeemed' },
  Redeemed: {},
});
