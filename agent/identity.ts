import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { CommandRefusal } from '../shared/command-line/reason.ts';
import { privateKeyIn, privateText, publicKeyIn, publicText } from '../shared/workstation/keys.ts';

/** The identity of this agent at one server. */
export type Identity = {
  readonly agentId: string;
  /** The base URL of the session server. */
  readonly server: string;
  readonly name: string;
  /** Signs the agent's requests. */
  readonly ed25519: KeyObject;
  /** Opens PINs that are sealed for this agent. */
  readonly x25519: KeyObject;
  /** Verifies the server's answers. */
  readonly serverKey: KeyObject;
};

const IdentityFile = z.object({
  agentId: z.string(),
  server: z.url(),
  name: z.string(),
  ed25519: z.string(),
  x25519: z.string(),
  serverKey: z.string(),
});

export const defaultDataDir = (): string => join(homedir(), '.sinete-agent');

const pathIn = (dataDir: string): string => join(dataDir, 'identity.json');

/** Generates keys, with their public halves for an enrolment. */
export function generateKeys() {
  const [ed25519, x25519] = [generateKeyPairSync('ed25519'), generateKeyPairSync('x25519')];
  return {
    ed25519: ed25519.privateKey,
    x25519: x25519.privateKey,
    publicKeys: { ed25519: publicText(ed25519.publicKey), x25519: publicText(x25519.publicKey) },
  };
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether what is sent to an address is encrypted on its way, or stays on this machine. */
export function isEncrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return /^(https|wss):$/.test(protocol) || LOOPBACK.test(hostname);
}

export const isEnrolled = (dataDir: string): boolean => existsSync(pathIn(dataDir));

/** @example const identity = readIdentity('/home/ana/.sinete-agent') */
export function readIdentity(dataDir: string): Identity {
  const path = pathIn(dataDir);
  if (!isEnrolled(dataDir))
    throw new CommandRefusal(
      `This workstation is not enrolled: there is no ${path}. Enrol it first: sinete-agent enrol --server URL --code CODE`,
    );
  const read = IdentityFile.safeParse(readJson(path));
  const ed25519 = read.data && privateKeyIn(read.data.ed25519, 'ed25519');
  const x25519 = read.data && privateKeyIn(read.data.x25519, 'x25519');
  const serverKey = read.data && publicKeyIn(read.data.serverKey, 'ed25519');
  if (!read.data || !ed25519 || !x25519 || !serverKey)
    throw new CommandRefusal(`${path} is damaged. Delete it and enrol this workstation anew.`);
  return { ...read.data, ed25519, x25519, serverKey };
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES')
      throw new CommandRefusal(`${path} cannot be read by this user.`);
    return undefined;
  }
}

export function writeIdentity(dataDir: string, identity: Identity): void {
  const { agentId, server, name } = identity;
  writePrivately(dataDir, pathIn(dataDir), {
    agentId,
    server,
    name,
    ed25519: privateText(identity.ed25519),
    x25519: privateText(identity.x25519),
    serverKey: publicText(identity.serverKey),
  });
}

/** Writes a file that only this user may read. It is renamed into place: a reader sees it whole, or the one before. */
export function writePrivately(dataDir: string, path: string, value: unknown): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${path}.draft`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600); // the mode above applies to new files only, and the umask reduces it
  renameSync(draft, path);
}
