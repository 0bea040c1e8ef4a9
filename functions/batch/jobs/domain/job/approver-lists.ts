import { collection } from '../../../../../shared/store/collection.ts';
import { eachItem, firstItems } from '../../../../../shared/store/cursor.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { addressOf } from '../../../profiles/domain/approvers.ts';
import { type Decision, decisionOf, expiryOf, type JobApproval, type Verdict } from './approval.ts';
import type { Job } from './job.ts';

/** The two lists of an approver: jobs that wait for a decision, and those that this person decided on. */
export const APPROVER_LISTS = ['pending', 'decided'] as const;
export type ApproverList = (typeof APPROVER_LISTS)[number];

/** Rows of a page. A decision is listed for so many days. */
export const MAX_LISTED = 200;
export const DECIDED_DAYS = 90;
const DAY_SECONDS = 86_400;

/**
 * One job in a list of one approver. It has all that a list shows, so that a list is one query. A row of `pending` is
 * written with the parking and removed with the step that ends the wait; it never lags behind its job.
 */
export type ApproverRow = {
  readonly address: string;
  readonly list: ApproverList;
  readonly jobId: string;
  /** When the job was parked, or when this person decided. */
  readonly atMs: number;
  readonly fileName: string;
  readonly profileName: string;
  readonly totalFormatted: string;
  readonly paymentCount: number;
  readonly earliestPaymentDate: string | null;
  readonly latestPaymentDate: string | null;
  readonly expiresAtMs: number | null;
  readonly contentSha256: string;
  /** Of `decided` alone. */
  readonly verdict: Verdict | null;
  readonly reason: string | null;
};

type RowId = Pick<ApproverRow, 'address' | 'list' | 'jobId' | 'atMs'>;

const partitionOf = (address: string): string => `APPROVER#${address}`;
const TIME_DIGITS = 15; // sorts until the year 33658

/** As the store keeps it. The facts are one text: reading two hundred rows takes half the time of so many attributes each. */
type StoredRow = RowId & { readonly facts: string };

const pack = ({ address, list, jobId, atMs, ...facts }: ApproverRow): StoredRow => ({
  ...{ address, list, jobId, atMs },
  facts: JSON.stringify(facts),
});
const unpack = ({ address, list, jobId, atMs, facts }: StoredRow): ApproverRow => ({
  ...(JSON.parse(facts) as Omit<ApproverRow, keyof RowId>),
  ...{ address, list, jobId, atMs },
});

const rows = collection<StoredRow, RowId>({
  service: 'batch',
  name: 'approver row',
  id: ({ address, list, jobId, atMs }) => ({ address, list, jobId, atMs }),
  key: ({ address, list, jobId, atMs }) => ({
    pk: partitionOf(address),
    sk: `${list}#${String(atMs).padStart(TIME_DIGITS, '0')}#${jobId}`,
  }),
  indexed: ({ list, atMs }) =>
    list === 'decided' ? { ttl: Math.ceil(atMs / 1000) + DECIDED_DAYS * DAY_SECONDS } : {},
});

type Listed = Pick<Job, 'id' | 'fileName' | 'profileName' | 'cnab240'>;

const factsOf = ({ id: jobId, fileName, profileName, cnab240 }: Listed, approval: JobApproval) => ({
  jobId,
  fileName,
  profileName,
  totalFormatted: cnab240?.totalFormatted ?? '',
  paymentCount: cnab240?.paymentCount ?? 0,
  earliestPaymentDate: cnab240?.earliestPaymentDate ?? null,
  latestPaymentDate: cnab240?.latestPaymentDate ?? null,
  expiresAtMs: expiryOf(approval),
  contentSha256: approval.contentSha256,
});

const pendingOf = (jobId: string, approval: JobApproval): RowId[] =>
  approval.approvers
    .filter(({ email }) => !decisionOf(approval, email))
    .map(({ email }) => ({ address: addressOf(email), list: 'pending', jobId, atMs: approval.parkedAtMs }));

/** The writes that put a job into the list of everybody who may decide on it, for the commit that parks it. */
export const listingPending = (job: Listed, approval: JobApproval): Write[] =>
  pendingOf(job.id, approval).map((row) =>
    rows.putting(pack({ ...factsOf(job, approval), ...row, verdict: null, reason: null })),
  );

/** The writes that take it out of those lists, for the commit of a step that ends the wait. */
export const unlistingPending = ({ id, approval }: Pick<Job, 'id' | 'approval'>): Write[] =>
  approval ? pendingOf(id, approval).map((row) => rows.removing(row)) : [];

/** The writes that move a job from one list of a person to the other, for the commit of the decision. */
export function listingDecided(job: Listed, approval: JobApproval, decision: Decision): Write[] {
  const { approver, verdict, reason, decidedAtMs: atMs } = decision;
  const address = addressOf(approver.email);
  return [
    rows.removing({ address, list: 'pending', jobId: job.id, atMs: approval.parkedAtMs }),
    rows.putting(pack({ ...factsOf(job, approval), address, list: 'decided', atMs, verdict, reason })),
  ];
}

export type ApproverRows = { readonly rows: readonly ApproverRow[]; readonly hasMore: boolean };

const queryOf = (address: string, list: ApproverList) => ({
  pk: partitionOf(addressOf(address)),
  skPrefix: `${list}#`,
  newestFirst: list === 'decided',
});

/** DynamoDB deletes expired items up to days later. */
const isListed = ({ list, atMs }: RowId, nowMs: number): boolean =>
  list === 'pending' || atMs >= nowMs - DECIDED_DAYS * DAY_SECONDS * 1000;

/** The jobs of a list: those that wait longest first, and the newest decisions first. */
export async function listRows(
  address: string,
  list: ApproverList,
  { limit, nowMs }: { readonly limit: number; readonly nowMs: number },
): Promise<ApproverRows> {
  // The newest are first: after one that is too old come older ones.
  const found = await firstItems(rows, queryOf(address, list), limit + 1);
  const listed = found.filter((row) => isListed(row, nowMs)).map(unpack);
  return { rows: listed.slice(0, limit), hasMore: listed.length > limit };
}

/** The same rows, up to a limit of any size, read while they are written to a file. */
export async function* walkRows(
  address: string,
  list: ApproverList,
  { maxRows, nowMs }: { readonly maxRows: number; readonly nowMs: number },
): AsyncGenerator<ApproverRow> {
  let left = maxRows;
  for await (const row of eachItem(rows, queryOf(address, list))) {
    if (left-- === 0) return;
    if (isListed(row, nowMs)) yield unpack(row);
  }
}
