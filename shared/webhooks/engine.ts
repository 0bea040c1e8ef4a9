import type { Resolve } from '../net/addresses.ts';
import type { GuardedFetch, PrivateReach } from '../net/request.ts';
import type { ServiceName } from '../settings/names.ts';
import type { Webhook } from './webhook.ts';

/** The decisions of a service about its webhooks. Read at every use, so that a changed setting takes effect. */
export type Policy = {
  /** Webhooks that one owner may register. */
  readonly maxPerOwner: number;
  /** Attempts of a delivery before it is given up, the first one included. */
  readonly maxAttempts: number;
  /** For one attempt. A status that came by then is its outcome, even if the body goes on. */
  readonly timeoutSeconds: number;
  /** Attempts under way at once to one webhook, in each process of a queue. */
  readonly concurrency: number;
  /** Multiplies the table of retry delays; 1 is as published. */
  readonly retryFactor: number;
  /** The longest wait that a receiver's Retry-After can request. */
  readonly retryAfterMaxSeconds: number;
  /** How long an ended delivery and its event can be looked up and replayed. */
  readonly keptForSeconds: number;
  /** The private and loopback addresses that webhooks may reach. All of them only for a sandbox on one machine. */
  readonly allowPrivateNetworks: PrivateReach;
};

/** The content of an event as it is sent. */
export type Rendered = { readonly type: string; readonly data: unknown };

/** Why an event is not sent any more, for operators. */
export type Withdrawn = { readonly withdrawn: string };

/** The bulkhead of a webhook: quick and slow receivers have separate queues. */
export type Pace = 'quick' | 'slow';

export type Pacing = {
  /** An attempt that takes longer makes its webhook a slow one. */
  readonly slowAfterMs: number;
  /** How long a webhook stays a slow one after its last slow attempt. */
  readonly slowForMs: number;
  /** How long a message waits for a slot of its webhook before it goes to the end of its queue. */
  readonly patienceMs: Readonly<Record<Pace, number>>;
  /** The delay of a message that goes to the end of its queue. */
  readonly returnAfterMs: Readonly<Record<Pace, number>>;
};

/**
 * The webhooks of one service: its table and queues, its policy, and the clock and network, which tests replace.
 * Every function of this folder that a service calls takes it first.
 * @example const webhooks: WebhookEngine = { service: 'documents', queue: 'webhooks', policy: () => policyFromSettings() };
 */
export type WebhookEngine = {
  readonly service: ServiceName;
  /** The queue of quick webhooks. Slow ones have another, `<queue>-slow`. */
  readonly queue: string;
  readonly policy: () => Policy;
  /** Webhooks that come with the settings and not from the table, by their owner. */
  readonly fixed?: (owner: string) => readonly Webhook[];
  /**
   * The type and data of a subject at this moment, for events of this owner that name one. A delivery is given up where
   * the event is withdrawn: the subject no longer exists, or it is no event of the owner any more.
   */
  readonly render?: (subject: string, owner: string) => Promise<Rendered | Withdrawn>;
  /** What the body of an event calls its data, where receivers know it by another name than `data`. */
  readonly dataField?: string;
  /** Each attempt is logged with its outcome, because no operation lists the deliveries of this engine. */
  readonly logsAttempts?: boolean;
  readonly pacing?: Partial<Pacing>;
  readonly now?: () => number;
  /** From 0 up to 1, as Math.random. */
  readonly random?: () => number;
  readonly resolve?: Resolve;
  readonly connect?: () => GuardedFetch & { close(): Promise<void> };
};

/** The one clock of a webhook engine. */
export const nowOf = ({ now = Date.now }: WebhookEngine): number => now();

// Slow receivers have a bulkhead of their own:
//
//   queue webhooks        first attempts; a webhook whose receiver takes longer than `slowAfterMs` moves over
//   queue webhooks-slow   all attempts of slow webhooks, and retries of the others
//
// A function is occupied for as long as its slowest receiver takes. So slow receivers, however many, delay each other
// and never the quick ones, but for the attempts that are under way or wait for a slot when a receiver becomes slow.
const DEFAULT_PACING: Pacing = {
  // Ten times the answer time of a receiver on the internet, and less than the time to find that one is not there.
  slowAfterMs: 3_000,
  slowForMs: 900_000,
  // A crowd of messages for one webhook occupies the functions of its queue for no longer than this.
  patienceMs: { quick: 5_000, slow: 10_000 },
  // For the slow, about the time of an attempt that gets no answer.
  returnAfterMs: { quick: 1_000, slow: 30_000 },
};

export const pacingOf = ({ pacing }: WebhookEngine): Pacing => ({ ...DEFAULT_PACING, ...pacing });
