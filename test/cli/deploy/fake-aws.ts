// The parts of AWS that a deployment calls, over HTTP, with the rules that matter to it. It keeps all that it was sent.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { FakeStacks } from './fake-stacks.ts';
import { escaped, Refusal, xmlOf } from './xml.ts';

export const ACCOUNT = '123456789012';

export type FakeAws = {
  readonly endpoint: string;
  readonly stacks: FakeStacks;
  /** The values of Systems Manager by their names. */
  readonly parameters: Map<string, string>;
  /** Lambda's concurrent executions; undefined refuses to say. */
  concurrency: number | undefined;
  hasCredentials: boolean;
  hasLogRole: boolean;
  /** The commands that were called, and all bytes that were sent. */
  readonly calls: string[];
  readonly sent: Buffer[];
  stop(): Promise<void>;
};

/** Commands that change nothing. */
export const isReading = (call: string): boolean => /^(Get|Describe|List|Head)/.test(call);

export async function startFakeAws(): Promise<FakeAws> {
  const server = createServer((request, response) => void serve(aws, request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const aws: FakeAws = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stacks: new FakeStacks(),
    parameters: new Map(),
    concurrency: 1_000,
    hasCredentials: true,
    hasLogRole: true,
    calls: [],
    sent: [],
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return aws;
}

async function serve(aws: FakeAws, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  aws.sent.push(body);
  const target = String(request.headers['x-amz-target'] ?? '').split('.')[1];
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://aws');
  const answer = (status: number, text: string, type: string): void => {
    response.writeHead(status, { 'content-type': type });
    response.end(request.method === 'HEAD' ? undefined : text);
  };
  try {
    if (target)
      return answer(200, json(aws, target, JSON.parse(body.toString())), 'application/x-amz-json-1.1');
    if (request.method === 'POST' && pathname === '/') {
      const form = Object.fromEntries(new URLSearchParams(body.toString()));
      return answer(200, query(aws, form), 'text/xml');
    }
    if (pathname === '/account') {
      aws.calls.push('GetAccount');
      const role = aws.hasLogRole ? { cloudwatchRoleArn: `arn:aws:iam::${ACCOUNT}:role/logs` } : {};
      return answer(200, JSON.stringify(role), 'application/json');
    }
    return answer(200, objects(aws, `${request.method}`, pathname, searchParams, body), 'application/xml');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, status } = error;
    if (target)
      return answer(status, JSON.stringify({ __type: code, message }), 'application/x-amz-json-1.1');
    const text = `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${escaped(message)}</Message></Error></ErrorResponse>`;
    answer(status, text, 'text/xml');
  }
}

/** Systems Manager, KMS, which knows no key, and Service Quotas. */
function json(aws: FakeAws, command: string, input: { Names?: string[] }): string {
  aws.calls.push(command);
  if (command === 'GetParameters') {
    const Parameters = (input.Names ?? []).flatMap((Name) => {
      const Value = aws.parameters.get(Name);
      return Value === undefined ? [] : [{ Name, Value, Type: 'SecureString' }];
    });
    return JSON.stringify({ Parameters });
  }
  if (command === 'Decrypt') throw new Refusal('InvalidCiphertextException', 'not of any key');
  if (aws.concurrency === undefined) throw new Refusal('AccessDeniedException', 'not allowed');
  return JSON.stringify({ Quota: { QuotaCode: 'L-B99A9384', Value: aws.concurrency } });
}

/** STS and CloudFormation. */
function query({ hasCredentials, stacks, calls }: FakeAws, form: Record<string, string>): string {
  const { Action = '' } = form;
  calls.push(Action);
  if (!hasCredentials)
    throw new Refusal('ExpiredToken', 'The security token included in the request is expired', 403);
  const result =
    Action === 'GetCallerIdentity'
      ? { Account: ACCOUNT, Arn: `arn:aws:iam::${ACCOUNT}:user/operator`, UserId: 'U' }
      : stacks.run(Action, form);
  return `<${Action}Response><${Action}Result>${xmlOf(result)}</${Action}Result></${Action}Response>`;
}

/** The buckets of code. */
function objects(
  { stacks: { buckets }, calls }: FakeAws,
  method: string,
  pathname: string,
  query: URLSearchParams,
  body: Buffer,
): string {
  const [, name = '', key = ''] = /^\/([^/]+)\/?(.*)$/.exec(pathname) ?? [];
  const bucket = buckets.get(name);
  calls.push(`${{ HEAD: 'Head', GET: 'List', PUT: 'Put', POST: 'Delete' }[method]}Object`);
  if (!bucket) throw new Refusal('NoSuchBucket', `There is no bucket ${name}`, 404);
  if (method === 'HEAD' && !bucket.has(key)) throw new Refusal('NotFound', 'Not found', 404);
  if (method === 'PUT') bucket.set(key, body);
  if (method === 'POST' && query.has('delete'))
    for (const [, each = ''] of body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)) bucket.delete(each);
  if (method !== 'GET') return method === 'POST' ? '<DeleteResult/>' : '';
  const Contents = [...bucket.keys()].map((Key) => `<Contents><Key>${Key}</Key></Contents>`);
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${Contents.join('')}</ListBucketResult>`;
}
