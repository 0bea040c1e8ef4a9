import { isLocal } from './names.ts';

/**
 * The API key and the organizations of the sandbox, which pages of the local stage fill in or log in to. The local engine
 * hands them over, so that no bundle holds them. A deployment never shows a key, whatever its environment.
 */
export const sandboxAccess = (): {
  readonly key?: string;
  readonly organizationId?: string;
  /** The organization of the credential platform. */
  readonly universityId?: string;
} => {
  if (!isLocal()) return {};
  const {
    SANDBOX_KEY: key,
    SANDBOX_ORGANIZATION: organizationId,
    SANDBOX_UNIVERSITY: universityId,
  } = process.env;
  return {
    ...(key && { key }),
    ...(organizationId && { organizationId }),
    ...(universityId && { universityId }),
  };
};
