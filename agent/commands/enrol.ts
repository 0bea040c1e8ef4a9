import { hostname } from 'node:os';
import type { Output } from '../../shared/command-line/output.ts';
import { CommandRefusal, causeOf } from '../../shared/command-line/reason.ts';
import { generateKeys, isEncrypted, isEnrolled, writeIdentity } from '../identity.ts';
import { enrolAt, ServerRefused } from '../server.ts';

type EnrolOptions = {
  readonly server: string;
  readonly code: string;
  readonly name?: string | undefined;
  readonly dataDir: string;
};

/** The base URL of a server, checked and without a slash at its end. */
export function serverAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CommandRefusal(
      `--server takes an https address, such as https://sign.example/session, not "${text}".`,
    );
  if (!isEncrypted(text))
    throw new CommandRefusal(`${text} is not encrypted. Use https; http is for this machine alone.`);
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** `sinete-agent enrol`: generates this workstation's keys and registers them with a server. */
export async function enrol(
  { server: given, code, name, dataDir }: EnrolOptions,
  { print }: Output,
): Promise<void> {
  const server = serverAddress(given);
  if (isEnrolled(dataDir))
    throw new CommandRefusal(
      `This workstation is enrolled already, in ${dataDir}. Use another folder with --data DIR, or delete that one.`,
    );
  const { ed25519, x25519, publicKeys } = generateKeys();
  const workstation = name ?? hostname();
  const enrolled = await enrolAt(server, ed25519, { code, name: workstation, ...publicKeys }).catch(
    (error) => {
      throw new CommandRefusal(explain(server, error));
    },
  );
  writeIdentity(dataDir, { ...enrolled, server, name: workstation, ed25519, x25519 });
  print(
    `Enrolled ${workstation} as ${enrolled.agentId} at ${server}. Its keys are in ${dataDir}, for this user alone.`,
  );
}

function explain(server: string, error: unknown): string {
  if (error instanceof CommandRefusal) return error.message;
  if (!(error instanceof ServerRefused)) return `${server} does not answer: ${causeOf(error)}.`;
  if (error.status === 401)
    return "The code is not accepted: it was used, has expired or was mistyped, or this machine's clock is wrong. Ask for another one.";
  return `${server} does not enrol this workstation: ${error.message}.`;
}
