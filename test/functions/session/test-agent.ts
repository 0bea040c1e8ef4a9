import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { agents } from '../../../functions/session/domain/workstations/agent.ts';
import { createEnrolmentCode } from '../../../functions/session/domain/workstations/enrolment.ts';
import { handler as complete } from '../../../functions/session/endpoints/agent/complete-agent-task.ts';
import { handler as enrol } from '../../../functions/session/endpoints/agent/enrol-agent.ts';
import { handler as poll } from '../../../functions/session/endpoints/agent/poll-agent.ts';
import { handler as updateCertificates } from '../../../functions/session/endpoints/agent/update-agent-certificates.ts';
import { localKey } from '../../../shared/signing/key.ts';
import { proofHash } from '../../../shared/workstation/certificate-proof.ts';
import { publicKeyIn, publicText } from '../../../shared/workstation/keys.ts';
import type { AgentTask, Enrolment, TaskResult } from '../../../shared/workstation/messages.ts';
import { openAnswer } from '../../../shared/workstation/signed-answer.ts';
import { signRequest } from '../../../shared/workstation/signed-request.ts';
import type { Person } from '../../agent/holders.ts';
import { type Answered, call, type Request } from '../../requests/http-event.ts';

/** A request as it goes out: a test may change it on the way. */
export type Sent = Required<Pick<Request, 'path' | 'headers' | 'body' | 'params'>> & { method: string };

const endpoints = { '/agent/poll': poll, '/agent/certificates': updateCertificates } as const;

const endpointOf = (path: string) =>
  path === '/agent/enrolments' ? enrol : (endpoints[path as keyof typeof endpoints] ?? complete);

export const newKeys = () => ({
  ed25519: generateKeyPairSync('ed25519'),
  x25519: generateKeyPairSync('x25519'),
});
export type Keys = ReturnType<typeof newKeys>;

type Message = {
  readonly path: string;
  readonly body: unknown;
  readonly agentId: string;
  readonly key: KeyObject;
  readonly at?: number;
};

/** A request signed as an agent signs it, ready to be sent once, twice or changed. */
export function signedMessage({ path, body, agentId, key, at }: Message): { sent: Sent; nonce: string } {
  const text = JSON.stringify(body);
  const { headers, nonce } = signRequest(key, { method: 'POST', path, agentId, body: text }, at);
  const [, taskId = ''] = /^\/agent\/tasks\/([^/]+)/.exec(path) ?? [];
  return {
    nonce,
    sent: { method: 'POST', path: `/session${path}`, headers, body: text, params: { taskId } },
  };
}

export const deliver = (sent: Sent): Promise<Answered> =>
  call(endpointOf(sent.path.replace('/session', '')), sent);

/** Enrols, and gives the answer as it came. */
export function tryToEnrol(
  enrolment: Partial<Enrolment> & { code: string },
  keys: Keys = newKeys(),
  signer: KeyObject = keys.ed25519.privateKey,
) {
  const publicKeys = {
    ed25519: publicText(keys.ed25519.publicKey),
    x25519: publicText(keys.x25519.publicKey),
  };
  const body = { name: 'a desk', ...publicKeys, ...enrolment };
  return deliver(signedMessage({ path: '/agent/enrolments', body, agentId: '', key: signer }).sent);
}

export type TestAgent = Awaited<ReturnType<typeof enrolTestAgent>>;

/** An agent that says exactly what the test makes it say. */
export async function enrolTestAgent({ cpf }: { readonly cpf?: string } = {}) {
  const { code } = await createEnrolmentCode(cpf ? { cpf } : {}, Date.now());
  const keys = newKeys();
  const answered = (await tryToEnrol({ code }, keys)).json() as { payload: string };
  const { agentId, serverKey } = JSON.parse(answered.payload) as { agentId: string; serverKey: string };
  const key = keys.ed25519.privateKey;
  const server = publicKeyIn(serverKey, 'ed25519');
  if (!server) throw new Error('The server gave no key.');
  const message = (path: string, body: unknown, at?: number) =>
    signedMessage({ path, body, agentId, key, ...(at !== undefined && { at }) });
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const { sent, nonce } = message(path, body);
    const answer = await deliver(sent);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return openAnswer(server, nonce, answer.json());
  };
  return {
    agentId,
    keys,
    server,
    message,
    post,
    stored: () => agents.get(agentId),
    /** Asks for work without waiting for it. */
    poll: (working: string[] = []) =>
      post('/agent/poll', { working, hello: true }) as Promise<{ tasks: AgentTask[]; withdrawn: string[] }>,
    /** Asks for work and waits. */
    wait: (working: string[] = []) =>
      post('/agent/poll', { working }) as Promise<{ tasks: AgentTask[]; withdrawn: string[] }>,
    result: (taskId: string, result: TaskResult) =>
      post(`/agent/tasks/${taskId}/result`, result) as Promise<{ accepted: boolean }>,
    hold: async (...people: Person[]) =>
      post('/agent/certificates', {
        certificates: await Promise.all(
          people.map(async (person) => ({
            der: person.certificate.der.toString('base64'),
            proof: (await proofBy(person, agentId)).toString('base64'),
          })),
        ),
      }),
  };
}

/** The proof that a person's key makes for an agent. */
export const proofBy = ({ privateKey, certificate }: Person, agentId: string): Promise<Buffer> =>
  localKey(privateKey, certificate, []).signHash('sha256', proofHash(agentId, certificate.sha256));

/** What a person's key makes of a document's hash. */
export async function signatureBy({ privateKey, certificate }: Person, text: string) {
  const hash = createHash('sha256').update(text).digest();
  return { hash, signature: await localKey(privateKey, certificate, []).signHash('sha256', hash) };
}
