import { randomUUID } from 'node:crypto';
import type { Along } from '../../store/collection.ts';
import { AlreadyExists, RaceLost } from '../../store/refusals.ts';
import { nowOf, type WebhookEngine } from '../engine.ts';
import { waking } from '../wake.ts';
import {
  type Refused,
  registrationsOf,
  type Webhook,
  type WebhookRequest,
  type WebhookRequestRefusal,
} from '../webhook.ts';
import { checkRequest } from './check-request.ts';
import { credentialsOf, sealCredentials } from './credentials.ts';

/**
 * The webhooks of an owner in the order they were added, those of the settings first.
 * @example const registered = await listWebhooks(webhooks, organization.id);
 */
export async function listWebhooks(engine: WebhookEngine, owner: string): Promise<readonly Webhook[]> {
  const stored = await registrationsOf(engine).get(owner);
  return [...(engine.fixed?.(owner) ?? []), ...(stored?.webhooks ?? [])];
}

/**
 * One webhook of an owner, if it has it.
 * @example const webhook = await getWebhook(webhooks, organization.id, webhookId);
 */
export async function getWebhook(
  engine: WebhookEngine,
  owner: string,
  id: string,
): Promise<Webhook | undefined> {
  return (await listWebhooks(engine, owner)).find((webhook) => webhook.id === id);
}

/**
 * Registers a webhook while its owner has fewer than it may have, and if its address may be called.
 * @example const added = await addWebhook(webhooks, organization.id, { url, authType: 'Bearer', token });
 *          if ('refused' in added) throw errors.refuse('MaxWebhooksLimitReached');
 */
export async function addWebhook(
  engine: WebhookEngine,
  owner: string,
  wish: WebhookRequest,
): Promise<Webhook | Refused<'limit-reached' | WebhookRequestRefusal>> {
  const refusal = await checkRequest(engine, wish);
  if (refusal) return refusal;
  const { maxPerOwner: mostPerOwner } = engine.policy();
  const secret = wish.secret ?? undefined;
  const added: Webhook = { id: randomUUID(), ...contentOf(owner, wish), secret, createdAtMs: nowOf(engine) };
  let isFull = false;
  await changeList(engine, owner, (webhooks) => {
    isFull = webhooks.length >= mostPerOwner;
    return isFull ? undefined : [...webhooks, added];
  });
  if (!isFull) return added;
  return {
    refused: 'limit-reached',
    message: `There are ${mostPerOwner} webhooks, as many as there may be.`,
  };
}

/**
 * Gives a webhook another address or token. Deliveries that still wait go where it now says. With another address
 * the secret is asked for again: a key alone cannot have deliveries signed for an address of its holder's.
 * @example const replaced = await replaceWebhook(webhooks, organization.id, webhookId, { url, authType: 'NoAuth' });
 */
export async function replaceWebhook(
  engine: WebhookEngine,
  owner: string,
  id: string,
  wish: WebhookRequest,
): Promise<Webhook | Refused<'not-found' | WebhookRequestRefusal>> {
  // A webhook that is not there is told before the address is judged, and that may take a while.
  if (!(await getWebhook(engine, owner, id))) return notFound;
  const refusal = await checkRequest(engine, wish);
  if (refusal) return refusal;
  let outcome: Webhook | Refused<'not-found' | 'secret-required'> = notFound;
  await changeList(engine, owner, (webhooks) => {
    const before = webhooks.find((webhook) => webhook.id === id);
    outcome = before ? replaceContent(engine, before, wish) : notFound;
    if ('refused' in outcome) return undefined;
    const replaced = outcome;
    return webhooks.map((webhook) => (webhook === before ? replaced : webhook));
  });
  return outcome;
}

const notFound: Refused<'not-found'> = { refused: 'not-found', message: 'There is no webhook by this id.' };
const secretRequired: Refused<'secret-required'> = {
  refused: 'secret-required',
  message: 'The secret does not go along to another address. Send it again, or a new one, or null for none.',
};

const contentOf = (owner: string, wish: WebhookRequest) => ({
  owner,
  url: wish.url,
  authType: wish.authType,
  token: wish.authType === 'NoAuth' ? '' : (wish.token ?? ''),
});

function replaceContent(
  engine: WebhookEngine,
  before: Webhook,
  wish: WebhookRequest,
): Webhook | Refused<'secret-required'> {
  const replaced = { ...before, ...contentOf(before.owner, wish), sealed: undefined };
  if (wish.secret !== undefined) return { ...replaced, secret: wish.secret ?? undefined };
  // A seal that does not open may have held one.
  const kept = credentialsOf(engine, before);
  if (!kept || (kept.secret !== undefined && wish.url !== before.url)) return secretRequired;
  return { ...replaced, secret: kept.secret };
}

/**
 * Removes a webhook; what it still had to be told is not sent any more. False when there is none by this id.
 * @example if (!(await removeWebhook(webhooks, organization.id, webhookId))) throw errors.refuse('WebhookNotFound');
 */
export async function removeWebhook(engine: WebhookEngine, owner: string, id: string): Promise<boolean> {
  return (await removeWebhooks(engine, owner, (webhook) => webhook.id === id)) > 0;
}

/**
 * Removes every webhook of an owner, and tells how many there were.
 * @example await removeAllWebhooks(webhooks, organization.id);
 */
export const removeAllWebhooks = (engine: WebhookEngine, owner: string): Promise<number> =>
  removeWebhooks(engine, owner, () => true);

// Their lanes are woken to stop what waits in them, which may be hours away from its next attempt.
async function removeWebhooks(
  engine: WebhookEngine,
  owner: string,
  isRemoved: (webhook: Webhook) => boolean,
): Promise<number> {
  let wake = waking(engine, owner, []);
  let removed: readonly Webhook[] = [];
  await changeList(
    engine,
    owner,
    (webhooks) => {
      removed = webhooks.filter(isRemoved);
      wake = waking(engine, owner, removed);
      return removed.length > 0 ? webhooks.filter((webhook) => !removed.includes(webhook)) : undefined;
    },
    () => ({ also: wake.writes }),
  );
  await wake.send();
  return removed.length;
}

// Registering is rare: an owner whose list is changed by this many others at once has other troubles.
const TRIES = 8;

/** Decides on the list as it is now, and again when another was faster. Undefined leaves it as it is. */
async function changeList(
  engine: WebhookEngine,
  owner: string,
  decide: (webhooks: readonly Webhook[]) => readonly Webhook[] | undefined,
  along: () => Along = () => ({}),
): Promise<void> {
  const items = registrationsOf(engine);
  for (let tries = 1; ; tries++) {
    const current = await items.get(owner);
    const decided = decide(current?.webhooks ?? []);
    if (!decided) return;
    const webhooks = decided.map((webhook) => sealCredentials(engine, webhook));
    try {
      await (current
        ? items.change(current, { webhooks }, along())
        : items.create({ owner, webhooks }, along()));
      return;
    } catch (error) {
      const isRace = error instanceof RaceLost || error instanceof AlreadyExists;
      if (!isRace || tries >= TRIES) throw error;
    }
  }
}
