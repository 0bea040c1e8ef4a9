import { randomUUID } from 'node:crypto';
import { GetItemCommand, TransactWriteItemsCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { approverSessions } from '../../../functions/batch/approvals/approver-sessions.ts';
import { handler as decide } from '../../../functions/batch/approvals/endpoints/decide.ts';
import type { JobApproval } from '../../../functions/batch/jobs/domain/job/approval.ts';
import { listingPending } from '../../../functions/batch/jobs/domain/job/approver-lists.ts';
import { type Job, jobs, type NewJob, newJob } from '../../../functions/batch/jobs/domain/job/job.ts';
import { changingLists } from '../../../functions/batch/jobs/domain/job/list.ts';
import { forEachConcurrently } from '../../../shared/async/for-each-concurrently.ts';
import { tableName } from '../../../shared/settings/names.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { commit } from '../../../shared/store/commit.ts';
import { keyAttributes } from '../../../shared/store/item.ts';
import { joinEngine } from '../../infra/local/engine/crowd.ts';
import { cleanUp, type EngineProcess, startEngineProcess } from '../../infra/local/engine/engine-process.ts';
import { call } from '../../requests/http-event.ts';
import { type Figure, median } from '../measure/figures.ts';
import { timesPerSecond } from '../measure/load.ts';

const DECISIONS = 300;
const AT_ONCE = 10;
// A session may be read from so often a minute, and this reads as often as it can.
const SESSIONS = 200;
const ROUNDS = 3;

const personOf = (name: string) => ({ name, email: `${name}@sandbox.example`, cpf: '52998224725' });
const [ANA, BRUNO, CARLA] = [personOf('ana'), personOf('bruno'), personOf('carla')];
const SHA256 = 'ab'.repeat(32);

/** A decision against a bare handler with the same writes, and the portal's list of 200 rows against one of 10. */
export async function figures(): Promise<Figure[]> {
  const ApproverPortal__LinkSecret = 'sinete-bench-approver-link-secret-01';
  const engine = await startEngineProcess({ env: { Log__Level: 'INFO', ApproverPortal__LinkSecret } });
  try {
    await engine.ready();
    joinEngine(engine.dataDir);
    Object.assign(process.env, { ApproverPortal__LinkSecret, Log__Level: 'ERROR' });
    return [await decisions(), await lists(engine)];
  } finally {
    await cleanUp();
  }
}

async function decisions(): Promise<Figure> {
  const template = await recordWrites();
  const rounds: { ours: number; bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [bareJobs, ourJobs] = [
      await makeParked(DECISIONS, [ANA, BRUNO]),
      await makeParked(DECISIONS, [ANA, BRUNO]),
    ];
    const bare = await perSecond(bareJobs, (id) => replay(template, id));
    rounds.push({ bare, ours: await perSecond(ourJobs, approve) });
  }
  return {
    name: 'a decision against a bare handler with the same writes',
    ratio: median(rounds.map(({ ours, bare }) => ours / bare)),
    promised: { atLeast: 0.4 },
    detail: `${Math.round(median(rounds.map(({ ours }) => ours)))} and ${Math.round(median(rounds.map(({ bare }) => bare)))} a second`,
  };
}

async function perSecond(ids: readonly string[], work: (id: string) => Promise<void>): Promise<number> {
  const start = performance.now();
  await forEachConcurrently(AT_ONCE, ids, work);
  return (ids.length * 1000) / (performance.now() - start);
}

async function approve(id: string): Promise<void> {
  const { status, text } = await call(decide, {
    params: { id },
    json: { email: ANA.email },
    address: randomUUID(),
  });
  if (status !== 200) throw new Error(text);
}

type Template = {
  readonly jobId: string;
  readonly writes: readonly { readonly name: string; readonly input: string }[];
};

/** The writes of one decision as they go out. */
async function recordWrites(): Promise<Template> {
  const [jobId = ''] = await makeParked(1, [ANA, BRUNO]);
  const writes: { name: string; input: string }[] = [];
  dynamo().middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (/^(Update|Transact)/.test(commandName))
          writes.push({ name: commandName, input: JSON.stringify(args.input) });
        return next(args);
      },
    { step: 'initialize', name: 'recorded' },
  );
  await approve(jobId);
  dynamo().middlewareStack.remove('recorded');
  return { jobId, writes };
}

/** As little as a function can do: the job is read, and the same items are written to it, without their conditions. */
async function replay({ jobId, writes }: Template, id: string): Promise<void> {
  const key = { TableName: tableName('batch'), Key: keyAttributes(jobs.key(id)) };
  await dynamo().send(new GetItemCommand({ ...key, ConsistentRead: true }));
  for (const { name, input } of writes) {
    const written = JSON.parse(input.replaceAll(jobId, id), (_, value) => unconditional(value));
    if (name.startsWith('Update')) await dynamo().send(new UpdateItemCommand(written));
    else await dynamo().send(new TransactWriteItemsCommand(written));
  }
}

/** A write without its condition, and without the names and values that only the condition has. */
function unconditional(value: Record<string, unknown> | null): unknown {
  if (typeof value?.ConditionExpression !== 'string') return value;
  const { ConditionExpression: _, UpdateExpression = '', ...rest } = value;
  const used = (entries: unknown) => {
    const kept = Object.entries(entries ?? {}).filter(([name]) =>
      new RegExp(`${name}\\b`).test(String(UpdateExpression)),
    );
    return kept.length > 0 ? Object.fromEntries(kept) : undefined;
  };
  return {
    ...rest,
    ...(UpdateExpression !== '' && { UpdateExpression }),
    ExpressionAttributeNames: used(rest.ExpressionAttributeNames),
    ExpressionAttributeValues: used(rest.ExpressionAttributeValues),
  };
}

/** As a browser gets them: from the running engine, over HTTP. */
async function lists(engine: EngineProcess): Promise<Figure> {
  await makeParked(200, [BRUNO]);
  await makeParked(10, [CARLA]);
  const [many, few] = [await readerOf(engine, BRUNO.email, 200), await readerOf(engine, CARLA.email, 10)];
  await many();
  await few();
  const rounds: { many: number; few: number }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ few: await timesPerSecond(few), many: await timesPerSecond(many) });
  return {
    name: "the portal's list of 200 rows against one of 10",
    ratio: median(rounds.map((round) => round.few / round.many)),
    // Twenty times the rows. See RESULTS.md.
    promised: { atMost: 8 },
    detail: `${(1000 / median(rounds.map((round) => round.many))).toFixed(1)} and ${(1000 / median(rounds.map((round) => round.few))).toFixed(1)} ms`,
  };
}

async function readerOf({ url }: EngineProcess, address: string, rows: number): Promise<() => Promise<void>> {
  const session = { address, method: 'LinkDerivedEmail', verifiedAtMs: null } as const;
  const start = () => approverSessions.start(undefined, session, Date.now());
  const cookies = await Promise.all(Array.from({ length: SESSIONS }, start));
  let reads = 0;
  return async () => {
    const cookie = cookies[reads++ % SESSIONS];
    const headers = { cookie: `lbs-approver=${cookie}`, accept: 'text/html' };
    const answer = await fetch(`${url}/batch/approvals`, { headers });
    const text = await answer.text();
    const found = text.match(/waiting-\d+\.rem/g)?.length ?? 0;
    if (found < rows) throw new Error(`The list has ${found} of ${rows} rows: ${answer.status} ${text}`);
  };
}

/** Jobs that wait for the approval of these people. Answers their ids. */
async function makeParked(count: number, approvers: readonly (typeof ANA)[]): Promise<string[]> {
  const made = Array.from({ length: count }, (_, n) => parkedJob(`waiting-${n}.rem`, approvers));
  await forEachConcurrently(AT_ONCE, made, (job) =>
    commit([
      jobs.creating(job),
      ...changingLists(undefined, job),
      ...(job.approval ? listingPending(job, job.approval) : []),
    ]),
  );
  return made.map(({ id }) => id);
}

function parkedJob(fileName: string, approvers: readonly (typeof ANA)[]): Job {
  const [id, nowMs] = [randomUUID(), Date.now()];
  const fields: NewJob = {
    ...{ id, fileName, originalPath: `input/${id}/${fileName}`, folder: null, inputShare: null },
    ...{ inputKey: `input/${id}/${fileName}`, format: 'Cades', source: 'Upload' },
    ...{
      parentJobId: null,
      profileName: 'aprovacao',
      externalReference: null,
      encryption: null,
      encryptionEnabled: false,
    },
  };
  const approval: JobApproval = {
    ...{ quorum: approvers.length, signerSet: 'Profile', approvers, contentSha256: SHA256 },
    ...{ parkedAtMs: nowMs, expiresAfterSeconds: null, decisions: [] },
  };
  const cnab240 = {
    ...{ totalCentavos: 123_456, totalFormatted: 'R$ 1.234,56', paymentCount: 3, cancellationCount: 0 },
    ...{ earliestPaymentDate: '2099-12-31', latestPaymentDate: '2099-12-31', contentSha256: SHA256 },
  };
  const staged = { length: 960, sha256: SHA256, etag: 'e' };
  return { ...newJob(fields, 'Waits.', nowMs), state: 'AwaitingApproval', approval, cnab240, staged };
}
