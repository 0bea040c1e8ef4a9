import type { Resolve } from '../net/addresses.ts';
import type { GuardedFetch } from '../net/guarded.ts';
import type { ServiceName } from '../settings/names.ts';
import type { Webhook } from './webhook.ts';

/** What a service has decided about its webhooks. Read at every use, so that a changed setting is seen. */
export type Policy = {
  /** Webhooks that one owner may register. */
  readonly maxPerOwner: number;
  /** Attempts of a delivery before it is given up, the first one included. */
  readonly maxAttempts: number;
  /** For one attempt. A status that came by then is its outcome, even if the body goes on. */
  readonly timeoutSeconds: number;
  /** Attempts under way at once to one webhook. */
  readonly concurrency: number;
  /** Stretches or shortens the table of retry delays; 1 is as published. */
  readonly retryFactor: number;
  /** The longest wait that a receiver's Retry-After can ask for. */
  readonly retryAfterMaxSeconds: number;
  /** How long a delivery that ended, and what it carried, can be looked up and replayed. */
  readonly keptForSeconds: number;
  /** Lets webhooks reach private and loopback machines. Only a sandbox on one machine wants it. */
  readonly allowPrivateNetworks: boolean;
};

/** Receivers that answer at once and those that make us wait are served apart; see `pacing.ts`. */
export type Pace = 'quick' | 'slow';

export type Pacing = {
  /** An attempt that takes longer makes its webhook a slow one. */
  readonly slowAfterMs: number;
  /** How long a webhook's run begins new attempts before it goes to the back of its queue. */
  readonly turnMs: Readonly<Record<Pace, number>>;
  /** The least time between two attempts while nothing but failures come back. */
  readonly breathMs: number;
};

/**
 * The webhooks of one service: its table and queues, its decisions, and, for tests, its ties to the world.
 * Every function of this folder that a service calls takes it first.
 * @example const webhooks: WebhookEngine = { service: 'documents', queue: 'webhooks', policy: () => policyFromSettings(), sealingKey };
 */
export type WebhookEngine = {
  readonly service: ServiceName;
  /** The queue that wakes webhooks; those that are slow have another one, `<queue>-slow`. */
  readonly queue: string;
  readonly policy: () => Policy;
  /** Seals tokens and secrets in the table: 32 bytes in base64, kept elsewhere. */
  readonly sealingKey: () => string;
  /** Webhooks that come with the settings and not from the table, by their owner. */
  readonly fixed?: (owner: string) => readonly Webhook[];
  readonly pacing?: Partial<Pacing>;
  readonly now?: () => number;
  /** From 0 up to 1, as Math.random. */
  readonly random?: () => number;
  readonly resolve?: Resolve;
  readonly connect?: () => GuardedFetch & { close(): Promise<void> };
};

export const nowOf = ({ now = Date.now }: WebhookEngine): number => now();
