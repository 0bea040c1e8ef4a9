/** The client that the providers of the tests know, and the people. */
export const CLIENT = {
  id: 'sinete-batch',
  secret: 'the-secret-of-the-client-at-the-provider',
  callbacks: [
    'http://localhost:3000/batch/api/auth/idp-callback',
    'http://localhost:3000/documents/login/callback',
  ],
} as const;

export const ACCOUNTS: Readonly<Record<string, object>> = {
  admin: { email: 'Admin@sandbox.example', email_verified: true, roles: ['Administrator', 'Reader'] },
  ana: { email: 'ana@sandbox.example', email_verified: true, roles: ['Approver'] },
  bruno: { email: 'Bruno@sandbox.example', email_verified: true, roles: ['Approver'] },
  both: { email: 'both@sandbox.example', email_verified: true, roles: ['Approver', 'Administrator'] },
  nobody: { email: 'nobody@sandbox.example', email_verified: true, roles: ['administrator', 'Reader'] },
};

export type Account = 'admin' | 'ana' | 'bruno' | 'both' | 'nobody';

/** The message of the process of a provider when it takes calls. */
export type ProviderReady = { readonly issuer: string };
