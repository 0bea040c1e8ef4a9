import type { Access } from './deliveries-api.ts';

// The tab's own storage: closed with it, never sent, and not shared with other tabs.
const NAME = 'sinete-webhooks';

export const keepAccess = (access: Access): void => sessionStorage.setItem(NAME, JSON.stringify(access));
export const forgetAccess = (): void => sessionStorage.removeItem(NAME);

export function keptAccess(): Access | undefined {
  try {
    const { key, organizationId } = JSON.parse(sessionStorage.getItem(NAME) ?? '{}');
    return typeof key === 'string' && typeof organizationId === 'string'
      ? { key, organizationId }
      : undefined;
  } catch {
    return undefined;
  }
}
