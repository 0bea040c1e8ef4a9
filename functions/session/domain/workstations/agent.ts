import { createPublicKey, type KeyObject } from 'node:crypto';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { pageByCursor } from '../../../../shared/store/cursor.ts';
import { privateKeyIn, publicText } from '../../../../shared/workstation/keys.ts';

/** A workstation that enrolled. What it says is signed with its key, what it is told with ours. */
export type Agent = {
  readonly id: string;
  /** How people call the workstation. */
  readonly name: string;
  /** Its public keys: one verifies what it says, the other seals PINs for it. */
  readonly ed25519: string;
  readonly x25519: string;
  /** The private key that signs answers to this agent and to no other. */
  readonly serverKey: string;
  /** It may hold certificates of this CPF alone; of anyone where there is none. */
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

/** Signs what this agent is told. */
export function serverKeyOf({ id, serverKey }: Agent): KeyObject {
  const key = privateKeyIn(serverKey, 'ed25519');
  if (!key) throw new Error(`Agent ${id} has no key to sign answers with.`);
  return key;
}

/** What the agent verifies answers with. */
export const serverPublicKey = (agent: Agent): string => publicText(createPublicKey(serverKeyOf(agent)));

const ROSTER = 'AGENTS';
const LISTED_AT_ONCE = 500;

// Agents are found by id, one by one; this is the list of the ids there are.
const roster = collection<{ readonly id: string }, string>({
  service: 'session',
  name: 'agent id',
  id: ({ id }) => id,
  key: (id) => ({ pk: ROSTER, sk: id }),
});

/** The write that puts an agent on the list, to go with the one that makes it. */
export const listing = (id: string) => roster.creating({ id });

export async function allAgents(): Promise<Stored<Agent>[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await pageByCursor(roster, { pk: ROSTER, limit: LISTED_AT_ONCE, ...(cursor && { cursor }) });
    if (!('items' in page)) break;
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next;
  } while (cursor);
  return agents.getMany(ids);
}
