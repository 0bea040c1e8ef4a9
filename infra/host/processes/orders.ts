// What the parent and its workers say to each other.
import type { HostConfig } from '../config/config.ts';

/** All that a worker is told when it starts. Settings are in its environment. */
export type WorkerOrder = {
  readonly root: string;
  readonly buildDir: string;
  readonly config: HostConfig;
  readonly role: Role;
};

export type Role =
  | { readonly kind: 'http' }
  /** One of several that share the queues. Schedules run in the first alone. */
  | { readonly kind: 'queues'; readonly index: number; readonly of: number };

export type ToWorker =
  | { readonly order: WorkerOrder }
  /** With a connection. */
  | { readonly take: true }
  /** Readiness is red, and every answer is the last one of its connection. */
  | { readonly announceStop: true }
  /** Takes nothing more, finishes what it has, and ends. */
  | { readonly finish: true }
  | { readonly renewCertificate: true };

export type FromWorker =
  | { readonly ready: true }
  | { readonly failed: string }
  /** The connection has arrived, and another one may be sent. */
  | { readonly taken: true }
  | { readonly closed: true };
