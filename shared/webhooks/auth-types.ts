/** How a call to a receiver authenticates: the header that it carries. */
export const AUTH_TYPES = ['NoAuth', 'Basic', 'Bearer', 'ApiKey'] as const;
export type AuthType = (typeof AUTH_TYPES)[number];
