import type { Resolve } from '../net/addresses.ts';
import type { GuardedFetch } from '../net/request.ts';
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
  /** Attempts under way at once to one webhook. */
  readonly concurrency: number;
  /** Multiplies the table of retry delays; 1 is as published. */
  readonly retryFactor: number;
  /** The longest wait that a receiver's Retry-After can request. */
  readonly retryAfterMaxSeconds: number;
  /** How long an ended delivery and its event can be looked up and replayed. */
  readonly keptForSeconds: number;
  /** Lets webhooks reach private and loopback addresses. Only for a sandbox on one machine. */
  readonly allowPrivateNetworks: boolean;
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
  /** How long a run of a webhook begins new attempts before it goes to the back of its queue. */
  readonly turnMs: Readonly<Record<Pace, number>>;
  /** The least time between two attempts while all attempts fail. */
  readonly failingIntervalMs: number;
};

/**
 * The webhooks of one service: its table and queues, its policy, and the clock and network, which tests replace.
 * Every function of this folder that a service calls takes it first.
 * @example const webhooks: WebhookEngine = { service: 'documents', queue: 'webhooks', policy: () => policyFromSettings(), sealingKey };
 */
export type WebhookEngine = {
  readonly service: ServiceName;
  /** The queue of quick webhooks. Slow ones have another, `<queue>-slow`. */
  readonly queue: string;
  readonly policy: () => Policy;
  /** Seals tokens and secrets in the table: 32 bytes in base64, stored elsewhere. */
  readonly sealingKey: () => string;
  /** Webhooks that come with the settings and not from the table, by their owner. */
  readonly fixed?: (owner: string) => readonly Webhook[];
  /**
   * The type and data of a subject at this moment, for events of this owner that name one. A delivery is given up where
   * the event is withdrawn: the subject no longer exists, or it is no event of the owner any more.
   */
  readonly render?: (subject: string, owner: string) => Promise<Rendered | Withdrawn>;
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
//   queue webhooks        short turns; a receiver that takes longer than `slowAfterMs` ends its turn and moves over
//   queue webhooks-slow   long turns; a receiver that was quick for a few of them moves back
//
// A function is occupied for as long as its slowest receiver takes. So slow receivers, however many, delay each other
// and never the quick ones.
const DEFAULT_PACING: Pacing = {
  // Ten times the answer time of a receiver on the internet, and less than the time to find that one is not there.
  slowAfterMs: 3_000,
  // A quick webhook waits at most as long as the turns of others last. A slow one loses up to an attempt's time-out at
  // the end of each turn, so its turn is longer than that.
  turnMs: { quick: 10_000, slow: 60_000 },
  // Five attempts a second: for a dead receiver, the ten attempts of five thousand deliveries take the hours that the
  // table of retries takes anyway, and delay others little. The first confirmed attempt ends the slow-down.
  failingIntervalMs: 200,
};

export const pacingOf = ({ pacing }: WebhookEngine): Pacing => ({ ...DEFAULT_PACING, ...pacing });
