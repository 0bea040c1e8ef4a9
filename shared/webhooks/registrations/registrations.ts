import { randomUUID } from 'node:crypto';
import { retryOnConflict } from '../../store/retry-on-conflict.ts';
import type { Write } from '../../store/write.ts';
import { nowOf, type WebhookEngine } from '../engine.ts';
import type { Refused, Webhook, WebhookRequest, WebhookRequestRefusal } from '../webhook.ts';
import { checkRequest } from './check-request.ts';
import { credentialsOf, sealCredentials } from './credentials.ts';
import { getWebhook, registrationsOf } from './lookup.ts';

/**
 * Registers a webhook if its owner has fewer than the limit and its address may be called.
 * @example const added = await addWebhook(webhooks, organization.id, { url, authType: 'Bearer', token });
 *          if ('refused' in added) throw errors.refuse('MaxWebhooksLimitReached');
 */
export async function addWebhook(
  engine: WebhookEngine,
  owner: string,
  request: WebhookRequest,
): Promise<Webhook | Refused<'limit-reached' | WebhookRequestRefusal>> {
  const refusal = await checkRequest(engine, request);
  if (refusal) return refusal;
  const { maxPerOwner } = engine.policy();
  const added = newWebhook(engine, owner, request);
  let isFull = false;
  await changeList(engine, owner, (webhooks) => {
    isFull = webhooks.length >= maxPerOwner;
    return isFull ? undefined : { webhooks: [...webhooks, added] };
  });
  if (!isFull) return added;
  return {
    refused: 'limit-reached',
    message: `There are ${maxPerOwner} webhooks, which is the limit. Remove one first.`,
  };
}

const newWebhook = (engine: WebhookEngine, owner: string, request: WebhookRequest): Webhook => ({
  id: randomUUID(),
  ...contentOf(owner, request),
  secret: request.secret ?? undefined,
  createdAtMs: nowOf(engine),
});

/**
 * Makes a webhook the only one of its owner, or leaves the owner without one, in one commit with further writes. The
 * webhook keeps its id, so that pending deliveries go to the new address. Those of a removed one stop.
 * @example const set = await setWebhook(webhooks, organization.id, request, [integrations.putting(integration)]);
 */
export async function setWebhook(
  engine: WebhookEngine,
  owner: string,
  request: WebhookRequest | undefined,
  also: readonly Write[],
): Promise<Webhook | Refused<WebhookRequestRefusal> | undefined> {
  const refusal = request && (await checkRequest(engine, request));
  if (refusal) return refusal;
  const added = request && newWebhook(engine, owner, request);
  let set = added;
  await changeList(engine, owner, (webhooks) => {
    const [kept] = webhooks;
    set = added && kept ? { ...added, id: kept.id, createdAtMs: kept.createdAtMs } : added;
    return { webhooks: set ? [set] : [], also };
  });
  return set;
}

/**
 * Gives a webhook another address or token. Pending deliveries go to the new address. Another address requires the
 * secret again: the holder of an API key alone cannot redirect signed deliveries to an address of their own.
 * @example const replaced = await replaceWebhook(webhooks, organization.id, webhookId, { url, authType: 'NoAuth' });
 */
export async function replaceWebhook(
  engine: WebhookEngine,
  owner: string,
  id: string,
  request: WebhookRequest,
): Promise<Webhook | Refused<'not-found' | WebhookRequestRefusal>> {
  // Checked first, because the check of the address may take a while.
  if (!(await getWebhook(engine, owner, id))) return notFound;
  const refusal = await checkRequest(engine, request);
  if (refusal) return refusal;
  let result: Webhook | Refused<'not-found' | 'secret-required'> = notFound;
  await changeList(engine, owner, async (webhooks) => {
    const before = webhooks.find((webhook) => webhook.id === id);
    result = before ? await replaceContent(engine, before, request) : notFound;
    if ('refused' in result) return undefined;
    const replaced = result;
    return { webhooks: webhooks.map((webhook) => (webhook === before ? replaced : webhook)) };
  });
  return result;
}

const notFound: Refused<'not-found'> = { refused: 'not-found', message: 'There is no webhook by this id.' };
const secretRequired: Refused<'secret-required'> = {
  refused: 'secret-required',
  message:
    'The secret is not kept for another address. Send it again, send a new one, or send null for none.',
};

const contentOf = (owner: string, request: WebhookRequest) => ({
  owner,
  url: request.url,
  authType: request.authType,
  token: request.authType === 'NoAuth' ? '' : (request.token ?? ''),
});

async function replaceContent(
  engine: WebhookEngine,
  before: Webhook,
  request: WebhookRequest,
): Promise<Webhook | Refused<'secret-required'>> {
  const replaced = { ...before, ...contentOf(before.owner, request), sealed: undefined };
  if (request.secret !== undefined) return { ...replaced, secret: request.secret ?? undefined };
  // A seal that does not open may hold a secret.
  const kept = await credentialsOf(engine, before);
  if ('problem' in kept) return secretRequired;
  const { secret } = kept.plain;
  if (secret !== undefined && request.url !== before.url) return secretRequired;
  return { ...replaced, secret };
}

/**
 * Removes a webhook. Its pending deliveries are not sent any more. False when there is none by this id.
 * @example if (!(await removeWebhook(webhooks, organization.id, webhookId))) throw errors.refuse('WebhookNotFound');
 */
export async function removeWebhook(engine: WebhookEngine, owner: string, id: string): Promise<boolean> {
  return (await removeWebhooks(engine, owner, (webhook) => webhook.id === id)) > 0;
}

/**
 * Removes every webhook of an owner, and returns how many there were.
 * @example await removeAllWebhooks(webhooks, organization.id);
 */
export const removeAllWebhooks = (engine: WebhookEngine, owner: string): Promise<number> =>
  removeWebhooks(engine, owner, () => true);

// Pending deliveries are deleted when their next attempt is due, and finds no webhook.
async function removeWebhooks(
  engine: WebhookEngine,
  owner: string,
  isRemoved: (webhook: Webhook) => boolean,
): Promise<number> {
  let removed: readonly Webhook[] = [];
  await changeList(engine, owner, (webhooks) => {
    removed = webhooks.filter(isRemoved);
    if (removed.length === 0) return undefined;
    return { webhooks: webhooks.filter((webhook) => !removed.includes(webhook)) };
  });
  return removed.length;
}

type ListChange = { readonly webhooks: readonly Webhook[]; readonly also?: readonly Write[] };

/** Decides on the current list, and again when another writer was faster. Undefined leaves the list unchanged. */
async function changeList(
  engine: WebhookEngine,
  owner: string,
  decide: (webhooks: readonly Webhook[]) => ListChange | undefined | Promise<ListChange | undefined>,
): Promise<void> {
  const items = registrationsOf(engine);
  await retryOnConflict(
    async () => {
      const current = await items.get(owner);
      const decided = await decide(current?.webhooks ?? []);
      if (!decided) return;
      const { also = [] } = decided;
      const webhooks = await Promise.all(decided.webhooks.map((webhook) => sealCredentials(engine, webhook)));
      await (current
        ? items.change(current, { webhooks }, { also })
        : items.create({ owner, webhooks }, { also }));
    },
    { mayCreate: true },
  );
}
