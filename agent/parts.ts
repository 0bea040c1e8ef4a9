import type { Output } from '../shared/command-line/output.ts';
import type { Registrar } from './certificates.ts';
import type { Holder } from './holder/holder.ts';
import type { Identity } from './identity.ts';
import type { KeyStore } from './keys/key-store.ts';
import type { PinKeeper } from './pin-keeper.ts';

/** What the tasks of an agent work with. */
export type Parts = {
  readonly identity: Identity;
  readonly store: KeyStore;
  readonly keeper: PinKeeper;
  readonly holder: Holder;
  readonly registrar: Registrar;
  readonly output: Output;
};
