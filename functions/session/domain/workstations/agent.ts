import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { openStored, plainOf, sealStored } from '../../../../shared/keyring/stored.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { eachItem } from '../../../../shared/store/cursor.ts';
import { privateKeyIn, privateText, publicText } from '../../../../shared/workstation/keys.ts';

/** An enrolled workstation. It signs its requests with its own key, and the server its answers with a key of this agent. */
export type Agent = {
  readonly id: string;
  /** A name for people. */
  readonly name: string;
  /** Its public keys: ed25519 verifies its requests, x25519 seals PINs for it. */
  readonly ed25519: string;
  readonly x25519: string;
  /** The private key that signs answers to this agent alone. It opens for this id. */
  readonly sealedServerKey: string;
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

const sealedOf = (id: string) => ({ about: JSON.stringify(['agent server key', id]) });

/** A new key for answers to an agent, in the form in which the store keeps it. */
export const newServerKey = (id: string): Promise<string> =>
  sealStored(sealedOf(id), privateText(generateKeyPairSync('ed25519').privateKey));

/** The key that signs answers to this agent. */
export async function serverKeyOf({ id, sealedServerKey }: Agent): Promise<KeyObject> {
  const name = `The key for answers to agent ${id} (to enrol it again: npm run admin -- agents code)`;
  const key = privateKeyIn(plainOf(name, await openStored(sealedOf(id), sealedServerKey)), 'ed25519');
  if (!key) throw new Error(`Agent ${id} has no key to sign answers with.`);
  return key;
}

/** The key with which the agent verifies answers. */
export const serverPublicKey = async (agent: Agent): Promise<string> =>
  publicText(createPublicKey(await serverKeyOf(agent)));

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
