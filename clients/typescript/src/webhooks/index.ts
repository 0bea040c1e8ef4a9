export { forExpress, forFetch, forHono, forLambda, forNext } from './adapters.ts';
export type { Registered } from './checks.ts';
export {
  type CredentialsEvent,
  type DocumentsEvent,
  type EventOf,
  NoEvent,
  type PkiEvent,
  parseEvent,
  type WebhookEvent,
} from './events.ts';
export { type Delivery, type Receiver, type ReceiverOptions, webhookReceiver } from './receiver.ts';
export { rememberEvents, type SeenEvents } from './seen-events.ts';
