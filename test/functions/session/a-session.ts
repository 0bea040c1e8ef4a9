import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { handler as create } from '../../../functions/session/endpoints/create-session.ts';
import { type Answered, call, lambdaContext } from '../../requests/http-event.ts';

export const headers = { 'X-API-Key': SANDBOX_KEY };

export type Created = { sessionId: string; cpf: string; expiresIn: number; expiresAt: string };

// As functions.yml gives the function.
export const createSession = (json: object): Promise<Answered> =>
  call(create, { headers, json }, lambdaContext(75_000));

/** A session of a vault's holder of the sandbox. */
export async function aSession(cpf = '52998224725', more: object = {}): Promise<Created> {
  const answer = await createSession({ cpf, pin: '1234', ...more });
  if (answer.status !== 201) throw new Error(`The session was answered ${answer.status}: ${answer.text}`);
  return answer.json() as Created;
}

export const codeOf = (answer: Answered): string => (answer.json() as { error: { code: string } }).error.code;
