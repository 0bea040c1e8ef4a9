import { Agent, request } from 'node:http';
import { reasonOf } from '../../../shared/command-line/reason.ts';

/** The result of an invocation: the function's answer, or the reason why there is none. */
export type Invocation = { ok: true; answer: unknown } | { ok: false; reason: string };

export type Invoke = (functionName: string, event: unknown) => Promise<Invocation>;

/**
 * Calls functions by name through a Lambda endpoint, and waits for as long as the function takes.
 * @example const invoke = invoker('http://127.0.0.1:3002'); await invoke('sinete-local-x', { Records })
 */
export function invoker(lambdaUrl: string): Invoke {
  const agent = new Agent({ keepAlive: true });
  return async (functionName, event) => {
    const url = `${lambdaUrl}/2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`;
    try {
      return resultOf(await post(url, JSON.stringify(event), agent));
    } catch (error) {
      return { ok: false, reason: reasonOf(error) };
    }
  };
}

type Reply = { status: number; failed: boolean; text: string };

// Not fetch: it gives up after five minutes without headers, and a function may run for fifteen.
function post(url: string, body: string, agent: Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const call = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          failed: response.headers['x-amz-function-error'] !== undefined,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });
}

function resultOf({ status, failed, text }: Reply): Invocation {
  let answer: unknown = null;
  try {
    answer = text === '' ? null : JSON.parse(text);
  } catch {
    return { ok: false, reason: "the function's answer is not JSON" };
  }
  if (status === 200 && !failed) return { ok: true, answer };
  return { ok: false, reason: errorMessage(answer) ?? `the Lambda endpoint answered ${status}` };
}

function errorMessage(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  if ('errorMessage' in answer && typeof answer.errorMessage === 'string') return answer.errorMessage;
  if ('Message' in answer && typeof answer.Message === 'string') return answer.Message;
  return undefined;
}
