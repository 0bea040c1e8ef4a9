import { isLocal } from './names.ts';

/**
 * The API key and the organization of the sandbox, which pages of the local stage fill in. The local engine hands them
 * over, so that no bundle holds them. A deployment never shows a key, whatever its environment.
 */
export const sandboxAccess = (): { readonly key?: string; readonly organizationId?: string } => {
  if (!isLocal()) return {};
  const { SANDBOX_KEY: key, SANDBOX_ORGANIZATION: organizationId } = process.env;
  return { ...(key && { key }), ...(organizationId && { organizationId }) };
};
