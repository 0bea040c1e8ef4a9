import { createPublicKey, type KeyObject } from 'node:crypto';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { eachItem } from '../../../../shared/store/cursor.ts';
import { privateKeyIn, publicText } from '../../../../shared/workstation/keys.ts';

/** An enrolled workstation. It signs its requests with its own key, and the server its answers with `serverKey`. */
export type Agent = {
  readonly id: string;
  /** A name for people. */
  readonly name: string;
  /** Its public keys: ed25519 verifies its requests, x25519 seals PINs for it. */
  readonly ed25519: string;
  readonly x25519: string;
  /** The private key that signs answers to this agent alone. */
  readonly serverKey: string;
  /** It may hold certificates of this CPF only; of anyone when left out. */
  readonly cpf?: string;
  readonly certificates: readonly HeldCertificate[];
  readonly enrolledAtMs: number;
  readonly disabled: boolean;
};

export type HeldCertificate = { readonly sha256: string; readonly cpf: string };

export const agents = collection<Agent, string>({
  service: 'session',
  name: 'agent',
  id: ({ id }) => id,
  key: (id) => ({ pk: `AGENT#${id}`, sk: 'AGENT' }),
});

/** The key that signs answers to this agent. */
export function serverKeyOf({ id, serverKey }: Agent): KeyObject {
  const key = privateKeyIn(serverKey, 'ed25519');
  if (!key) throw new Error(`Agent ${id} has no key to sign answers with.`);
  return key;
}

/** The key with which the agent verifies answers. */
export const serverPublicKey = (agent: Agent): string => publicText(createPublicKey(serverKeyOf(agent)));

const ROSTER = 'AGENTS';

// Agents are read by id. The roster lists the ids.
const roster = collection<{ readonly id: string }, string>({
  service: 'session',
  name: 'agent id',
  id: ({ id }) => id,
  key: (id) => ({ pk: ROSTER, sk: id }),
});

/** The write that adds an agent to the roster, in the transaction that creates it. */
export const listing = (id: string) => roster.creating({ id });

export async function allAgents(): Promise<Stored<Agent>[]> {
  return agents.getMany(await Array.fromAsync(eachItem(roster, { pk: ROSTER }), ({ id }) => id));
}
