import { expect } from 'vitest';
import type { WebhookModels } from '../../shared/http/reference/webhooks.ts';

/** That a body is what the contract says of its type, and says no more. */
export function expectModeled(
  models: WebhookModels,
  body: { readonly type: string; readonly [field: string]: unknown },
): void {
  expect(models[body.type]?.body.parse(body), body.type).toEqual(body);
}
