import type * as z from 'zod';
import { type BodyReader, jsonBody } from '../../../shared/http/body/reader.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { Stored } from '../../../shared/store/collection.ts';
import { AgentAnswer } from '../../../shared/workstation/messages.ts';
import { signAnswer } from '../../../shared/workstation/signed-answer.ts';
import { type Agent, serverKeyOf } from '../domain/workstations/agent.ts';
import { authenticateAgent, type SignedCall } from '../domain/workstations/authenticate-agent.ts';
import { session } from '../service.ts';

// Room for twenty certificates with their proofs.
const BODY_BYTES = 131_072;
const MAX_VALUES = 1_000;

/** A body that is parsed only after its signature was checked. Until then it is bytes. */
type SignedBody<T> = { readonly bytes: Buffer; readonly read: () => Promise<T> };

function signedJson<S extends z.ZodType>(shape: S): BodyReader<SignedBody<z.output<S>>> {
  const json = jsonBody(shape, { maxValues: MAX_VALUES });
  return {
    ...json,
    accepts: () => true,
    optional: true,
    ceilingBytes: () => BODY_BYTES,
    async read(body, limitBytes) {
      const bytes = await body.bytes(limitBytes);
      return { bytes, read: () => json.read({ ...body, bytes: async () => bytes }, limitBytes) };
    },
  };
}

type Call<T> = {
  readonly call: SignedCall;
  readonly read: () => Promise<T>;
  readonly params: Readonly<Record<string, string>>;
  readonly deadlineAtMs: number;
};

type Route = { readonly route: `POST /agent/${string}`; readonly summary: string };

/** An endpoint for agents that have no id yet. */
export const unknownAgentEndpoint = <S extends z.ZodType>(
  { body, ...declared }: Route & { readonly body: S },
  run: (call: Call<z.output<S>>) => Promise<AgentAnswer>,
): Endpoint =>
  session.endpoint(
    {
      ...declared,
      body: signedJson(body),
      answers: { 200: AgentAnswer },
      // An agent has credentials of its own: no API key, and no slot among the calls of the contract.
      access: 'public',
      challenge: 'Signature realm="session"',
      undocumented: true,
    },
    async ({ method, path, headers, params, deadlineAtMs, body: { bytes, read } }) =>
      run({ call: { method, path: belowBase(path), headers, body: bytes }, read, params, deadlineAtMs }),
  );

/** An endpoint for enrolled agents. The agent signs the request, and the server the answer to this very request. */
export const agentEndpoint = <S extends z.ZodType>(
  declared: Route & { readonly body: S },
  run: (
    input: Omit<Call<unknown>, 'read' | 'call'> & {
      agent: Stored<Agent>;
      body: z.output<S>;
      /** By the agent's clock. */
      sentAtMs: number;
    },
  ) => Promise<unknown>,
): Endpoint =>
  unknownAgentEndpoint(declared, async ({ call, read, ...rest }) => {
    const { agent, nonce, sentAtMs } = await authenticateAgent(call, Date.now());
    return signedAnswer(agent, nonce, await run({ agent, body: await read(), sentAtMs, ...rest }));
  });

/** An answer that only this agent accepts, and only for this request. */
export const signedAnswer = async (agent: Agent, nonce: string, value: unknown): Promise<AgentAnswer> =>
  signAnswer(await serverKeyOf(agent), nonce, value);

// A stage or a domain may put a prefix before the path, which the agent does not know when it signs.
const belowBase = (path: string): string =>
  path.slice(path.lastIndexOf(`${session.basePath}/agent/`) + session.basePath.length);
